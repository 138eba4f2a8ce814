import type { Analysis, FlaggedSummary, MedianLatency } from '../../../../analysis/analysis.ts';
import { count, duration, durationInterval } from '../../../../text/quantity.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** How many samples are flagged, and the median latency with and without them; false where none is. */
export function flaggedTable({ flagged }: Analysis): Markup | false {
  const stepped = flagged.some(({ step }) => step !== null);
  return (
    flagged.length > 0 &&
    html`<h4 id="flagged">Flagged samples</h4>
<p class="note">A flag marks a sample that something may have distorted. Flagged samples count in every other number here: long calls are flagged
more often, so leaving them out would bias the rest. Where the intervals of p50 with and without them do not overlap, use neither.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Flagged samples: scrolls sideways"><table class="plain steps">
<thead><tr><th scope="col">Variant</th>${stepped && html`<th scope="col" class="number">Concurrency</th>`}<th scope="col">Flags</th><th scope="col" class="number">Samples</th><th scope="col" class="number">Blocks</th><th scope="col" class="number">p50 with them</th><th scope="col" class="number">p50 without them</th><th scope="col">Agreement</th></tr></thead>
<tbody>${flagged.map((each) => row(each, stepped))}</tbody></table></div>`
  );
}

function row(each: FlaggedSummary, stepped: boolean): Markup {
  const flags = Object.entries(each.flags).map(([flag, samples]) => `${flag} ${count(samples)}`);
  return html`<tr><th scope="row">${each.variant}</th>${stepped && html`<td class="number">${each.step === null ? '–' : count(each.step)}</td>`}
<td>${flags.join(', ')}</td><td class="number">${count(each.samples)} of ${count(each.ofSamples)}</td>
<td class="number">${count(each.blocks)} of ${count(each.ofBlocks)}</td>${median(each.withFlagged)}${median(each.withoutFlagged)}
<td>${agreement(each.agree)}</td></tr>
`;
}

function median({ valueMs, lowMs, highMs, n }: MedianLatency): Markup {
  const interval = lowMs === null || highMs === null ? 'no CI' : `[${durationInterval(lowMs, highMs)}]`;
  return html`<td class="number">${valueMs === null ? '–' : duration(valueMs)}<small>${interval}</small><small>${`n = ${count(n)}`}</small></td>`;
}

function agreement(agree: boolean | null): Markup {
  if (agree === null) return html`too few samples`;
  return agree ? html`they agree` : html`<span class="state bad">they disagree</span>`;
}
