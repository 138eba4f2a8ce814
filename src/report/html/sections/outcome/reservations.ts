import type { Analysis, FailureGroup, VariantSummary } from '../../../../analysis/analysis.ts';
import { groupBy } from '../../../../analysis/grouping.ts';
import { count, plural } from '../../../../text/quantity.ts';
import { warningWords } from '../../../words/warnings/warning-words.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** Warnings and variants beyond this many are only counted here: they are listed in full further down. */
const MOST_LINES = 5;

/** What went wrong, and what may have bent the numbers: a line for each, with a link to cause and remedy. */
export function reservations({ failures, variants, warnings }: Analysis): Markup {
  const others = warnings.filter((warning) => warning.unfit !== true);
  return html`<h3 id="went-wrong">What went wrong</h3>
${failures.length === 0 ? html`<p class="brief">No take failed.</p>` : failedLines(failures, variants)}
${
  others.length > 0 &&
  html`<ul class="brief">${others.slice(0, MOST_LINES).map((warning) => html`<li>${warningWords(warning).what}</li>`)}</ul>
<p class="brief"><a href="#warnings">${others.length > MOST_LINES ? `All ${plural(others.length, 'warning')}` : plural(others.length, 'warning')} with cause and remedy</a></p>`
}`;
}

function failedLines(failures: readonly FailureGroup[], variants: readonly VariantSummary[]): Markup {
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
  return html`<ul class="brief">${worst.slice(0, MOST_LINES).map(({ line }) => html`<li>${line}</li>`)}${more > 0 && html`<li>failures of ${plural(more, 'more variant')}</li>`}</ul>
<p class="brief"><a href="#failures">Failures with their messages</a></p>`;
}
