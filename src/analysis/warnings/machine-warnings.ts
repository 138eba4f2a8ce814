import type { WarningRule } from './evidence.ts';

/** What the calibration before the first request found against the machine, or each shard's; nothing where there was none. */
export const unfitMachine: WarningRule = ({ run: { calibration, shards } }) =>
  shards === null
    ? (calibration?.unfit ?? []).map((reason) => ({ code: 'unfit_machine', shard: null, reason }))
    : shards.merged.flatMap(({ index, unfit }) =>
        unfit.map((reason) => ({ code: 'unfit_machine' as const, shard: index, reason })),
      );
