import type { Unfitness } from '../../record/model/calibration.ts';
import type { ShardsSummary } from '../analysis.ts';
import { groupBy } from '../grouping.ts';
import type { WarningOf } from '../warning-codes/coded-warning.ts';
import type { WarningRule } from './evidence.ts';

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
