import type { Plan, Slice } from '../../../plan/plan.ts';
import type { HistoryLine } from '../../../record/model/history-line.ts';
import { mean } from '../../../statistics/samples/mean.ts';

/** How long a plan takes if its calls take as long as in an earlier run. */
export interface PlannedTime {
  readonly ms: number;
  readonly run: string;
}

const LATENCY = 'latency.total';

/** By the latest run that measured a variant of the plan; others count as the mean of those. Null without one. */
export function plannedTime({ slices }: Plan, lines: readonly HistoryLine[]): PlannedTime | null {
  const asked = new Set(slices.flatMap(({ trials }) => trials.map(({ variant }) => variant)));
  const known = lines.map((line) => ({
    line,
    callMs: new Map(
      line.variants.flatMap(({ variant, meanLn }): [string, number][] => {
        const ln = meanLn[LATENCY];
        return ln === undefined || !asked.has(variant) ? [] : [[variant, Math.exp(ln)]];
      }),
    ),
  }));
  const latest = known
    .filter(({ callMs }) => callMs.size > 0)
    .reduce<(typeof known)[number] | null>(
      (last, each) => (last === null || each.line.startedAt >= last.line.startedAt ? each : last),
      null,
    );
  const usual = mean([...(latest?.callMs.values() ?? [])]);
  if (latest === null || usual === null) return null;
  const ms = slices.reduce((total, slice) => {
    const callMs = mean(slice.trials.map(({ variant }) => latest.callMs.get(variant) ?? usual)) ?? 0;
    return total + wavesOf(slice) * callMs;
  }, 0);
  return { ms, run: latest.line.run };
}

/** How many calls a slice lasts, one after the other: it is drained before the next. */
export function wavesOf({ trials, pace }: Slice): number {
  return Math.ceil(trials.length / (pace.mode === 'closed' ? pace.concurrency : pace.ceiling));
}
