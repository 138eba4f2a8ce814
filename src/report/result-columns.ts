import type { Analysis } from '../analysis/analysis.ts';
import type { Comparison } from '../analysis/comparison.ts';
import { headlineLatency } from '../analysis/effective-sample.ts';
import { NEW_AGAINST_IN_USE, noteWords } from '../analysis/note.ts';
import type { Measure, VariantSummary } from '../analysis/summaries.ts';
import { capital, count, durationInterval, plural, rateUnit, share, shareInterval, usd } from '../kit/wording.ts';
import { comparedSpeed, headlineComparisons, speedOrder } from './comparison-statement.ts';
import { LEVEL_WORDS, UNLIKENESS_WORDS } from './level-words.ts';
import { likenessToBaseline, pictureOf } from './likeness-statement.ts';
import { droppedStarts, sweepSteps } from './run-statement.ts';
import { sameOutputs } from './sameness-statement.ts';
import { scoreMeasure, scoreMetrics, scoreStatement } from './score-statement.ts';
import {
  latencyStatement,
  latencyUnits,
  type Measures,
  measuresOf,
  type Statement,
  statementOf,
  throughputRange,
  throughputStatement,
} from './statement.ts';

/* The columns of the tables of variants, beside the speed. The terminal, Markdown and the page only lay them out. */

export interface ResultCell {
  readonly value: string | null;
  /** Without brackets; null where there is none. */
  readonly interval: string | null;
  /** The interval in brackets, else the first reason why there is none. */
  readonly beside: string;
  readonly notes: readonly string[];
  /** Takes that the value comes from; null where it counts no takes. */
  readonly n: number | null;
  /** Sorts a table; null sorts last. */
  readonly by: number | null;
  /** Takes that the interval needs; null where something else is missing. */
  readonly needsN: number | null;
  /** In the unit of the measure; null where the cell is not one measure. */
  readonly numbers: CellNumbers | null;
}

