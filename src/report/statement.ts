import type { Analysis } from '../analysis/analysis.ts';
import { headlineLatency } from '../analysis/effective-sample.ts';
import { lowerBoundOf, noteClauses } from '../analysis/note.ts';
import type { Measure, VariantSummary } from '../analysis/summaries.ts';
import { groupBy } from '../kit/grouping.ts';
import { atStep } from '../kit/names.ts';
import { valueWords } from '../kit/value-words.ts';
import { type DurationUnit, duration, durationInterval, durationUnit, plural, rate, rateUnit } from '../kit/wording.ts';
import { isTwin } from '../record/compared-variants.ts';
import type { Kind } from '../suite/kind.ts';
import { sweepSteps } from '../suite/sweep.ts';

/** Without a value or an interval, `notes` say why, the most important first. */
export interface Statement {
  readonly value: string | null;
  readonly interval: string | null;
  readonly notes: readonly string[];
  readonly n: number;
}

/** Finds a measure over all prompts; of a sweep also at a step. */
export type Measures = (variant: string, metric: string, statistic: string, step?: number | null) => Measure | null;

/** Every sentence asks for it, so its table is made once for each analysis. */
const finders = new WeakMap<Analysis['measures'], Measures>();

export function measuresOf({ measures }: Pick<Analysis, 'measures'>): Measures {
  const known = finders.get(measures);
  if (known !== undefined) return known;
  const made = finderOf(measures);
  finders.set(measures, made);
  return made;
}

function finderOf(measures: Analysis['measures']): Measures {
  const byName = new Map<string, Measure>();
  for (const measure of measures) {
    if (measure.prompt !== null) continue;
    byName.set(keyOf(measure.variant, measure.metric, measure.statistic, measure.step), measure);
  }
  return (variant, metric, statistic, step = null) => byName.get(keyOf(variant, metric, statistic, step)) ?? null;
}

function keyOf(...parts: readonly (string | number | null)[]): string {
  return JSON.stringify(parts);
}

const NOT_MEASURED: readonly string[] = ['not measured'];

/** `print` writes a value, `between` an interval, both in the measure's unit. */
export function statementOf(
  measure: Measure | null,
  print: (value: number) => string,
  between: (low: number, high: number) => string,
): Statement {
  if (measure === null) return { value: null, interval: null, notes: NOT_MEASURED, n: 0 };
  const { value, ciLow, ciHigh, n, notes } = measure;
  // A statistic among the time-outs has only a lower bound: `> 120 s`.
  const among = value === null ? lowerBoundOf(notes) : null;
  if (among !== null) return { value: among.bound, interval: null, notes: noteClauses(among.rest), n };
  return {
    value: value === null ? null : print(value),
    interval: value === null || ciLow === null || ciHigh === null ? null : between(ciLow, ciHigh),
    notes: value === null && notes.length === 0 ? NOT_MEASURED : noteClauses(notes),
    n,
  };
}

export function latencyStatement(measure: Measure | null, unit: DurationUnit): Statement {
  return statementOf(
    measure,
    (ms) => duration(ms, unit),
    (low, high) => durationInterval(low, high, unit),
  );
}

/** Without the variants of a stored baseline, which were sent again. */
export function ownVariants({ variants }: Pick<Analysis, 'variants'>): readonly VariantSummary[] {
  return variants.filter((variant) => !isTwin(variant));
}

/** The kinds in the order of their first variant. */
export function byKind<Variant extends Pick<VariantSummary, 'kind'>>(
  variants: readonly Variant[],
): readonly (readonly [Kind, readonly Variant[]])[] {
  return [...groupBy(variants, ({ kind }) => kind)];
}

/** The unit of the longest median of each kind. A median among time-outs counts as its lower bound. */
export function latencyUnits(
  analysis: Pick<Analysis, 'measures' | 'variants' | 'run'>,
): (variant: string) => DurationUnit {
  const { load } = analysis.run.plan;
  const measures = measuresOf(analysis);
  const metric = headlineLatency(load);
  const units = new Map<string, DurationUnit>();
  for (const ofKind of groupBy(analysis.variants, ({ kind }) => kind).values()) {
    const medians = ofKind.flatMap(({ name }) =>
      (sweepSteps(load) ?? [null]).map((step) => {
        const measure = measures(name, metric, 'p50', step);
        const above = measure?.notes.flatMap((note) => (note.code === 'censored_above_ms' ? [note.value] : []));
        return measure?.value ?? above?.[0] ?? null;
      }),
    );
    const unit = durationUnit(medians);
    for (const { name } of ofKind) units.set(name, unit);
  }
  return (variant) => units.get(variant) ?? 'ms';
}

