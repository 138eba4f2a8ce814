import type { Analysis } from '../../../../analysis/analysis.ts';
import { plural } from '../../../../text/wording.ts';
import type { ReportSource } from '../../../reporter.ts';
import { headlineComparisons } from '../../../statements/comparison-statement.ts';
import { failureCauses } from '../../../statements/run-statement.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { anyDelivered } from '../../markup/delivered.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { warningItem } from '../certainty/warnings.ts';
import { facts } from './facts.ts';
import { gateResults } from './gate-results.ts';
import { sentences } from './sentences.ts';
import { tradeOffFigures } from './trade-off.ts';
import { warningsInShort } from './warnings-in-short.ts';

/** More causes are only counted: a later section lists all. */
const MOST_LINES = 5;

/** Where nothing was delivered there is nothing to compare: failures come first, and alone. */
export function outcomeSection(
  {
    analysis,
    comparisons,
    verdict,
    stability,
  }: Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict' | 'stability'>,
  marks: VariantMarks,
): Markup {
  const unfit = analysis.warnings.filter((warning) => warning.unfit === true);
  const unfitItems = unfit.length > 0 && html`<ul class="warnings unfit">${unfit.map(warningItem)}</ul>`;
  const first = html`${facts(analysis, verdict)}
${verdict.rules.length > 0 && gateResults(verdict)}`;
  const content = anyDelivered(analysis.variants)
    ? html`${unfitItems}
${first}
${sentences(headlineComparisons(comparisons, analysis.run.plan.load), { analysis, stability })}
${whatFailed(analysis)}
${warningsInShort(analysis)}
${tradeOffFigures(analysis, marks)}`
    : html`${first}
<p class="nothing">${analysis.run.requestsSent === 0 ? 'Nothing was sent' : 'No take was delivered'}: there is no latency, no output and nothing to compare.</p>
${whatFailed(analysis)}
${unfitItems}
${warningsInShort(analysis)}`;
  return html`<section id="outcome" aria-labelledby="outcome-title">
<h2 id="outcome-title" class="quiet">What came out</h2>
${content}
</section>
`;
}

function whatFailed(analysis: Pick<Analysis, 'failures' | 'variants'>): Markup | false {
  const causes = failureCauses(analysis);
  if (causes.length === 0) return false;
  // One more line takes no more room than the words that count it.
  const shown = causes.length === MOST_LINES + 1 ? causes : causes.slice(0, MOST_LINES);
  const more = causes.length - shown.length;
  return html`<h3 id="what-failed">What failed</h3>
<ul class="brief">${shown.map(
    ({ who, takes, outcome, code, message }) =>
      html`<li><strong>${who}</strong>: ${takes}: ${outcome} (<code>${code}</code>)${message !== '' && html`, <q>${message}</q>`}</li>`,
  )}</ul>
<p class="brief jump"><a href="#failures">${more > 0 ? `${plural(more, 'more cause')}, and failures of each variant` : 'Failures of each variant'}</a></p>`;
}
