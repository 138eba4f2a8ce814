import type { Analysis, FlaggedSummary, MedianLatency } from '../../../../analysis/analysis.ts';
import { count, type DurationUnit, duration, durationInterval } from '../../../../text/wording.ts';
import { latencyUnits } from '../../../statements/statement.ts';
import { flagWords } from '../../../words/outcome-words.ts';
import { html, type Markup } from '../../markup/markup.ts';

export function flaggedTable(analysis: Analysis): Markup | false {
  const { flagged } = analysis;
  const unitOf = latencyUnits(analysis);
  const stepped = flagged.some(({ step }) => step !== null);
  return (
    flagged.length > 0 &&
    html`<h4 id="flagged">Flagged takes</h4>
<p class="note">A flag marks a take that something may have distorted. Flagged takes count in every other number here: long calls are flagged
more often, so leaving them out would bias the rest. Where the intervals of p50 with and without them do not overlap, use neither.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Flagged takes: scrolls sideways"><table class="plain steps">
<thead><tr><th scope="col">Variant</th>${stepped && html`<th scope="col" class="number">Concurrency</th>`}<th scope="col">Flags</th><th scope="col" class="number">Takes</th><th scope="col" class="number">Blocks</th><th scope="col" class="number">p50 with them</th><th scope="col" class="number">p50 without them</th><th scope="col">Agreement</th></tr></thead>
<tbody>${flagged.map((each) => row(each, stepped, unitOf(each.variant)))}</tbody></table></div>`
  );
}

function row(each: FlaggedSummary, stepped: boolean, unit: DurationUnit): Markup {
  const flags = Object.entries(each.flags).map(([flag, takes]) => `${flagWords(flag)}: ${count(takes)}`);
  return html`<tr><th scope="row">${each.variant}</th>${stepped && html`<td class="number">${each.step === null ? '–' : count(each.step)}</td>`}
<td>${flags.join(', ')}</td><td class="number">${count(each.samples)} of ${count(each.ofSamples)}</td>
<td class="number">${count(each.blocks)} of ${count(each.ofBlocks)}</td>${median(each.withFlagged, unit)}${median(each.withoutFlagged, unit)}
<td>${agreement(each.agree)}</td></tr>
`;
}

function median({ valueMs, lowMs, highMs, n }: MedianLatency, unit: DurationUnit): Markup {
  const interval = lowMs === null ? 'no interval' : `[${rangeWords(lowMs, highMs, unit)}]`;
  return html`<td class="number">${valueMs === null ? '–' : duration(valueMs, unit)}<small>${interval}</small><small>${`n = ${count(n)}`}</small></td>`;
}

/** Time-outs leave the upper end open. */
function rangeWords(lowMs: number, highMs: number | null, unit: DurationUnit): string {
  return highMs === null ? `above ${duration(lowMs, unit)}` : durationInterval(lowMs, highMs, unit);
}

function agreement(agree: boolean | null): Markup {
  if (agree === null) return html`too few takes`;
  return agree ? html`they agree` : html`<span class="state bad">they disagree</span>`;
}
