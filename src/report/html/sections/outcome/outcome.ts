import type { ReportSource } from '../../../reporter.ts';
import { headlineComparisons } from '../../../statements/comparison-statement.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { anyDelivered } from '../../markup/delivered.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { warningItem } from '../certainty/warnings.ts';
import { facts } from './facts.ts';
import { gateResults } from './gate-results.ts';
import { sentences } from './sentences.ts';
import { tradeOffFigures } from './trade-off.ts';
import { warningsInShort } from './warnings-in-short.ts';
import { whatFailed } from './what-failed.ts';

/**
 * What came out: the verdict with its reasons, a sentence for each comparison, what failed, and what to beware of. Where nothing was
 * delivered there is nothing to compare: what failed comes first, and stands alone.
 */
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
