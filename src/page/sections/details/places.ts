import type { Analysis } from '../../../analysis/analysis.ts';
import type { Comparison } from '../../../analysis/comparison.ts';
import { headlineLatency, type TimedSample } from '../../../analysis/effective-sample.ts';
import { medianLatency } from '../../../analysis/medians.ts';
import type { MedianLatency } from '../../../analysis/summaries.ts';
import { groupBy } from '../../../kit/grouping.ts';
import { KIND_NAMES } from '../../../kit/names.ts';
import { speedWords } from '../../../kit/value-words.ts';
import { count, type DurationUnit, duration, durationInterval } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { headlineComparisons } from '../../../report/comparison-statement.ts';
import type { ReportSource } from '../../../report/reporter.ts';
import { sweepSteps } from '../../../report/run-statement.ts';
import { byKind, latencyUnits } from '../../../report/statement.ts';
import type { Kind } from '../../../suite/kind.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { ofKind } from '../../markup/scope.ts';
import { scrollingTable, section } from '../../markup/section.ts';

const MOST_PLACES = 3;

const MOST_ROWS = 12;

export function placesSection(
  { analysis, samples, comparisons }: Pick<ReportSource, 'analysis' | 'samples' | 'comparisons'>,
  marks: VariantMarks,
): Markup | null {
  const worst = worstPlaces(analysis, comparisons, marks);
  const byTag = tagTables(analysis, samples, marks);
  if (worst === null && byTag.length === 0) return null;
  return section({
    anchor: 'places',
    title: worst === null ? 'Latency by tag' : 'Where each variant does worst',
    note: worst !== null && 'The prompts and tags with the lowest speed against the baseline variant, in each kind.',
    more: worst !== null && 'comparisons.csv has all prompts and tags, with intervals.',
    content: [worst, byTag],
  });
}

/** The lowest speed by prompt and by tag; null where nothing was compared by prompt. */
function worstPlaces(
  { run: { plan }, variants }: Analysis,
  comparisons: readonly Comparison[],
  marks: VariantMarks,
): Markup | null {
  const metric = headlineLatency(plan.load);
  const byVariant = groupBy(
    comparisons.filter((comparison) => comparison.metric === metric && comparison.value !== null),
    ({ variant }) => variant,
  );
  const rowsOf = (kind: Kind) =>
    headlineComparisons(comparisons, plan.load).flatMap((headline) => {
      if (headline.kind !== kind) return [];
      const own = (byVariant.get(headline.variant) ?? [])
        .filter(({ baseline, step }) => baseline === headline.baseline && step === headline.step)
        .toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0));
      const prompts = own.flatMap(({ scope, value }) => (scope.of === 'prompt' ? [place(scope.id, value)] : []));
      const tags = own.flatMap(({ scope, value }) => (scope.of === 'tag' ? [place(scope.tag, value)] : []));
      if (prompts.length < 2) return [];
      return [
        html`<tr><th scope="row">${markedName(headline.variant, marks)}<small>${notesOf(headline)}</small></th><td>${listed(prompts)}</td><td>${
          tags.length < 2 ? '–' : listed(tags)
        }</td></tr>
`,
      ];
    });
  const tables = byKind(variants).flatMap(([kind]) => {
    const rows = rowsOf(kind);
    return rows.length === 0 ? [] : [ofKind(kind, variants, worstTable(rows))];
  });
  return tables.length === 0 ? null : html`${tables}`;
}

function worstTable(rows: readonly Markup[]): Markup {
  return html`<div class="${rows.length > MOST_ROWS ? 'scroll tall' : 'scroll'}" tabindex="0" role="group" aria-label="Worst prompts and tags: scrolls"><table class="plain">
<thead><tr><th scope="col">Variant</th><th scope="col">By prompt</th><th scope="col">By tag</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** A name may be written from right to left. */
function place(name: string, value: number | null): Markup {
  return html`<bdi>${name}</bdi> ${value === null ? '–' : speedWords(value)}`;
}

function listed(places: readonly Markup[]): readonly Markup[] {
  return places.slice(0, MOST_PLACES).map((place, at) => html`${at > 0 && ', '}${place}`);
}

function notesOf({ step, baseline, baselineRun }: Comparison): string {
  const against = baselineRun === null ? `against ${baseline}` : 'against its stored baseline';
  return step === null ? against : `${against}, at concurrency ${count(step)}`;
}

/** Tags of all prompts of a kind, which equal all takes, are left out; so are sweeps, whose latency is by step. */
function tagTables(analysis: Analysis, samples: readonly TimedSample[], marks: VariantMarks): readonly Markup[] {
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
    const table = scrollingTable(
      `Latency by tag, ${KIND_NAMES[kind]}`,
      ['Variant', ...[...tags.keys()].map((tag) => html`<bdi>${tag}</bdi>`)],
      rows,
      'plain tags',
    );
    return [
      ofKind(
        kind,
        analysis.variants,
        html`<h4>Median ${headlineLatency(load)} by tag</h4>
${table}`,
      ),
    ];
  });
}

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
