import type { Unfitness } from '../../record/calibration.ts';
import { quantile, sortSample } from '../../statistics/samples/quantile.ts';
import type { ShardsSummary } from '../analysis.ts';
import { groupBy } from '../grouping.ts';
import type { WarningOf } from '../warning-codes/coded-warning.ts';
import type { WarningRule } from './evidence.ts';

/** The p99 in milliseconds, beyond which calls of open load were not sent as scheduled. */
const LATEST_START_MS = 5;

export const lateStarts: WarningRule = ({ trials, variants }) => {
  const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
  return variants.flatMap(({ name }): WarningOf<'late_starts'>[] => {
    const lags = (byVariant.get(name) ?? []).flatMap(({ timings }) => timings.startLagMs ?? []);
    if (lags.length === 0) return [];
    const sorted = sortSample(lags);
    const p99 = quantile(sorted, 99);
    const lagMs = p99 ?? sorted.at(-1) ?? 0;
    if (lagMs <= LATEST_START_MS) return [];
    return [
      {
        code: 'late_starts',
        variant: name,
        lagMs,
        statistic: p99 === null ? 'max' : 'p99',
        limitMs: LATEST_START_MS,
      },
    ];
  });
};

/** Starts that found the ceiling reached: the service did not get the load that the suite asks for. */
export const droppedStarts: WarningRule = ({ trials, variants, plan }) => {
  const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
  return variants.flatMap(({ name, outcomes }): WarningOf<'dropped_starts'>[] => {
    const dropped = outcomes.dropped ?? 0;
    const due = byVariant.get(name)?.length ?? 0;
    if (dropped === 0) return [];
    return [{ code: 'dropped_starts', variant: name, dropped, starts: due, concurrency: plan.load.concurrency }];
  });
};

/** Abandoned requests may still have been running beside these samples. */
export const abandoned: WarningRule = ({ run, trials, warmups, noCancel }) => {
  const beside = trials.filter(({ flags }) => flags.includes('orphans'));
  if (beside.length === 0 && (run.orphans ?? 0) === 0) return [];
  const all = [...trials, ...warmups];
  const lost = all.flatMap(({ outcome, sample }) =>
    outcome === 'timed_out' || outcome === 'cancelled' ? [sample.trial.variant] : [],
  );
  return [
    {
      code: 'abandoned_requests',
      requests: run.orphans,
      samples: beside.length,
      variants: [...new Set(beside.map(({ sample }) => sample.trial.variant))],
      // Calls are aborted by the user's second interrupt alone: no limit is to be raised for that.
      interrupted: all.some(({ sample }) => sample.error?.code === 'cancelled'),
      withoutCancel: noCancel.filter((name) => lost.includes(name)),
    },
  ];
};

/** From the calibration before the first request, or that of each shard. */
export const unfitMachine: WarningRule = ({ run: { calibration, shards } }) =>
  shards === null
    ? (calibration?.unfit ?? []).map((reason) => ({ code: 'unfit_machine', shards: null, reason }))
    : worstOfShards(shards);

/** One warning for each kind of reason, so that many shards on crowded machines do not each have their own. */
function worstOfShards({ merged }: ShardsSummary): readonly WarningOf<'unfit_machine'>[] {
  const found = merged.flatMap(({ index, unfit }) => unfit.map((reason) => ({ index, reason })));
  return [...groupBy(found, ({ reason }) => reason.code).values()].flatMap((group) => {
    const worstFirst = group.toSorted((a, b) => badness(b.reason) - badness(a.reason) || a.index - b.index);
    const [worst] = worstFirst;
    const shards = worstFirst.map(({ index }) => index);
    return worst === undefined ? [] : [{ code: 'unfit_machine', shards, reason: worst.reason }];
  });
}

/** Compares reasons of one code; larger is worse. */
function badness(reason: Unfitness): number {
  switch (reason.code) {
    case 'late_wake':
      return reason.lateMs;
    case 'overloaded':
      return reason.loadAverage / reason.cores;
    case 'saves_power':
      return 0;
  }
}
