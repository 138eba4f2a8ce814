import { sum } from '../../statistics/mean.ts';
import { fewestForInterval } from '../../statistics/quantile-interval.ts';
import type { JudgedSample } from '../analysis.ts';
import { groupBy } from '../grouping.ts';
import { CONFIDENCE } from '../measure.ts';
import { incompleteCause, incompleteRemedy } from '../stop-words.ts';
import { counted, listed } from '../wording.ts';
import type { WarningRule } from './evidence.ts';

/** Trials of the plan that were never measured. */
export const incomplete: WarningRule = ({ run, variants }) => {
  if (run.complete) return [];
  const missing = sum(variants.map((variant) => variant.missing + (variant.outcomes.cancelled ?? 0)));
  const planned = sum(variants.map((variant) => variant.plannedTrials));
  return [
    {
      what: `the run is incomplete: ${missing} of ${counted(planned, 'trial')} were not measured${run.missingProbes === 0 ? '' : `, ${counted(run.missingProbes, 'probe')} not sent`}`,
      cause: incompleteCause({ run, variants }),
      remedy: `${incompleteRemedy({ run, variants })}; the numbers cover only what was measured`,
    },
  ];
};

/** Variants of the suite that this machine cannot measure. */
export const leftOut: WarningRule = ({ leftOut: absent }) => {
  const reasons = [...new Set(absent.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const names = absent.filter((one) => one.reason === reason).map(({ variant }) => variant);
    return {
      what: `${counted(names.length, 'variant')} of the suite left out: ${listed(names)}`,
      cause: reason,
      remedy: 'install it (npm install node-av), name a service that has it in base_url, or mark them optional: true',
    };
  });
};

/** Orders of sending that bend the comparison of variants. */
export const order: WarningRule = ({ plan: { load }, variants }) => {
  if (variants.length < 2) return [];
  if (load.order === 'mixed') {
    return [
      {
        what: 'contended: the variants ran beside each other',
        cause: 'order is mixed, so variants queue behind one another and differences between them shrink',
        remedy: 'compare latencies under order: paired',
      },
    ];
  }
  if (load.mode === 'open') {
    return [
      {
        what: 'drift confounded: open load measured the variants one after the other',
        cause:
          'under open load one variant is sent at a time, so a service that changes over the run looks like a difference between variants',
        remedy: 'read each variant for itself; compare latencies under mode: closed with order: paired',
      },
    ];
  }
  if (load.order === 'sequential') {
    return [
      {
        what: 'drift confounded: the variants ran one after the other',
        cause: 'order is sequential, so a service that changes over the run looks like a difference between variants',
        remedy: 'compare latencies under order: paired',
      },
    ];
  }
  return [];
};

/** Less in flight than was asked for: latencies are not those of that load. */
export const ceiling: WarningRule = ({ plan: { load, largestSlice } }) =>
  // Under open load it is a limit, not a wish.
  load.mode === 'open' || largestSlice >= load.concurrency
    ? []
    : [
        {
          what: `at most ${largestSlice} requests were in flight, of the ${load.concurrency} that load.concurrency allows`,
          cause: `a variant is sent in slices of at most ${counted(largestSlice, 'trial')}, each drained before the next begins`,
          remedy:
            load.steps === null
              ? 'add prompts or seeds, or take order: mixed for load instead of comparison'
              : 'add prompts, seeds or repeats, or leave the larger steps out',
        },
      ];

/** Requests that were sent by a process that was killed: what became of them is not known. */
export const unanswered: WarningRule = ({ unanswered: count }) =>
  count === 0
    ? []
    : [
        {
          what: `${counted(count, 'request')} had been sent and not answered`,
          cause: 'the process was killed while they were in flight',
          remedy: 'they may have been charged: look at the account of the service',
        },
      ];

/** Whether a variant is deterministic needs two takes. */
export const singleTakes: WarningRule = ({ plan }) =>
  plan.repeats > 1
    ? []
    : [
        {
          what: 'determinism cannot be seen: each prompt and seed was taken once',
          cause: 'repeats is 1',
          remedy: 'set repeats to 2 or more',
        },
      ];

/** Latencies too few for the interval of a p95. */
export const fewTakes: WarningRule = ({ variants, trials, plan: { load } }) => {
  const needed = fewestForInterval(95, CONFIDENCE);
  const few = variants
    .map(({ name }) => ({ name, n: fewestTakes(trials.filter(({ sample }) => sample.trial.variant === name)) }))
    .filter(({ n }) => n > 0 && n < needed);
  if (few.length === 0) return [];
  const sizes = few.map(({ n }) => n);
  const range = `n = ${Math.min(...sizes)} to ${Math.max(...sizes)}`;
  return [
    {
      what:
        few.length > 3 && few.length === variants.length
          ? `the p95 latency of none of the ${few.length} variants has an interval (${range})`
          : `the p95 latency of ${listed(few.map(({ name, n }) => `${name} (n = ${n})`))} has no interval`,
      cause: `a 95 % interval of the 95th percentile needs ${needed} latencies`,
      remedy: `plan prompts x seeds x repeats of at least ${needed} a variant${load.mode === 'closed' && load.steps !== null ? ' and step' : ''}`,
    },
  ];
};

/** Latencies of a variant; of a sweep, those of the step that has the fewest, since each has quantiles of its own. */
function fewestTakes(trials: readonly JudgedSample[]): number {
  const steps = groupBy(trials, ({ sample }) => sample.trial.step ?? null);
  const sizes = [...steps.values()].map(
    (own) => own.filter(({ outcome }) => outcome === 'ok' || outcome === 'timed_out').length,
  );
  return sizes.length === 0 ? 0 : Math.min(...sizes);
}

/** Without a warm-up, or with one that failed, the first trials may carry what a cold start costs. */
export const coldStart: WarningRule = ({ plan, variants, warmups }) => {
  if (plan.load.warmup === 0) {
    return [
      {
        what: 'nothing was warmed up',
        cause: 'warmup is 0, so the first trials may carry a cold start and the opening of connections',
        remedy: 'set load.warmup to 1 or more',
      },
    ];
  }
  const warm = new Set(warmups.filter(({ outcome }) => outcome === 'ok').map(({ sample }) => sample.trial.variant));
  const tried = new Set(warmups.map(({ sample }) => sample.trial.variant));
  const cold = variants.map(({ name }) => name).filter((name) => tried.has(name) && !warm.has(name));
  if (cold.length === 0) return [];
  return [
    {
      what: `no warm-up of ${listed(cold)} delivered`,
      cause: 'every one of them failed, so the first trials may carry a cold start',
      remedy: 'look at the warm-ups in samples.csv',
    },
  ];
};
