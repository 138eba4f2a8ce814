import type { Analysis } from '../analysis/analysis.ts';
import type { Comparison } from '../analysis/comparison.ts';
import { headlineLatency } from '../analysis/effective-sample.ts';
import { indistinctGroups } from '../analysis/medians.ts';
import { NOT_KEPT_UP } from '../analysis/note.ts';
import type { VariantSummary } from '../analysis/summaries.ts';
import { voidVariants } from '../analysis/warnings.ts';
import { count, type DurationUnit, duration, listedInShort, plural, rateUnit } from '../kit/wording.ts';
import { sweepSteps } from './load-words.ts';
import {
  latencyStatement,
  latencyUnits,
  type Measures,
  measuresOf,
  throughputRange,
  throughputStatement,
} from './statement.ts';

/** The variants whose latencies are not to be used, and why. */
export function latencyDoubts({ warnings }: Pick<Analysis, 'warnings'>): ReadonlyMap<string, string> {
  const grown = warnings.flatMap((warning) => (warning.code === 'queue_grows' ? [warning.variant] : []));
  return new Map([
    ...grown.map((name) => [name, 'the queue grew through the load'] as const),
    ...[...voidVariants(warnings)].map((name) => [name, NOT_KEPT_UP] as const),
  ]);
}

/** `do not rely on it: this machine could not keep up`; nothing where nothing speaks against it. */
export function latencyDoubt(variant: string, analysis: Pick<Analysis, 'warnings'>): readonly string[] {
  const doubt = latencyDoubts(analysis).get(variant);
  return doubt === undefined ? [] : [`do not rely on it: ${doubt}`];
}

/** For variants compared with nothing, and each of a sweep; without a full stop. Nothing where none was delivered. */
export function latencySentences(
  analysis: Pick<Analysis, 'variants' | 'measures' | 'run' | 'warnings'>,
  headlines: readonly Comparison[],
): readonly string[] {
  const { variants, run } = analysis;
  const measures = measuresOf(analysis);
  const unitOf = latencyUnits(analysis);
  const steps = sweepSteps(run.plan.load);
  const compared = new Set(headlines.flatMap(({ variant, baseline }) => [variant, baseline]));
  const told = steps === null ? variants.filter(({ name }) => !compared.has(name)) : variants;
  return told.flatMap((variant) => {
    const sentence =
      steps === null
        ? medianSentence(variant, run.plan.load, measures, unitOf(variant.name))
        : sweepSentence(variant, steps, measures);
    return sentence === null ? [] : [[sentence, ...latencyDoubt(variant.name, analysis)].join('; ')];
  });
}

/** `standard takes 245 ms [238 – 253 ms], the median of 36 takes`; without an interval, the reason instead. */
function medianSentence(
  { name }: VariantSummary,
  load: Analysis['run']['plan']['load'],
  measures: Measures,
  unit: DurationUnit,
): string | null {
  const { value, interval, notes, n } = latencyStatement(measures(name, headlineLatency(load), 'p50'), unit);
  if (value === null) return null;
  const from = load.mode === 'open' ? ' from when a call is due' : '';
  const [why] = notes;
  const reason = interval === null && why !== undefined ? `; ${why}` : '';
  return `${name} takes ${value}${interval === null ? '' : ` [${interval}]`}${from}, the median of ${plural(n, 'take')}${reason}`;
}

/** `standard has a throughput of 1.20 / s [1.10 – 1.31 / s] at concurrency 1, ...; knee at concurrency 4`. */
function sweepSentence({ name }: VariantSummary, steps: readonly number[], measures: Measures): string | null {
  const ranges = steps.map((step) => throughputRange(measures, name, step));
  const per = rateUnit(ranges.map(({ value, high }) => value ?? high));
  const told = steps.flatMap((step) => {
    const { value, interval } = throughputStatement(measures, name, step, per);
    return value === null ? [] : [`${value}${interval === null ? '' : ` [${interval}]`} at concurrency ${count(step)}`];
  });
  const [first, ...others] = told;
  if (first === undefined) return null;
  const last = others.at(-1);
  const knee = measures(name, 'knee', 'concurrency')?.value ?? null;
  const ends = last === undefined ? first : `${first}, ${last}`;
  return `${name} has a throughput of ${ends}${knee === null ? '' : `; knee at concurrency ${count(knee)}`}`;
}

/** For variants that this machine may not tell apart. Holds hostile text: names of variants. */
export function indistinctVariants(
  analysis: Pick<Analysis, 'measures' | 'run'>,
  variants: readonly Pick<VariantSummary, 'name'>[],
): readonly string[] {
  const floor = duration(analysis.run.calibration?.floorMs ?? 0);
  return indistinctGroups(analysis, variants).map(
    ({ step, variants: group }) =>
      `The difference between ${step === null ? '' : `p50 at concurrency ${count(step)} of `}${listedInShort(group)} may come from this machine: ` +
      `their medians differ by less than its noise floor of ${floor}, and their intervals overlap.`,
  );
}
