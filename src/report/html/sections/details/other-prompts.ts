import type { Analysis, Measure } from '../../../../analysis/analysis.ts';
import { groupBy } from '../../../../analysis/grouping.ts';
import { shareInterval } from '../../../../text/wording.ts';
import { variantNames } from '../../../words/names.ts';
import { noteWords } from '../../../words/note-words.ts';
import { html, type Markup } from '../../markup/markup.ts';

const NAMES: Readonly<Record<string, string>> = { error_rate: 'errors', block_rate: 'blocked' };

/** Rates for other prompts like these: wider than the intervals of the tables, which hold for these prompts. */
export function otherPrompts({ measures, variants: all }: Analysis): Markup | false {
  const found = measures.filter(({ statistic, n }) => statistic === 'rate_other_prompts' && n > 0);
  return (
    found.length > 0 &&
    html`<h4>Rates for other prompts</h4>
<p class="note">The intervals in the tables are for these prompts only. The 95 % intervals below are for other prompts like these: they treat each
prompt as a cluster of takes (Korn and Graubard 1998). With k prompts, the upper end is at least that of
0 events in k takes, and the lower end at most that of k events in k takes.</p>
<dl class="pairs rates">${alike(found).map(([rates, variants]) => html`<div><dt>${rates}</dt><dd>${variantNames(variants, all.length)}</dd></div>`)}</dl>`
  );
}

/** Variants with the same rates share a line: `errors 0 – 60.3 %, blocked 0 – 60.3 %`. */
function alike(found: readonly Measure[]): readonly (readonly [rates: string, variants: readonly string[]])[] {
  const said = [...groupBy(found, ({ variant }) => variant)].map(([variant, own]) => ({
    variant,
    rates: own.map((measure) => `${NAMES[measure.metric] ?? measure.metric} ${rangeWords(measure)}`).join(', '),
  }));
  return [...groupBy(said, ({ rates }) => rates)].map(
    ([rates, group]) => [rates, group.map(({ variant }) => variant)] as const,
  );
}

function rangeWords({ ciLow, ciHigh, notes }: Measure): string {
  return ciLow === null || ciHigh === null ? noteWords(notes) : shareInterval(ciLow, ciHigh);
}
