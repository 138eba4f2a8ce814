import type { Analysis } from '../../../../analysis/analysis.ts';
import { groupBy } from '../../../../analysis/grouping.ts';
import { count, plural } from '../../../../text/quantity.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** Variants beyond this many are only counted here: they are listed in full further down. */
const MOST_LINES = 5;

/** What failed, a line for each variant, the worst first; nothing where no take failed. */
export function whatFailed({ failures, variants }: Pick<Analysis, 'failures' | 'variants'>): Markup | false {
  if (failures.length === 0) return false;
  const sent = new Map(variants.map((variant) => [variant.name, variant.plannedTrials - variant.missing]));
  const lines = [...groupBy(failures, ({ variant }) => variant)].map(([variant, groups]) => {
    const failed = groups.reduce((sum, group) => sum + group.count, 0);
    const causes = groups.map(
      ({ outcome, code, count: takes }) => `${outcome.replaceAll('_', ' ')} (${code}): ${count(takes)}`,
    );
    return {
      failed,
      line: `${variant}: ${count(failed)} of ${plural(sent.get(variant) ?? 0, 'take')} failed; ${causes.join(', ')}`,
    };
  });
  const worst = lines.toSorted((a, b) => b.failed - a.failed);
  const more = worst.length - MOST_LINES;
  return html`<h3>What failed</h3>
<ul class="brief">${worst.slice(0, MOST_LINES).map(({ line }) => html`<li>${line}</li>`)}${more > 0 && html`<li>failures of ${plural(more, 'more variant')}</li>`}</ul>
<p class="brief"><a href="#failures">Failures with their messages</a></p>`;
}