/** What a program reads of a cell; null where it has no such number. */
export interface CellNumbers {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

export interface ResultColumn {
  readonly id:
    | 'knee'
    | 'latency'
    | 'likeness'
    | 'score'
    | 'same'
    | 'errors'
    | 'blocked'
    | 'dropped'
    | 'throughput'
    | 'cost';
  readonly head: string;
  /** Rates also at a step of a sweep. */
  readonly cell: (variant: VariantSummary, step?: number | null) => ResultCell;
}

/**
 * Blocked, dropped and cost have a column only where there are any.
 *
 * @param among the variants of all tables that share the columns
 * @param fraction writes events out of what could be one
 */
export function resultColumns(
  analysis: Analysis,
  variants: readonly VariantSummary[],
  among: readonly VariantSummary[] = variants,
  fraction: (part: number, whole: number) => string = (part, whole) => `${count(part)} of ${count(whole)}`,
): readonly ResultColumn[] {
  const measures = measuresOf(analysis);
  const isSweep = sweepSteps(analysis.run.plan.load) !== null;
  const highest = (metric: string, statistic: string) =>
    Math.max(-1, ...among.map(({ name }) => measures(name, metric, statistic)?.value ?? -1));
  return [
    ...(isSweep
      ? [kneeColumn(measures)]
      : [latencyColumn(analysis, 'p50', 'Latency p50'), latencyColumn(analysis, 'p95', 'Latency p95')]),
    ...(analysis.likeness.length > 0 ? [likenessColumn(analysis, measures, fraction)] : []),
    ...scoreColumns(analysis, among),
    sameColumn(analysis, measures, fraction),
    rateColumn({ id: 'errors', head: 'Errors' }, 'error_rate', measures, fraction),
    ...(highest('block_rate', 'rate') > 0
      ? [rateColumn({ id: 'blocked', head: 'Blocked' }, 'block_rate', measures, fraction)]
      : []),
    ...(droppedStarts(among) > 0 ? [droppedColumn(fraction)] : []),
    ...(isSweep ? [] : [throughputColumn(variants, measures)]),
    ...(highest('cost.per_output', 'mean') >= 0 ? [costColumn(measures)] : []),
  ];
}

export interface SpeedColumn {
  readonly head: string;
  readonly comparisons: readonly Comparison[];
  /** `baseline` for a variant that others are compared with, null for one that is compared with nothing. */
  readonly speedOf: (variant: string) => Comparison | 'baseline' | null;
}

/** Those against the baseline variant of the run, and those against the stored baseline; only where there are any. */
export function speedColumns(headlines: readonly Comparison[]): readonly SpeedColumn[] {
  const [within, stored] = [true, false].map((isWithin) =>
    headlines.filter(({ baselineRun }) => (baselineRun === null) === isWithin),
  );
  return [
    { head: 'Speed against baseline variant', comparisons: within ?? [] },
    { head: capital(NEW_AGAINST_IN_USE), comparisons: stored ?? [] },
  ].flatMap(({ head, comparisons }) => {
    const isBaseline = (name: string) => comparisons.some(({ baseline }) => baseline === name);
    const speedOf = (name: string) =>
      comparisons.find(({ variant }) => variant === name) ?? (isBaseline(name) ? 'baseline' : null);
    return comparisons.length === 0 ? [] : [{ head, comparisons, speedOf }];
  });
}

/** `2.02x as fast [1.94, 2.11]`, `baseline`, `– too few pairs of takes to tell (3 of 6)`. */
export function speedCell(speed: Comparison | 'baseline' | null): string {
  if (speed === null || speed === 'baseline') return speed ?? '–';
  const { speed: value, interval, remark } = comparedSpeed(speed);
  return value === null ? `– ${remark}` : `${value} ${interval}${remark === null ? '' : `, ${remark}`}`;
}

/** At a step of a sweep; where jobs are polled, also how much of the median is generation. */
export function latencyColumn(
  analysis: Analysis,
  statistic: 'p50' | 'p95',
  head: string,
  step: number | null = null,
): ResultColumn {
  const measures = measuresOf(analysis);
  const metric = headlineLatency(analysis.run.plan.load);
  const unitOf = latencyUnits(analysis);
  return {
    id: 'latency',
    head,
    cell: ({ name }) => {
      const unit = unitOf(name);
      const measure = measures(name, metric, statistic, step);
      const [low, high] = ['latency.generation_low', 'latency.generation'].map(
        (generation) => measures(name, generation, statistic, step)?.value ?? null,
      );
      const cell = cellOf(latencyStatement(measure, unit), measure);
      const isPolled = statistic === 'p50' && typeof low === 'number' && typeof high === 'number';
      return isPolled ? { ...cell, notes: [...cell.notes, `generation ${durationInterval(low, high, unit)}`] } : cell;
    },
  };
}

function kneeColumn(measures: Measures): ResultColumn {
  return {
    id: 'knee',
    head: 'Knee',
    cell: ({ name }) => {
      const measure = measures(name, 'knee', 'concurrency');
      const by = measure?.value ?? null;
      const beside = measure === null ? 'not measured' : noteWords(measure.notes);
      const notes = measure === null || by === null ? [] : [`of ${plural(measure.n, 'step')}`];
      return { ...EMPTY, value: by === null ? null : `concurrency ${count(by)}`, beside, notes, by };
    },
  };
}

type Fraction = (part: number, whole: number) => string;

/** Outputs that stay visually similar to those of the baseline variant. */
function likenessColumn(analysis: Analysis, measures: Measures, fraction: Fraction): ResultColumn {
  return {
    id: 'likeness',
    head: 'Similar',
    cell: (variant) => {
      const tally = likenessToBaseline(variant, analysis);
      if (tally === null) return EMPTY;
      const { compared, similar, another } = tally;
      const unknown = tally.unknown.map(({ why, pairs }) => `${count(pairs)} not compared: ${UNLIKENESS_WORDS[why]}`);
      if (compared === 0) return { ...EMPTY, beside: unknown[0] ?? '' };
      const measure = measures(variant.name, 'likeness', 'similar');
      const notes = [...(another === 0 ? [] : [`${count(another)} another ${pictureOf(tally.noun)}`]), ...unknown];
      const stated = { ...statementOf(measure, share, shareInterval), value: fraction(similar, compared), notes };
      return { ...cellOf(stated, measure), n: null, by: similar / compared };
    },
  };
}

/** Scores with a direction that some variant has. */
function scoreColumns(analysis: Analysis, among: readonly VariantSummary[]): readonly ResultColumn[] {
  const measureOf = (variant: string, metric: string) => scoreMeasure(analysis, variant, metric);
  return scoreMetrics(analysis)
    .filter(
      ({ name, better }) =>
        better !== null && among.some((variant) => typeof measureOf(variant.name, name)?.value === 'number'),
    )
    .map(({ name }) => ({
      id: 'score',
      head: name,
      cell: (variant) => {
        const measure = measureOf(variant.name, name);
        return { ...cellOf(scoreStatement(measure), measure), n: null };
      },
    }));
}

/** Prompts x seeds whose takes are all equal, of those with at least two takes, at the strictest level that holds. */
function sameColumn({ cells }: Analysis, measures: Measures, fraction: Fraction): ResultColumn {
  return {
    id: 'same',
    head: 'Equal repeats',
    cell: (variant) => {
      const { value, level, same, testable, tooFew, bound, shortBound } = sameOutputs(variant, cells, measures);
      if (value === null) return { ...EMPTY, beside: bound };
      return {
        ...EMPTY,
        value: fraction(same, testable),
        beside: `${LEVEL_WORDS[level].same}; ${shortBound.replace('% differ', '% of takes differ')}`,
        notes: [bound, ...(tooFew > 0 ? [`${plural(tooFew, 'more prompt x seed')}: too few takes`] : [])],
        by: same / testable,
      };
    },
  };
}

function rateColumn(
  column: Pick<ResultColumn, 'id' | 'head'>,
  metric: string,
  measures: Measures,
  fraction: Fraction,
): ResultColumn {
  return {
    ...column,
    cell: ({ name }, step = null) => {
      const measure = measures(name, metric, 'rate', step);
      const stated = statementOf(measure, share, shareInterval);
      const value = measure?.value ?? null;
      const counted = value === null ? stated.value : fraction(Math.round(value * stated.n), stated.n);
      return { ...cellOf({ ...stated, value: counted }, measure), n: null };
    },
  };
}

/** Starts under open load that were not sent because too many were in flight. */
function droppedColumn(fraction: Fraction): ResultColumn {
  return {
    id: 'dropped',
    head: 'Dropped',
    cell: ({ outcomes, plannedTrials, missing }) => {
      const by = outcomes.dropped ?? 0;
      return { ...EMPTY, value: fraction(by, plannedTrials - missing), beside: 'never sent', by };
    },
  };
}

/** In one unit; sorted by the upper end of its interval. */
function throughputColumn(variants: readonly VariantSummary[], measures: Measures): ResultColumn {
  const most = (name: string) => {
    const { value, high } = throughputRange(measures, name, null);
    return value ?? high;
  };
  const per = rateUnit(variants.map(({ name }) => most(name)));
  return {
    id: 'throughput',
    head: 'Throughput',
    cell: ({ name }) => ({
      ...cellOf(throughputStatement(measures, name, null, per), null),
      by: most(name),
    }),
  };
}

function costColumn(measures: Measures): ResultColumn {
  return {
    id: 'cost',
    head: 'Cost per accepted output',
    cell: ({ name }) => {
      const measure = measures(name, 'cost.per_output', 'mean');
      const each = measures(name, 'cost.per_request', 'mean')?.value ?? null;
      const cell = cellOf(
        statementOf(measure, usd, (low, high) => `${usd(low)} – ${usd(high)}`),
        measure,
      );
      return each === null || cell.value === usd(each) ? cell : { ...cell, beside: `${usd(each)} a request` };
    },
  };
}

const EMPTY: ResultCell = {
  value: null,
  interval: null,
  beside: '',
  notes: [],
  n: null,
  by: null,
  needsN: null,
  numbers: null,
};

function cellOf({ value, interval, notes, n }: Statement, measure: Measure | null): ResultCell {
  const [first = '', ...rest] = notes;
  const needed = measure?.notes.flatMap((note) => (note.code === 'needs_n' ? [note.value] : [])) ?? [];
  return {
    value,
    interval,
    beside: interval === null ? first : `[${interval}]`,
    notes: interval === null ? rest : notes,
    n,
    by: measure?.value ?? null,
    needsN: needed[0] ?? null,
    numbers: measure === null ? null : { value: measure.value, low: measure.ciLow, high: measure.ciHigh, n: measure.n },
  };
}

/** More variants are not in the order of the suite. */
const MOST_IN_ORDER = 8;

/** Why a variant of many comes before the others. */
type Lead = 'most_similar' | 'fastest';

export interface ComparedAnalysis {
  readonly analysis: Pick<Analysis, 'run' | 'variants' | 'likeness' | 'cells' | 'warnings'>;
  readonly comparisons: readonly Comparison[];
}

export interface OrderedVariant {
  readonly variant: VariantSummary;
  readonly lead: Lead | null;
}

/**
 * Without the baseline variant, in the order of the suite. Of many the two that say what speed costs come first: the
 * fastest of those whose outputs stay most similar, and the fastest, if they are faster than the baseline variant; then
 * the others, the faster first.
 */
export function orderedVariants(
  variants: readonly VariantSummary[],
  { analysis, comparisons }: ComparedAnalysis,
): readonly OrderedVariant[] {
  const others = variants.filter(({ baseline }) => !baseline);
  if (variants.length <= MOST_IN_ORDER) return others.map((variant) => ({ variant, lead: null }));
  const speeds = new Map(
    headlineComparisons(comparisons, analysis.run.plan.load)
      .toReversed()
      .map((comparison) => [comparison.variant, speedOrder(comparison)]),
  );
  const speedOf = ({ name }: VariantSummary) => speeds.get(name) ?? Number.MAX_VALUE;
  const bySpeed = others.toSorted((a, b) => speedOf(a) - speedOf(b));
  const faster = bySpeed.filter((variant) => speedOf(variant) < 1);
  const [fastest] = faster;
  // Sorting is stable: of equally similar ones the fastest stays first.
  const [similar] = faster.toSorted((a, b) => similarShare(b, analysis) - similarShare(a, analysis));
  const leads: readonly OrderedVariant[] = [
    ...(similar === undefined || similarShare(similar, analysis) === 0
      ? []
      : [{ variant: similar, lead: 'most_similar' as const }]),
    ...(fastest === undefined || fastest === similar ? [] : [{ variant: fastest, lead: 'fastest' as const }]),
  ];
  const rest = bySpeed.filter((variant) => leads.every((lead) => lead.variant !== variant));
  return [...leads, ...rest.map((variant) => ({ variant, lead: null }))];
}

function similarShare(variant: VariantSummary, analysis: Parameters<typeof likenessToBaseline>[1]): number {
  const tally = likenessToBaseline(variant, analysis);
  return tally === null || tally.pairs.length === 0 ? 0 : tally.similar / tally.pairs.length;
}
