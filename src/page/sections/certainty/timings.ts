import type { Analysis } from '../../../analysis/analysis.ts';
import { type EffectiveSample, TIMINGS } from '../../../analysis/effective-sample.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { groupBy } from '../../../kit/grouping.ts';
import { KIND_NAMES } from '../../../kit/names.ts';
import { type DurationUnit, duration, durationUnit, oneOf } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { byKind, type Measures, measuresOf } from '../../../report/statement.ts';
import type { Kind } from '../../../suite/kind.ts';
import { type Axis, linearAxis } from '../../drawing/axis.ts';
import { type FigureRow, rankedVariants, rowsFigure } from '../../drawing/rows-figure.ts';
import { box, path, upright } from '../../drawing/svg.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { type MarkupScope, ofKind, scopeName, scopesOf, section } from '../../markup/section.ts';

/** Place and words tell them apart, shades only help. */
const PHASES = TIMINGS.map((name, at) => ({ name, fill: `var(--phase-${at + 1})` }));

/** Pixels of a band, and of the room above and below its bar. */
const HEIGHT = 26;
const ROOM = 3;

interface TimingPart {
  readonly name: string;
  readonly fill: string;
  readonly ms: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export function timingsSection(analysis: Analysis, samples: readonly EffectiveSample[], marks: VariantMarks): Markup {
  const measures = measuresOf(analysis);
  const { load } = analysis.run.plan;
  const synchronous = synchronousVariants(analysis, samples);
  const drawing = { all: analysis.variants, measures, synchronous, marks };
  const figures = byKind(analysis.variants).map(([kind, variants]) =>
    figureOf(kind, variants, scopesOf(rankedVariants(variants, measures, load), load), drawing),
  );
  return section({
    anchor: 'timings',
    title: 'Where the time goes',
    note: 'Each bar is the median of one timing, in the order of a take; the vertical line is the median latency.',
    more: html`Latency is from the start of the take. The timings of one take add up to its latency; their medians
add up only approximately.${load.mode === 'open' && ' The wait between the due time and the start of a take is not shown here.'} A timing that a target does not have is not drawn; if no
poll saw a job running, its queue time counts as run.${synchronous.size > 0 && ' If the reply to the submit contains the media, submit ends with the head of that reply; the rest is the reply body.'}`,
    content: figures,
  });
}

interface Drawing {
  readonly all: readonly VariantSummary[];
  readonly measures: Measures;
  readonly synchronous: ReadonlySet<string>;
  readonly marks: VariantMarks;
}

function figureOf(
  kind: Kind,
  variants: readonly VariantSummary[],
  scopes: readonly MarkupScope[],
  { all, measures, synchronous, marks }: Drawing,
): Markup {
  const timings = scopes.map((scope) => ({
    scope,
    parts: partsOf(scope, measures, synchronous.has(scope.variant.name)),
    totalMs: measures(scope.variant.name, 'latency.total', 'p50', scope.step)?.value ?? null,
  }));
  const parts = timings.flatMap((timing) => timing.parts);
  if (parts.length === 0) return html``;
  const longestMs = [...parts.map(({ toMs }) => toMs), ...timings.map(({ totalMs }) => totalMs ?? 0)].reduce(
    (most, ms) => Math.max(most, ms),
    0,
  );
  const byTiming = groupBy(parts, ({ name }) => name);
  const units = new Map([...byTiming].map(([name, ofTiming]) => [name, durationUnit(ofTiming.map(({ ms }) => ms))]));
  const axis = linearAxis(longestMs, 8);
  const legend = PHASES.map(({ fill }, at) => {
    const names = new Set(parts.flatMap((part) => (part.fill === fill ? [part.name] : [])));
    return names.size > 0 && html`<li><span class="${`swatch phase-${at + 1}`}"></span> ${oneOf([...names])}</li>`;
  });
  const chart = rowsFigure({
    label: `Median timings of ${variants.length} variants of ${KIND_NAMES[kind]}; each row shows its numbers`,
    axis,
    rows: timings.map((timing) => rowOf(timing, axis, units, marks)),
    together: scopes.length / variants.length,
  });
  return ofKind(
    kind,
    all,
    html`<ul class="legend">${legend}</ul>
${chart}`,
  );
}

/** Variants that deliver the media in the reply to the submit: no polls, no downloads. */
function synchronousVariants({ variants }: Analysis, samples: readonly EffectiveSample[]): ReadonlySet<string> {
  const ok = groupBy(
    samples.filter(({ outcome }) => outcome === 'ok'),
    ({ sample }) => sample.trial.variant,
  );
  return new Set(
    variants
      .map(({ name }) => name)
      .filter((name) => {
        const delivered = ok.get(name) ?? [];
        return delivered.length > 0 && delivered.every(({ sample }) => sample.downloads === 0 && sample.polls === 0);
      }),
  );
}

function partsOf({ variant, step }: MarkupScope, measures: Measures, synchronous: boolean): readonly TimingPart[] {
  let fromMs = 0;
  return PHASES.flatMap(({ name, fill }): readonly TimingPart[] => {
    const ms = measures(variant.name, `latency.${name}`, 'p50', step)?.value ?? null;
    if (ms === null) return [];
    const called = name === 'download' && synchronous ? 'reply body' : name;
    const part = { name: called, fill, ms, fromMs, toMs: fromMs + ms };
    fromMs = part.toMs;
    return [part];
  });
}

interface TimingsOfRow {
  readonly scope: MarkupScope;
  readonly parts: readonly TimingPart[];
  readonly totalMs: number | null;
}

function rowOf(
  { scope, parts, totalMs }: TimingsOfRow,
  { place }: Axis,
  units: ReadonlyMap<string, DurationUnit>,
  marks: VariantMarks,
): FigureRow {
  const timingWords = parts.map(({ name, ms }) => `${name} ${duration(ms, units.get(name))}`);
  return {
    mark: marks(scope.variant.name),
    name: scopeName(scope),
    words: timingWords.length === 0 ? 'nothing delivered' : timingWords.join('   '),
    height: HEIGHT,
    paths: [
      ...parts.map(({ fromMs, toMs, fill }) =>
        path([box(place(fromMs), place(toMs), ROOM, HEIGHT - ROOM)], { fill, stroke: 'var(--page)' }),
      ),
      totalMs !== null && path([upright(place(totalMs), 0, HEIGHT)], { stroke: 'var(--text)', 'stroke-width': 1.5 }),
    ],
  };
}
