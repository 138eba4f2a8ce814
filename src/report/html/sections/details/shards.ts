import type { RunSummary, ShardSummary } from '../../../../analysis/analysis.ts';
import { count, duration, elapsed, plural } from '../../../../text/wording.ts';
import { html, type Markup } from '../../markup/markup.ts';

export function shardsTable({ shards }: RunSummary): Markup | false {
  return (
    shards !== null &&
    html`<h4>Shards</h4>
<p class="note">Each shard was measured by its own process, usually on its own machine. Start times are from that machine's clock; no
duration mixes two clocks.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Shards: scrolls sideways"><table class="plain">
<thead><tr><th scope="col">Shard</th><th scope="col">Started</th><th scope="col" class="number">Took</th><th scope="col" class="number">In flight at most</th><th scope="col">Processor</th><th scope="col">System</th><th scope="col">Versions</th><th scope="col" class="number">Noise floor</th></tr></thead>
<tbody>${shards.merged.map(row)}</tbody></table></div>`
  );
}

function row({ index, startedAt, durationMs, concurrency, machine, floorMs }: ShardSummary): Markup {
  return html`<tr><th scope="row">${count(index)}</th><td>${startedAt}</td><td class="number">${
    durationMs === null ? '–' : elapsed(durationMs)
  }</td><td class="number">${count(concurrency)}</td><td>${machine.cpu}, ${plural(machine.cores, 'core')}</td><td>${machine.os}, ${machine.arch}</td>
<td>Node ${machine.node}, undici ${machine.undici}, sharp ${machine.sharp}</td><td class="number">${floorMs === null ? '–' : duration(floorMs)}</td></tr>
`;
}
