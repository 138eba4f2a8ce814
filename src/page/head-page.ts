import { documentHead } from '../markup/document.ts';
import { textOf } from '../markup/markup.ts';
import { STYLE } from '../markup/style.ts';
import type { ReportSource } from '../report/reporter.ts';
import { SCRIPT } from './client-script.ts';
import { variantMarks } from './drawing/variant-mark.ts';
import { anyDelivered } from './markup/scope.ts';
import { outcomeSection } from './sections/outcome/outcome.ts';
import { runHead } from './sections/outcome/run-head.ts';
import { sideBySideSection } from './sections/side-by-side/side-by-side.ts';
import { sheetOf } from './shown-outputs.ts';
import { CSS as STILL } from './style/still-css.ts';

/** The head of report.html as a page without script, for a screenshot. */
export function* headPage(source: ReportSource): Generator<string> {
  const { analysis } = source;
  const marks = variantMarks(analysis.variants);
  const sheet = sheetOf(source);
  const title = `${analysis.run.suite} · Retake report ${analysis.run.id}`;
  yield textOf(documentHead({ title, style: STYLE + STILL, script: SCRIPT, loadsBeside: true }));
  yield '<body>\n<div class="page report">\n';
  yield textOf(runHead(analysis, source.verdict, false));
  yield '<main>\n';
  yield textOf(outcomeSection(source, sheet));
  if (anyDelivered(analysis.variants)) yield textOf(sideBySideSection(source, sheet, marks));
  yield '</main></div>\n</body>\n</html>\n';
}
