import type { Analysis, MedianLatency } from '../../../../analysis/analysis.ts';
import type { TimedSample } from '../../../../analysis/effective-sample.ts';
import { groupBy } from '../../../../analysis/grouping.ts';
import { medianLatency } from '../../../../analysis/measures/median-latency.ts';
import { headlineLatency } from '../../../../analysis/samples/headline.ts';
import { count, type DurationUnit, duration, durationInterval } from '../../../../text/wording.ts';
import { byKind, latencyUnits } from '../../../statements/statement.ts';
import { sweepSteps } from '../../../words/load-words.ts';
import { KIND_NAMES } from '../../../words/names.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** Without tags of all prompts of a kind, which equal all takes, and sweeps: they have no latency over all steps. */
export function tagTables(analysis: Analysis, samples: readonly TimedSample[], marks: VariantMarks): readonly Markup[] {
  const { load } = analysis.run.plan;
  if (sweepSteps(load) !== null) return [];
  const unitOf = latencyUnits(analysis);
  const timed = groupBy(
    samples.filter((each) => each.timed),
    ({ sample }) => sample.trial.variant,
  );
  return byKind(analysis.variants).flatMap(([kind, variants]) => {
    const tags = promptsByTag(analysis, kind);
    if (tags.size === 0) return [];
    const rows = variants.map(({ name }) => {
      const cells = [...tags.values()].map((prompts) => {
        const own = (timed.get(name) ?? []).filter(({ sample }) => prompts.has(sample.trial.prompt));
        return medianCell(medianLatency(own, load), unitOf(name));
      });
      return html`<tr><th scope="row">${markedName(name, marks)}</th>${cells}</tr>
`;
    });
    return [
      html`<h4>${`Median ${headlineLatency(load)} by tag, ${KIND_NAMES[kind].toLowerCase()}`}</h4>
<div class="scroll" tabindex="0" role="group" aria-label="${`Latency by tag, ${KIND_NAMES[kind]}: scrolls sideways`}"><table class="plain tags">
<thead><tr><th scope="col">Variant</th>${[...tags.keys()].map((tag) => html`<th scope="col"><bdi>${tag}</bdi></th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`,
    ];
  });
}

/** Only tags that some prompts of the kind have and others have not, in the order of the suite. */
function promptsByTag({ prompts }: Analysis, kind: string): ReadonlyMap<string, ReadonlySet<string>> {
  const own = prompts.filter(({ kinds }) => kinds.some((each) => each === kind));
  const tags = [...new Set(own.flatMap((prompt) => prompt.tags))];
  const tagged = tags.map((tag) => [tag, own.filter((prompt) => prompt.tags.includes(tag))] as const);
  return new Map(
    tagged
      .filter(([, prompts]) => prompts.length < own.length)
      .map(([tag, prompts]) => [tag, new Set(prompts.map(({ id }) => id))]),
  );
}

function medianCell({ valueMs, lowMs, highMs, n }: MedianLatency, unit: DurationUnit): Markup {
  const interval = lowMs === null || highMs === null ? 'no interval' : `[${durationInterval(lowMs, highMs, unit)}]`;
  return html`<td>${valueMs === null ? '–' : duration(valueMs, unit)}<small>${`${interval}, n = ${count(n)}`}</small></td>`;
}
