import type { Analysis } from '../../../../analysis/analysis.ts';
import type { ReportSource } from '../../../reporter.ts';
import { byKind } from '../../../statements/statement.ts';
import { KIND_NAMES } from '../../../words/names.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { kindHead } from '../../markup/kind-head.ts';
import { html, type Markup } from '../../markup/markup.ts';
import type { Sheet } from '../images/shown-outputs.ts';
import { scoreboard } from './scoreboard.ts';
import { strip } from './strip.ts';

/** Images come first, since people look at them first. @param sheet whose kinds are shown */
export function sideBySideSection(
  { analysis, comparisons }: Pick<ReportSource, 'analysis' | 'comparisons'>,
  sheet: Sheet,
  marks: VariantMarks,
): Markup {
  const board = scoreboard(analysis, comparisons, marks);
  return html`<section id="looks" aria-labelledby="looks-title">
<h2 id="looks-title">${looksTitle(analysis)}</h2>
<p class="note">${isSideBySide(analysis) ? 'The variants of a kind for the same prompt and seed, then their numbers for all prompts and seeds.' : 'The outputs for one prompt and seed, then the numbers for all prompts and seeds.'} <a href="#images">All images</a> are further down.<span class="with-script"> Select an image to compare it with another one.</span></p>
${sheet.kinds.map(
  (kind, at) => html`<section aria-label="${KIND_NAMES[kind.kind]}" class="kind">
<h3${sheet.kinds.length === 1 && html` class="quiet"`}>${KIND_NAMES[kind.kind]}</h3>
${strip(kind, { sheet, marks })}
${board.table(kind)}
${at === 0 && board.note}
</section>
`,
)}</section>
`;
}

/** For a run that delivered nothing to look at. */
export function numbersSection(
  { analysis, comparisons }: Pick<ReportSource, 'analysis' | 'comparisons'>,
  marks: VariantMarks,
): Markup {
  const board = scoreboard(analysis, comparisons, marks);
  return html`<section id="numbers" aria-labelledby="numbers-title">
<h3 id="numbers-title">Numbers of each variant</h3>
${byKind(analysis.variants).map(([kind, variants]) => html`${kindHead(kind, analysis.variants)}${board.table({ kind, variants })}`)}
${board.note}
</section>`;
}

/** Nothing stands beside a lone variant. */
export function looksTitle(analysis: Pick<Analysis, 'variants'>): string {
  return isSideBySide(analysis) ? 'Side by side' : 'What it looks like';
}

function isSideBySide({ variants }: Pick<Analysis, 'variants'>): boolean {
  return byKind(variants).some(([, own]) => own.length > 1);
}
