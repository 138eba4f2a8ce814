import { sum } from '../../statistics/samples/mean.ts';
import { groupBy } from '../grouping.ts';
import type { WarningOf } from '../warning-codes/coded-warning.ts';
import { whyIncomplete } from '../warning-codes/incomplete-run.ts';
import type { WarningRule } from './evidence.ts';

export const incomplete: WarningRule = ({ run, variants }) => {
  if (run.complete) return [];
  const missing = sum(variants.map((variant) => variant.missing + (variant.outcomes.cancelled ?? 0)));
  const planned = sum(variants.map((variant) => variant.plannedTrials));
  return [
    { code: 'incomplete', missing, planned, missingProbes: run.missingProbes, ...whyIncomplete({ run, variants }) },
  ];
};

export const leftOut: WarningRule = ({ leftOut: absent }) => {
  const groups = groupBy(absent, ({ reason }) => JSON.stringify(reason));
  return [...groups.values()].flatMap((group): WarningOf<'variants_left_out'>[] =>
    group.slice(0, 1).map(({ reason }) => ({
      code: 'variants_left_out',
      variants: group.map(({ variant }) => variant),
      reason,
    })),
  );
};

export const changedEnvironment: WarningRule = ({ run: { against } }) =>
  against === null || against.changedEnvironment.length === 0
    ? []
    : [{ code: 'changed_environment', baselineRun: against.run, names: against.changedEnvironment }];

export const order: WarningRule = ({ plan: { load }, variants }) => {
  if (variants.length < 2) return [];
  if (load.order === 'mixed') return [{ code: 'contended' }];
  return load.mode === 'open' || load.order === 'sequential' ? [{ code: 'drift_confounded', mode: load.mode }] : [];
};

/** With less in flight than asked for, latencies are not those of that load. */
export const ceiling: WarningRule = ({ plan: { load, largestSlice } }) =>
  // Under open load it is a limit, not a wish.
  load.mode === 'open' || largestSlice >= load.concurrency
    ? []
    : [
        {
          code: 'concurrency_not_reached',
          largestSlice,
          concurrency: load.concurrency,
          sweep: load.steps !== null,
        },
      ];

/** Several machines without a common clock: neither the load at the service nor throughput is known. */
export const inShards: WarningRule = ({ run: { shards }, plan: { load } }) =>
  shards === null || shards.of < 2
    ? []
    : [
        {
          code: 'measured_in_shards',
          shards: shards.merged.length,
          concurrency: load.concurrency,
          mode: load.mode,
          ...(shards.together === undefined ? {} : { together: shards.together }),
        },
      ];

/** Requests that were sent by a process that was killed: what became of them is not known. */
export const unanswered: WarningRule = ({ unanswered: count }) =>
  count === 0 ? [] : [{ code: 'unanswered_requests', requests: count }];

/** Whether a variant is deterministic needs two takes. */
export const singleTakes: WarningRule = ({ plan }) => (plan.repeats > 1 ? [] : [{ code: 'single_takes' }]);

/** Without a warm-up, or with one that failed, the first trials may carry what a cold start costs. */
export const coldStart: WarningRule = ({ plan, variants, warmups }) => {
  if (plan.load.warmup === 0) return [{ code: 'not_warmed_up' }];
  const warm = new Set(
    warmups.filter(({ outcome }) => outcome === 'ok' || outcome === 'blank').map(({ sample }) => sample.trial.variant),
  );
  const tried = new Set(warmups.map(({ sample }) => sample.trial.variant));
  const cold = variants.map(({ name }) => name).filter((name) => tried.has(name) && !warm.has(name));
  return cold.length === 0 ? [] : [{ code: 'warmup_failed', variants: cold }];
};
