import type { Analysis } from '../analysis/analysis.ts';
import type { Comparison } from '../analysis/comparison.ts';
import { headlineLatency } from '../analysis/effective-sample.ts';
import { NEW_AGAINST_IN_USE, needsTakes } from '../analysis/note.ts';
import type { Measure, VariantSummary } from '../analysis/summaries.ts';
import { pictureOf } from '../kit/names.ts';
import { DIRECTION_WORDS, inverse, speedOf, speedTimes } from '../kit/value-words.ts';
import { capital, count, durationInterval, plural, rateUnit, share, shareInterval, usd } from '../kit/wording.ts';
import type { Load } from '../suite/load.ts';
import { sweepSteps } from '../suite/sweep.ts';
import {
  comparedSpeed,
  headlineComparisons,
  isCompared,
  isNoise,
  speedEvidenceWords,
  speedOrder,
  tellsApart,
} from './comparison-statement.ts';
import { loadShows } from './hold-statement.ts';
import { LEVEL_WORDS, UNLIKENESS_WORDS } from './level-words.ts';
import { likenessToBaseline } from './likeness-statement.ts';
import type { ReportSource } from './reporter.ts';
import { droppedStarts, loadStepWords } from './run-statement.ts';
import { equalWords, type SameOutputs, sameOutputs } from './sameness-statement.ts';
import { scoreMeasure, scoreMetrics, scoreStatement } from './score-statement.ts';
import {
  latencyStatement,
  latencyUnits,
  type Measures,
  madeWords,
  measuresOf,
  type Statement,
  statementOf,
  throughputStatement,
} from './statement.ts';

/* The columns of the tables of variants. The terminal, Markdown, the page and table.csv choose among them and lay them out. */

export interface ResultCell {
  readonly value: string | null;
  /** Without brackets; null where there is none. */
  readonly interval: string | null;
  /** The interval in brackets, else the first reason why there is none. */
  readonly beside: string;
  /** For a line of a terminal, whose head says the rest: with interval, and as narrow as it can be. */
  readonly inLine: { readonly wide: string; readonly narrow: string };
  readonly notes: readonly string[];
  /** Takes that the value comes from; null where it counts no takes. */
  readonly n: number | null;
  /** Sorts a table; null sorts last. */
  readonly by: number | null;
  /** Null where the cell has no number of its own. */
  readonly numbers: CellNumbers | null;
  /** Of a speed: that of what others are compared with, or one without a difference found. */
  readonly is?: 'baseline' | 'undecided';
}

