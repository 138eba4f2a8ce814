import type { Analysis } from '../../analysis/analysis.ts';
import { headlineLatency } from '../../analysis/effective-sample.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { count, type DurationUnit, plural, rateUnit } from '../../kit/wording.ts';
import {
  latencyStatement,
  latencyUnits,
  type Measures,
  measuresOf,
  throughputRange,
  throughputStatement,
} from '../statement.ts';

type MeasuredRun = Pick<Analysis, 'variants' | 'measures' | 'run'>;

/** `435 ms`, `delivered nothing`. */
export function medianWords({ name }: VariantSummary, analysis: MeasuredRun): string {
  const median = measuresOf(analysis)(name, headlineLatency(analysis.run.plan.load), 'p50');
  return latencyStatement(median, latencyUnits(analysis)(name)).value ?? 'delivered nothing';
}

/** `standard gains up to concurrency 4: 3.90 / s`; without a knee, at the lowest and highest concurrency. */
export function sweepWords(variant: string, steps: readonly number[], analysis: MeasuredRun): string {
  const measures = measuresOf(analysis);
  const ranges = steps.map((step) => throughputRange(measures, variant, step));
  const per = rateUnit(ranges.map(({ value, high }) => value ?? high));
  const at = (step: number): string | null => throughputStatement(measures, variant, step, per).value;
  const knee = measures(variant, 'knee', 'concurrency')?.value ?? null;
  const atKnee = knee === null ? null : at(knee);
  if (knee !== null && atKnee !== null) return `${variant} gains up to concurrency ${count(knee)}: ${atKnee}`;
  const ends = [...new Set([...steps.slice(0, 1), ...steps.slice(-1)])];
  const atEnds = (words: (step: number) => string | null): readonly string[] =>
    ends
      .flatMap((step) => words(step) ?? [])
      .map((value, which) => `${value} at concurrency ${count(ends[which] ?? 0)}`);
  const rates = atEnds(at);
  if (rates.length === ends.length) return `${variant} delivers ${rates.join(', ')}`;
  const unit = latencyUnits(analysis)(variant);
  const waits = atEnds((step) => latencyStatement(measures(variant, 'latency.total', 'p50', step), unit).value);
  return waits.length === ends.length ? `${variant} takes ${waits.join(', ')}` : `${variant} delivered too little`;
}

/** `standard takes 245 ms [238 – 253 ms], the median of 36 takes`; without an interval, the reason instead. */
export function medianSentence(
  { name }: VariantSummary,
  load: Analysis['run']['plan']['load'],
  measures: Measures,
  unit: DurationUnit,
): string | null {
  const { value, interval, notes, n } = latencyStatement(measures(name, headlineLatency(load), 'p50'), unit);
  if (value === null) return null;
  const from = load.mode === 'open' ? ' from the planned send time' : '';
  const [why] = notes;
  const reason = interval === null && why !== undefined ? `; ${why}` : '';
  return `${name} takes ${value}${interval === null ? '' : ` [${interval}]`}${from}, the median of ${plural(n, 'take')}${reason}`;
}

/** `standard has a throughput of 1.20 / s [1.10 – 1.31 / s] at concurrency 1, ...; knee at concurrency 4`. */
export function sweepSentence({ name }: VariantSummary, steps: readonly number[], measures: Measures): string | null {
  const ranges = steps.map((step) => throughputRange(measures, name, step));
  const per = rateUnit(ranges.map(({ value, high }) => value ?? high));
  const rates = steps.flatMap((step) => {
    const { value, interval } = throughputStatement(measures, name, step, per);
    return value === null ? [] : [`${value}${interval === null ? '' : ` [${interval}]`} at concurrency ${count(step)}`];
  });
  const [first, ...others] = rates;
  if (first === undefined) return null;
  const last = others.at(-1);
  const knee = measures(name, 'knee', 'concurrency')?.value ?? null;
  const ends = last === undefined ? first : `${first}, ${last}`;
  return `${name} has a throughput of ${ends}${knee === null ? '' : `; knee at concurrency ${count(knee)}`}`;
}
