import type { Analysis } from '../../../../analysis/analysis.ts';
import type { Comparison } from '../../../../compare/comparison.ts';
import { plural } from '../../../../text/wording.ts';
import type { ReportSource } from '../../../reporter.ts';
import {
  comparisonGroups,
  groupClauses,
  inOrder,
  isCompared,
  moreUnits,
} from '../../../statements/comparison-statement.ts';
import { latencySentences } from '../../../statements/latency-statement.ts';
import { samenessSentences } from '../../../statements/sameness-statement.ts';
import { stabilitySentences } from '../../../statements/two-runs-statement.ts';
import { voidVariants } from '../../../words/warnings/harness-warning-words.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** More sentences are folded. */
const MOST_SENTENCES = 8;

export function sentences(
  headlines: readonly Comparison[],
  { analysis, stability }: Pick<ReportSource, 'analysis' | 'stability'>,
): Markup {
  const { run, warnings } = analysis;
  const measured = latencySentences(analysis, headlines).map((clauses) => html`<li>${clauses.join('')}.</li>`);
  const same = samenessSentences(analysis).map((sentence) => html`<li>${sentence}.</li>`);
  const stored = stabilitySentences(stability).map((sentence) => html`<li>${sentence}.</li>`);
  const isVoid = voidVariants(warnings).size > 0;
  const compared = comparisonGroups(inOrder(headlines, MOST_SENTENCES)).map(
    (group) => html`<li>${groupClauses(group).join('')}.</li>`,
  );
  return html`${sentenceList(compared, 'more comparison', false)}
${moreUnits(headlines, run).map((sentence) => html`<p class="note">${sentence}.</p>`)}
${sentenceList(measured, 'more variant', isVoid)}
${sentenceList(same, 'more sentence', false)}
${sentenceList(stored, 'more sentence', false)}
${legend(headlines, analysis)}`;
}

function legend(headlines: readonly Comparison[], analysis: Analysis): Markup | false {
  const cell = 'Cell: all takes of a variant for one prompt and seed';
  const words = headlines.some(isCompared)
    ? `Brackets: two-sided 95 % intervals. ${cell}; cell pair: those of two variants.`
    : samenessSentences(analysis).length > 0 && `${cell}.`;
  return words !== false && html`<p class="note"><small>${words}</small></p>`;
}

function sentenceList(items: readonly Markup[], more: string, isVoid: boolean): Markup | false {
  const folded = items.slice(MOST_SENTENCES);
  return (
    items.length > 0 &&
    html`<ul class="${isVoid ? 'headlines void' : 'headlines'}">${items.slice(0, MOST_SENTENCES)}</ul>${
      folded.length > 0 &&
      html`<details class="fold"><summary>${plural(folded.length, more)}</summary><ul class="headlines">${folded}</ul></details>`
    }`
  );
}
