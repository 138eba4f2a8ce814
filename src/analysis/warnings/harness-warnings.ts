import { quantile } from '../../statistics/quantile.ts';
import { sortSample } from '../../statistics/sorted-sample.ts';
import type { Warning } from '../analysis.ts';
import { groupBy } from '../grouping.ts';
import { counted, listed, percent, roughly } from '../wording.ts';
import type { WarningRule } from './evidence.ts';

/** Calls of open load begun later than this (p99) were not sent as scheduled. */
const LATEST_START_MS = 5;

/** Calls of open load that were begun well after they were due. */
export const lateStarts: WarningRule = ({ trials, variants }) =>
  variants.flatMap(({ name }): Warning[] => {
    const lags = trials.flatMap(({ sample, phases }) =>
      sample.trial.variant === name && phases.startLagMs !== null ? [phases.startLagMs] : [],
    );
    if (lags.length === 0) return [];
    const sorted = sortSample(lags);
    const p99 = quantile(sorted, 99);
    const tail = p99 ?? sorted.at(-1) ?? 0;
    if (tail <= LATEST_START_MS) return [];
    return [
      {
        what: `calls of ${name} began late: start lag ${p99 === null ? 'at most' : 'p99'} ${roughly(tail)}`,
        cause: `this machine was late in beginning calls that were due; latency.response counts from when they were due and holds it, and the rate was not kept to ${LATEST_START_MS} ms`,
        remedy: 'leave the machine to the run, or lower load.rate',
      },
    ];
  });

/** Starts that found as many in flight as may be: the service did not get the load that the suite asks for. */
export const droppedStarts: WarningRule = ({ trials, variants, plan }) => {
  const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
  return variants.flatMap(({ name, outcomes }): Warning[] => {
    const dropped = outcomes.dropped ?? 0;
    const due = byVariant.get(name)?.length ?? 0;
    if (dropped === 0) return [];
    return [
      {
        what: `${dropped} of ${counted(due, 'start')} of ${name} were dropped (${percent(dropped / due)}): the offered rate was not reached`,
        cause: `when they were due, ${plan.load.concurrency} calls were in flight already, the ceiling that load.concurrency sets; the service got less than the rate, and latencies are those of that lesser load`,
        remedy:
          'the service does not sustain this rate: lower load.rate, or raise load.concurrency to see the queue grow',
      },
    ];
  });
};

/** Samples beside which requests that were given up may still have been running. */
export const orphaned: WarningRule = ({ run, trials, warmups, noCancel }) => {
  const beside = trials.filter(({ flags }) => flags.includes('orphans'));
  const given = run.orphans ?? 0;
  if (beside.length === 0 && given === 0) return [];
  // Calls are aborted by the user's second interrupt alone: no limit is to be raised for that.
  const all = [...trials, ...warmups];
  const interrupted = all.some(({ sample }) => sample.error?.code === 'cancelled');
  const names = [...new Set(beside.map(({ sample }) => sample.trial.variant))];
  const left = all.flatMap(({ outcome, sample }) =>
    outcome === 'timed_out' || outcome === 'cancelled' ? [sample.trial.variant] : [],
  );
  const endless = noCancel.filter((name) => left.includes(name));
  const cancel =
    endless.length === 0
      ? ''
      : `; if the service can cancel a job, declare how in wait.cancel of the target of ${listed(endless)}`;
  const marked =
    beside.length === 0
      ? 'no sample ran beside them'
      : `${counted(beside.length, 'sample')} of ${listed(names)} may have run beside them (flag orphans)`;
  return [
    {
      what: `${given === 0 ? 'requests were' : `${counted(given, 'request')} ${given === 1 ? 'was' : 'were'}`} given up and may have gone on at the service; ${marked}`,
      cause: interrupted
        ? 'the run was interrupted and aborted them; the service may still work on them'
        : 'a request that is given up at its time limit may still run at the service, so more was in flight there than here',
      remedy: `${interrupted ? 'wait until the service is idle before another run' : 'raise limits.timeout, so that fewer requests are given up'}${cancel}`,
    },
  ];
};
