import type { Reporter, ReportSource } from '../reporter.ts';
import { SCRIPT } from './markup/client-script.ts';
import { contents, documentHead } from './markup/document.ts';
import { html as markup, textOf, trusted } from './markup/markup.ts';
import { STYLE } from './markup/style.ts';
import { comparisonSection } from './sections/certainty/comparison.ts';
import { distributionSection } from './sections/certainty/distribution.ts';
import { sweepSection } from './sections/certainty/sweep.ts';
import { timelineSection } from './sections/certainty/timeline.ts';
import { timingsSection } from './sections/certainty/timings.ts';
import { variantsSection } from './sections/certainty/variants.ts';
import { failuresSection } from './sections/details/failures.ts';
import { methodSection } from './sections/details/method.ts';
import { compareDialog } from './sections/images/compare-dialog.ts';
import { sheetSection } from './sections/images/sheet.ts';
import { sheetOf } from './sections/images/shown-outputs.ts';
import { stripsSection } from './sections/images/strip.ts';
import { overview } from './sections/outcome/overview.ts';
import { determinismSection } from './sections/sameness/determinism.ts';
import { probesSection } from './sections/sameness/probes.ts';

/**
 * report.html: one file that needs no network, no script and no other file, and may be opened from anywhere. Beside the media of its run
 * its links and its compare view lead to the originals.
 */
export const html: Reporter<'html'> = {
  format: 'html',
  description: 'one page with charts and images',
  files: ['report.html'],
  render: (source) => [{ name: 'report.html', content: { [Symbol.iterator]: () => page(source) } }],
};

/** The sections, in the order of the page: anchor and words of the table of contents. Some runs have no comparison, sweep or probes. */
const contentsOf = ({
  comparison,
  sweep,
  probes,
}: Readonly<Record<'comparison' | 'sweep' | 'probes', boolean>>): readonly (readonly [
  anchor: string,
  words: string,
])[] => [
  ['overview', 'Overview'],
  ['looks', 'What it looks like'],
  ...(comparison ? [['comparison', 'Comparison'] as const] : []),
  ['variants', 'Side by side'],
  ...(sweep ? [['sweep', 'By concurrency'] as const] : []),
  ['latency', 'Latency'],
  ['timings', 'Timings'],
  ['timeline', 'Timeline'],
  ['same-output', 'Same output'],
  ...(probes ? [['probes', 'Probes'] as const] : []),
  ['images', 'Images'],
  ['failures', 'Failures'],
  ['method', 'Method'],
];

function* page(source: ReportSource): Generator<string> {
  const { analysis, samples, comparisons } = source;
  const comparison = comparisonSection(analysis, comparisons);
  const sweep = sweepSection(analysis);
  const probes = probesSection(analysis);
  const sheet = sheetOf(source);
  const title = `${analysis.run.suite} · Retake report ${analysis.run.id}`;
  const anchors = contentsOf({ comparison: comparison !== null, sweep: sweep !== null, probes: probes !== null });
  yield textOf(documentHead({ title, style: STYLE, script: SCRIPT }));
  yield textOf(markup`<body>
<a class="skip" href="#variants">Skip to the results</a>
<div class="page">
${contents(anchors)}
<main>
`);
  yield textOf(overview(source));
  yield textOf(stripsSection(sheet));
  if (comparison !== null) yield textOf(comparison);
  yield textOf(variantsSection(analysis));
  if (sweep !== null) yield textOf(sweep);
  yield textOf(distributionSection(analysis, samples));
  yield textOf(timingsSection(analysis, samples));
  yield textOf(timelineSection(analysis, samples));
  yield textOf(determinismSection(analysis));
  if (probes !== null) yield textOf(probes);
  for (const piece of sheetSection(sheet)) yield textOf(piece);
  yield textOf(failuresSection(analysis));
  yield textOf(methodSection(analysis));
  yield textOf(markup`</main>
<footer>Made by Retake ${analysis.run.machine.retake} from the record of run ${analysis.run.id}. This page loads nothing from a network.</footer>
</div>
${compareDialog()}
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`);
}
