import type { Analysis } from '../../../../analysis/analysis.ts';
import { shareInterval } from '../../../../text/quantity.ts';
import { noteWords } from '../../../words/note-words.ts';
import { html, type Markup } from '../../markup/markup.ts';

const NAMES: Readonly<Record<string, string>> = { error_rate: 'errors', block_rate: 'blocked' };

/** What rates other prompts like these may have: wider than the intervals of the tables, which speak of these prompts. */
export function otherPrompts({ measures }: Analysis): Markup | false {
  const found = measures.filter(({ statistic, n }) => statistic === 'rate_other_prompts' && n > 0);
  return (
    found.length > 0 &&
    html`<h4>Rates for other prompts</h4>
<p class="note">The intervals in the tables are for these prompts only. The 95 % intervals below are for other prompts like these: they treat each
prompt as a cluster of takes (Korn and Graubard 1998). With k prompts, the upper end is at least that of
0 events in k takes, and the lower end at most that of k events in k takes.</p>
<dl class="pairs">${found.map(
      ({ variant, metric, ciLow, ciHigh, notes }) =>
        html`<div><dt>${variant}, ${NAMES[metric] ?? metric}</dt><dd>${ciLow === null || ciHigh === null ? noteWords(notes) : shareInterval(ciLow, ciHigh)}</dd></div>`,
    )}</dl>`
  );
}