/** Assets per second or minute. */
export function throughputStatement(measure: Measure | null, per: ReturnType<typeof rateUnit>): Statement {
  return statementOf(
    measure,
    (value) => rate(value, per),
    (low, high) => `${numberOf(low, per)} – ${rate(high, per)}`,
  );
}

/** What a variant makes per second that takes do not say: `15.6 outputs / s` of several a take, `2.00x real time` of videos. */
export function madeWords(variant: string, step: number | null, measures: Measures): readonly string[] {
  const told = [...(bringsSeveral(variant, step, measures) ? ['made.outputs'] : []), 'made.real_time'];
  return told.flatMap((metric) => {
    const { value = null, unit = '1' } = measures(variant, metric, 'rate', step) ?? {};
    return value === null ? [] : [valueWords(value, unit)];
  });
}

/** Whether its outputs per second are others than its takes per second. */
export function bringsSeveral(variant: string, step: number | null, measures: Measures): boolean {
  const [outputs, takes] = ['made.outputs', 'throughput'].map(
    (metric) => measures(variant, metric, 'rate', step)?.value,
  );
  return typeof outputs === 'number' && outputs !== takes;
}

function numberOf(perSecond: number, per: ReturnType<typeof rateUnit>): string {
  return rate(perSecond, per).replace(/ .*$/, '');
}

/** `435 ms`, `delivered nothing`. */
export function medianWords(
  { name }: VariantSummary,
  analysis: Pick<Analysis, 'variants' | 'measures' | 'run'>,
): string {
  const median = measuresOf(analysis)(name, headlineLatency(analysis.run.plan.load), 'p50');
  return latencyStatement(median, latencyUnits(analysis)(name)).value ?? 'delivered nothing';
}

/** `standard is best at concurrency 4: 3.90 / s`; without a knee, at the lowest and highest concurrency; without throughput, what it takes there. */
export function sweepWords(
  variant: string,
  steps: readonly number[],
  analysis: Pick<Analysis, 'variants' | 'measures' | 'run'>,
): string {
  const { load } = analysis.run.plan;
  const measures = measuresOf(analysis);
  const throughputAt = (step: number) => measures(variant, 'throughput', 'rate', step);
  const per = rateUnit(steps.map((step) => throughputAt(step)?.value ?? null));
  const at = (step: number): string | null => throughputStatement(throughputAt(step), per).value;
  const ends = [...new Set([...steps.slice(0, 1), ...steps.slice(-1)])];
  const atEnds = (words: (step: number) => string | null): readonly string[] =>
    ends.flatMap((step) => words(step) ?? []).map((value, which) => `${value}${atStep(ends[which] ?? 0, load)}`);
  const rates = atEnds(at);
  if (rates.length === ends.length) return `${variant} delivers ${rates.join(', ')}`;
  const unit = latencyUnits(analysis)(variant);
  const waits = atEnds((step) => latencyStatement(measures(variant, headlineLatency(load), 'p50', step), unit).value);
  return waits.length === ends.length ? `${variant} takes ${waits.join(', ')}` : `${variant} delivered too little`;
}

/** `standard takes 245 ms [238 – 253 ms], the median of 36 takes`; `the median of 4 takes; no interval: needs 6 takes`. */
export function medianSentence(
  { name }: VariantSummary,
  load: Analysis['run']['plan']['load'],
  measures: Measures,
  unit: DurationUnit,
): string | null {
  const median = measures(name, headlineLatency(load), 'p50');
  const { value, interval, notes, n } = latencyStatement(median, unit);
  if (value === null) return null;
  const from = load.mode === 'open' ? ' from the planned send time' : '';
  const [why] = notes;
  const isShort = median?.notes[0]?.code === 'needs_n';
  const reason = interval === null && why !== undefined ? `; ${isShort ? 'no interval: ' : ''}${why}` : '';
  return `${name} takes ${value}${interval === null ? '' : ` [${interval}]`}${from}, the median of ${plural(n, 'take')}${reason}`;
}
