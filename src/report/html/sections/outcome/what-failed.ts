import type { Analysis, FailureGroup } from '../../../../analysis/analysis.ts';
import { groupBy } from '../../../../analysis/grouping.ts';
import { count, plural, share } from '../../../../text/quantity.ts';
import { clipped } from '../../../../text/text-width.ts';
import { variantWords } from '../../../statements/verdict-lines.ts';
import { failureMessage } from '../../../words/decode-reason.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** Causes beyond this many are only counted here: they are listed in full further down. */
const MOST_LINES = 5;

/** A message is cut here, by width; it is there in full further down. */
const MOST_WIDTH = 160;

/** What failed, a line for each cause with the variants that it hit, the most frequent first; nothing where no take failed. */
export function whatFailed({ failures, variants }: Pick<Analysis, 'failures' | 'variants'>): Markup | false {
  if (failures.length === 0) return false;
  const sent = new Map(variants.map((variant) => [variant.name, variant.plannedTrials - variant.missing]));
  const causes = [...groupBy(failures, ({ outcome, code, httpStatus }) => JSON.stringify([outcome, code, httpStatus]))]
    .map(([, groups]) => groups)
    .toSorted((a, b) => failedIn(b) - failedIn(a));
  const more = causes.length - MOST_LINES;
  return html`<h3>What failed</h3>
<ul class="brief">${causes.slice(0, MOST_LINES).map((groups) => line(groups, sent, variants.length))}${more > 0 && html`<li>${plural(more, 'more cause')}</li>`}</ul>
<p class="brief"><a href="#failures">Failures of each variant</a></p>`;
}

function line(groups: readonly FailureGroup[], sent: ReadonlyMap<string, number>, ofAll: number): Markup | false {
  const [first] = groups;
  if (first === undefined) return false;
  const names = [...new Set(groups.map(({ variant }) => variant))];
  const failed = failedIn(groups);
  const takes = names.reduce((sum, name) => sum + (sent.get(name) ?? 0), 0);
  const message = clipped(failureMessage(first), MOST_WIDTH);
  return html`<li><strong>${variantWords(names, ofAll)}</strong>: ${count(failed)} of ${plural(takes, 'take')}${takes > 0 && ` (${share(failed / takes)})`}: ${first.outcome.replaceAll('_', ' ')} <code>${first.code}</code>${first.httpStatus !== null && ` (HTTP ${first.httpStatus})`}${message !== '' && html`, <q>${message}</q>`}</li>`;
}

function failedIn(groups: readonly FailureGroup[]): number {
  return groups.reduce((sum, group) => sum + group.count, 0);
}