/** What a program reads of a cell, in the unit of the measure; of a speed, how many times as fast. */
export interface CellNumbers {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

export interface ResultColumn {
  readonly id:
    | 'speed'
    | 'speed_stored'
    | 'load'
    | 'p50'
    | 'p95'
    | 'likeness'
    | 'score'
    | 'same'
    | 'errors'
    | 'blocked'
    | 'dropped'
    | 'throughput'
    | 'cost';
  readonly head: string;
  /** At a step of a sweep what depends on the load; without one over all. */
  readonly cell: (variant: VariantSummary, step?: number | null) => ResultCell;
}

export type ColumnSource = Pick<ReportSource, 'analysis' | 'comparisons'>;

interface ColumnChoice {
  /** Of all tables that share the columns; by default all. */
  readonly among?: readonly VariantSummary[];
  /** Those that share a unit of throughput; by default the same. */
  readonly inOneUnit?: readonly VariantSummary[];
  /** Whether a sweep has a row for each step: else what it holds stands for speed, latency and throughput. */
  readonly bySteps?: boolean;
}

/** Speed, blocked, dropped and cost have a column only where there are any. */
export function resultColumns(
  { analysis, comparisons }: ColumnSource,
  { among = analysis.variants, inOneUnit = among, bySteps = false }: ColumnChoice = {},
): readonly ResultColumn[] {
  const measures = measuresOf(analysis);
  const { hold, plan } = analysis.run;
  const isWhole = !bySteps && sweepSteps(plan.load) !== null;
  const highest = (metric: string, statistic: string) =>
    Math.max(-1, ...among.map(({ name }) => measures(name, metric, statistic)?.value ?? -1));
  return [
    ...(isWhole
      ? hold === undefined
        ? []
        : [heldColumn(measures, plan.load)]
      : [
          ...speedColumns({ analysis, comparisons }, among),
          latencyColumn(analysis, 'p50', 'Latency p50'),
          latencyColumn(analysis, 'p95', 'Latency p95'),
        ]),
    ...(analysis.likeness.length > 0 ? [likenessColumn(analysis, measures)] : []),
    ...scoreColumns(analysis, among),
    sameColumn(analysis, measures),
    rateColumn({ id: 'errors', head: 'Errors' }, 'error_rate', measures),
    ...(highest('block_rate', 'rate') > 0
      ? [rateColumn({ id: 'blocked', head: 'Blocked' }, 'block_rate', measures)]
      : []),
    ...(droppedStarts(among) > 0 ? [droppedColumn()] : []),
    ...(isWhole ? [] : [throughputColumn(analysis, inOneUnit)]),
    ...(isWhole || hold === undefined ? [] : [loadColumn(analysis)]),
    ...(highest('cost.per_output', 'mean') >= 0 ? [costColumn(measures)] : []),
  ];
}

/** Against the baseline variant of the run, and against the stored baseline. */
function speedColumns({ analysis, comparisons }: ColumnSource, among: readonly VariantSummary[]): ResultColumn[] {
  const names = new Set(among.map(({ name }) => name));
  const all = headlineComparisons(comparisons, analysis.run.plan.load).filter(({ variant }) => names.has(variant));
  const stored = all.filter(({ baselineRun }) => baselineRun !== null);
  const within = all.filter(({ baselineRun }) => baselineRun === null);
  const columnOf = (id: ResultColumn['id'], head: string, speeds: readonly Comparison[]): ResultColumn => ({
    id,
    head,
    cell: ({ name }, step = null) => {
      const ofStep = speeds.filter((speed) => speed.step === step);
      const own = ofStep.find(({ variant }) => variant === name);
      if (own !== undefined) return speedCell(own);
      return ofStep.some(({ baseline }) => baseline === name) ? BASELINE : EMPTY;
    },
  });
  return [
    ...(within.length > 0 ? [columnOf('speed', 'Speed against baseline variant', within)] : []),
    ...(stored.length > 0 ? [columnOf('speed_stored', capital(NEW_AGAINST_IN_USE), stored)] : []),
  ];
}

/** `2.02x as fast [1.94, 2.11]`, in a line `2.02x [1.94, 2.11]`; `– too few pairs of takes to tell (3 of 6)`. */
function speedCell(comparison: Comparison): ResultCell {
  const { value, ciLow, ciHigh, nUnits } = comparison;
  const { speed, interval } = comparedSpeed(comparison);
  const beside = speedEvidenceWords(comparison);
  if (value === null || speed === null || interval === null)
    return { ...EMPTY, beside, inLine: inOneForm(isCompared(comparison) ? 'too few' : '–') };
  const isTold = tellsApart(comparison);
  const unit = speedOf(value).direction === 'slower' ? ` ${DIRECTION_WORDS.slower}` : '';
  const narrow = isTold ? `${speedTimes(value, ciLow, ciHigh)}${unit}` : '–';
  return {
    ...EMPTY,
    value: speed,
    interval: interval.slice(1, -1),
    beside,
    inLine: { wide: isNoise(comparison) ? `${narrow}, noise` : `${narrow} ${interval}`, narrow },
    by: speedOrder(comparison),
    numbers: { value: inverse(value), low: inverse(ciHigh), high: inverse(ciLow), n: nUnits },
    ...(isTold ? {} : { is: 'undecided' as const }),
  };
}

/** Where jobs are polled, also how much of the median is generation. */
export function latencyColumn(analysis: Analysis, statistic: 'p50' | 'p95', head: string): ResultColumn {
  const measures = measuresOf(analysis);
  const metric = headlineLatency(analysis.run.plan.load);
  const unitOf = latencyUnits(analysis);
  return {
    id: statistic,
    head,
    cell: ({ name }, step = null) => {
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

/** Of a whole sweep. */
function heldColumn(measures: Measures, load: Load): ResultColumn {
  return {
    id: 'load',
    head: 'Holds',
    cell: ({ name }) => {
      const by = measures(name, 'capacity', 'holds')?.value ?? null;
      const fails = measures(name, 'capacity', 'fails')?.value ?? null;
      const beside = fails === null ? '' : `fails ${loadStepWords(fails, load)}`;
      return { ...EMPTY, value: by === null ? null : loadStepWords(by, load), beside, by };
    },
  };
}

/** Outputs that stay visually similar to those of the baseline variant. */
function likenessColumn(analysis: Analysis, measures: Measures): ResultColumn {
  return {
    id: 'likeness',
    head: 'Similar',
    cell: (variant) => {
      const tally = likenessToBaseline(variant, analysis);
      if (tally === null) return { ...EMPTY, inLine: inOneForm('') };
      const { compared, similar, another } = tally;
      const unknown = tally.unknown.map(({ why, pairs }) => `${count(pairs)} not compared: ${UNLIKENESS_WORDS[why]}`);
      if (compared === 0) return { ...EMPTY, beside: unknown[0] ?? '', inLine: inOneForm('unknown') };
      const measure = measures(variant.name, 'likeness', 'similar');
      const notes = [...(another === 0 ? [] : [`${count(another)} another ${pictureOf(tally.noun)}`]), ...unknown];
      const cell = cellOf({ ...statementOf(measure, share, shareInterval), value: '', notes }, measure);
      return { ...cell, ...counted(similar, compared), n: null, by: similar / compared };
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
function sameColumn({ cells }: Analysis, measures: Measures): ResultColumn {
  return {
    id: 'same',
    head: 'Equal repeats',
    cell: (variant) => {
      const { value, level, same, testable, tooFew, bound, shortBound } = sameOutputs(variant, cells, measures);
      if (value === null) return { ...EMPTY, beside: bound };
      return {
        ...EMPTY,
        ...counted(same, testable),
        beside: `${LEVEL_WORDS[level].same}; ${shortBound.replace('% differ', '% of takes differ')}`,
        inLine: {
          wide: equalWords({ level, same, testable }, fraction),
          narrow: `${fraction(same, testable)} ${NARROW_LEVELS[level]}`,
        },
        notes: [bound, ...(tooFew > 0 ? [`${plural(tooFew, 'more prompt x seed')}: too few takes`] : [])],
        by: same / testable,
      };
    },
  };
}

const NARROW_LEVELS: Readonly<Record<SameOutputs['level'], string>> = {
  byte: 'bytes',
  pixel: 'pixels',
  near: 'near',
  similar: 'similar',
  related: 'related',
};

function rateColumn(column: Pick<ResultColumn, 'id' | 'head'>, metric: string, measures: Measures): ResultColumn {
  return {
    ...column,
    cell: ({ name }, step = null) => {
      const measure = measures(name, metric, 'rate', step);
      const stated = statementOf(measure, share, shareInterval);
      const value = measure?.value ?? null;
      const cell = { ...cellOf(stated, measure), n: null };
      return value === null ? cell : { ...cell, ...counted(Math.round(value * stated.n), stated.n) };
    },
  };
}

/** Starts under open load that were not sent because too many were in flight. */
function droppedColumn(): ResultColumn {
  return {
    id: 'dropped',
    head: 'Dropped',
    cell: ({ outcomes, plannedTrials, missing }) => {
      const by = outcomes.dropped ?? 0;
      return { ...EMPTY, ...counted(by, plannedTrials - missing), beside: 'never sent', by };
    },
  };
}

/** In one unit: takes, or outputs. */
export function throughputColumn(
  analysis: Analysis,
  variants: readonly VariantSummary[],
  { metric, head } = { metric: 'throughput', head: 'Throughput' },
): ResultColumn {
  const measures = measuresOf(analysis);
  const steps = sweepSteps(analysis.run.plan.load) ?? [null];
  const throughputAt = (name: string, step: number | null) => measures(name, metric, 'rate', step);
  const per = rateUnit(variants.flatMap(({ name }) => steps.map((step) => throughputAt(name, step)?.value ?? null)));
  return {
    id: 'throughput',
    head,
    cell: ({ name }, step = null) => {
      const measure = throughputAt(name, step);
      const cell = cellOf(throughputStatement(measure, per), null);
      return { ...cell, notes: [...cell.notes, ...madeWords(name, step, measures)], by: measure?.value ?? null };
    },
  };
}

/** Whether a load holds what the suite asks: `holds`, `fails`, `?`. */
function loadColumn(analysis: Analysis): ResultColumn {
  return {
    id: 'load',
    head: 'Load',
    cell: ({ name }, step = null) => {
      if (step === null) return EMPTY;
      const words = loadShows(analysis, name, step) ?? '?';
      return { ...EMPTY, value: words, inLine: inOneForm(words) };
    },
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

function inOneForm(words: string): ResultCell['inLine'] {
  return { wide: words, narrow: words };
}

const EMPTY: ResultCell = {
  value: null,
  interval: null,
  beside: '',
  inLine: inOneForm('–'),
  notes: [],
  n: null,
  by: null,
  numbers: null,
};

const BASELINE: ResultCell = { ...EMPTY, value: 'baseline', inLine: inOneForm('baseline'), by: 1, is: 'baseline' };

function fraction(part: number, whole: number): string {
  return `${count(part)}/${count(whole)}`;
}

/** Events out of what could be one. */
function counted(part: number, whole: number): Pick<ResultCell, 'value' | 'inLine'> {
  return { value: `${count(part)} of ${count(whole)}`, inLine: inOneForm(fraction(part, whole)) };
}

function cellOf({ value, interval, notes, n }: Statement, measure: Measure | null): ResultCell {
  const [first = '', ...rest] = notes;
  return {
    value,
    interval,
    beside: interval === null ? first : `[${interval}]`,
    inLine: { wide: wideWords(value, interval, measure), narrow: value ?? '–' },
    notes: interval === null ? rest : notes,
    n,
    by: measure?.value ?? null,
    numbers: measure === null ? null : { value: measure.value, low: measure.ciLow, high: measure.ciHigh, n: measure.n },
  };
}

/** `245 ms [238–253]`, in the unit of the value; without an interval what it needs: `245 ms, needs 22 takes`. */
function wideWords(value: string | null, interval: string | null, measure: Measure | null): string {
  if (value === null) return '–';
  if (interval !== null) return `${value} [${interval.replace(' – ', '–').replace(/( \/)? [a-z]+$/, '')}]`;
  const [needed] = measure?.notes.flatMap((note) => (note.code === 'needs_n' ? [note.value] : [])) ?? [];
  return needed === undefined ? value : `${value}, ${needsTakes(needed)}`;
}
