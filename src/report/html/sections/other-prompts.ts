import type { Analysis } from '../../../analysis/analysis.ts';
import { shareInterval } from '../../../text/quantity.ts';
import { noteWords } from '../../words/note-words.ts';
import { html, type Markup } from '../markup/markup.ts';

const NAMES: Readonly<Record<string, string>> = { error_rate: 'errors', block_rate: 'blocked' };

/** What rates other prompts like these may have: wider than the intervals of the tables, which speak of these prompts. */
export function otherPrompts({ measures }: Analysis): Markup | false {
  const found = measures.filter(({ statistic, n }) => statistic === 'rate_other_prompts' && n > 0);
  return (
    found.length > 0 &&
    html`<h3>Rates of other prompts</h3>
<p class="note">The intervals of the tables hold for these prompts. For other prompts like these, the 95 % intervals below take each prompt as a cluster of
takes (Korn and Graubard 1998). The
upper end is never below that of no event on as many takes as there are prompts, the lower end never above that of events alone.</p>
<dl class="pairs">${found.map(
      ({ variant, metric, ciLow, ciHigh, notes }) =>
        html`<div><dt>${variant}, ${NAMES[metric] ?? metric}</dt><dd>${ciLow === null || ciHigh === null ? noteWords(notes) : shareInterval(ciLow, ciHigh)}</dd></div>`,
    )}</dl>`
  );
}
