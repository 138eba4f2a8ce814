import { groupBy } from '../../kit/grouping.ts';
import { atStep } from '../../kit/names.ts';
import { count, duration, durationUnit, elapsed, listedInShort, plural, rateUnit, share } from '../../kit/wording.ts';
import type { Unfitness } from '../../record/calibration.ts';
import { sum } from '../../statistics/mean.ts';
import { median, quantile, sortSample } from '../../statistics/quantile.ts';
import { worth } from '../dependence.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { unfitnessWords } from '../incomplete.ts';
import { coarsePolls, MOST_LEFT_OPEN, ownTimeMs, pollRemedy } from '../sample-times.ts';
import { limitedDuration, ratePer } from './overload.ts';
import { probed, rules, variantsOf } from './warning-rule.ts';

/** p99 in milliseconds above which calls were not sent as scheduled. */
const LATEST_START_MS = 5;

/** What makes latencies other than those of the service under the declared load, or less sure than they look. */
export const LATENCY = rules(
  probed('cached', { code: 'served_from_cache', meaning: 'Repeats come from a cache.' }),
  {
    code: 'dropped_starts',
    meaning: 'Open load: starts that were due while the ceiling was reached.',
    find: ({ trialsOf, variants, plan }) =>
      variants.flatMap(({ name, outcomes: { dropped = 0 } }) => {
        const [starts, { concurrency }] = [trialsOf(name).length, plan.load];
        if (dropped === 0) return [];
        return [
          {
            variants: [name],
            facts: { dropped, starts },
            what: `${count(dropped)} of ${plural(starts, 'start')} of ${name} ${dropped === 1 ? 'was' : 'were'} dropped (${share(dropped / starts)}): the offered rate was not reached`,
            cause: `${plural(concurrency, 'take')}, as many as load.concurrency allows, ${concurrency === 1 ? 'was' : 'were'} in flight when they were due; the service got less than the offered rate, and the latencies are of that lower load`,
            remedy:
              'the service does not sustain this rate: lower load.rate, or raise load.concurrency to see the queue grow',
          },
        ];
      }),
  },
  {
    code: 'late_starts',
    meaning: 'Open load: this machine started takes late.',
    find: ({ trialsOf, variants }) =>
      variants.flatMap(({ name }) => {
        const lags = sortSample(trialsOf(name).flatMap(({ timings }) => timings.startLagMs ?? []));
        const p99 = quantile(lags, 99);
        const lagMs = p99 ?? lags.at(-1) ?? 0;
        if (lagMs <= LATEST_START_MS) return [];
        const statistic = p99 === null ? 'max' : 'p99';
        return [
          {
            variants: [name],
            facts: { lagMs, statistic },
            what: `takes of ${name} started late: start lag ${statistic === 'p99' ? 'p99' : 'at most'} ${duration(lagMs)}`,
            cause: `this machine started takes more than ${LATEST_START_MS} ms after they were due; latency.response includes this delay, because it counts from when a take was due`,
            remedy: 'run nothing else on this machine, or lower load.rate',
          },
        ];
      }),
  },
  {
    code: 'service_stalled',
    meaning: 'Closed load: calls that were not made because of a stall (coordinated omission).',
    find: ({ plan: { load }, variants, bySteps }) => {
      if (load.mode !== 'closed') return [];
      return variants.flatMap(({ name }) => {
        const stalls = bySteps(name).flatMap(([step, takes]) => stallsIn(takes).map((stall) => ({ step, ...stall })));
        const worst = stalls.sort((a, b) => b.longestMs - a.longestMs).slice(0, 1);
        return worst.map((stall) => ({
          variants: [name],
          facts: { ...stall },
          what: `${name} stalled${atStep(stall.step, load)}: ${plural(stall.takes, 'take')} took up to ${duration(stall.longestMs)}, but p50 is ${duration(stall.medianMs)}; its p95 and p99 may be far too low`,
          cause: `closed load starts no new takes while the service stalls: about ${plural(Math.round(stall.hiddenCalls), 'take')} that would have waited are missing, beside the ${count(stall.calls)} made (coordinated omission)`,
          remedy:
            'measure with load.mode: open, which starts takes at scheduled times and counts latency from then; closed load cannot show how long new callers would have waited',
        }));
      });
    },
  },
  {
    code: 'coarse_polls',
    meaning: 'The gap between polls is more than 10 % of p50.',
    find: ({ plan: { load }, bySteps, variants }) =>
      variants.flatMap(({ name, target }) => {
        const coarse = bySteps(name).flatMap(([step, takes]) => {
          const gap = coarsePolls(takes, MOST_LEFT_OPEN);
          return gap === null ? [] : [{ step, ...gap }];
        });
        const worst = coarse.sort((a, b) => b.gapMs / b.medianMs - a.gapMs / a.medianMs).slice(0, 1);
        return worst.map(({ step, gapMs, medianMs }) => ({
          variants: [name],
          facts: { step, gapMs, medianMs },
          what: `Retake asked for results of ${name}${atStep(step, load)} only every ${duration(gapMs)}: latencies may be too long by that (${share(gapMs / medianMs)} of p50)`,
          brief: `latencies of ${name}${atStep(step, load)}: up to ${duration(gapMs)} too long, as Retake asks that seldom`,
          cause:
            'a result is seen only when Retake asks next; the time is the median from the last answer "not yet" to the answer "done"',
          remedy: `${pollRemedy(medianMs) ?? 'set a shorter wait.poll.min_every'} in the target ${target}, if the service allows it; until then, the true time lies between generation_low_ms and generation_ms`,
        }));
      }),
  },
  {
    code: 'flags_disagree',
    meaning: 'The medians with and without flagged samples have disjoint intervals.',
    find: ({ plan: { load }, flagged }) =>
      flagged
        .filter(({ agree }) => agree === false)
        .map(({ variant, step, withFlagged, withoutFlagged }) => {
          const [withMs, withoutMs] = [withFlagged.valueMs, withoutFlagged.valueMs];
          const unit = durationUnit([withMs, withoutMs]);
          return {
            variants: [variant],
            facts: { step, withFlaggedMs: withMs, withoutFlaggedMs: withoutMs },
            what: `p50 of ${variant}${atStep(step, load)} is ${limitedDuration(withMs, unit)} with its disturbed (flagged) takes and ${limitedDuration(withoutMs, unit)} without them; their intervals do not overlap`,
            cause: 'what disturbed these takes made them slower, or disturbs long takes more often',
            remedy: 'use neither number; stop what disturbs the takes, and measure again',
          };
        }),
  },
  {
    code: 'dependent_takes',
    meaning: 'Takes depend on those sent before them, and intervals are wider for it.',
    find: ({ plan: { load }, dependences }) =>
      dependences.flatMap(({ variant, step, dependence }) => {
        const { significant: isSignificant, time, r, n } = dependence;
        // Differences of cells may outweigh a significant dependence: then no interval is wider.
        if (!isSignificant || time <= 1 || r === null) return [];
        const effectiveN = worth(n, dependence);
        const [takes, independent] = [plural(n, 'take'), Math.max(1, Math.round(effectiveN))];
        return [
          {
            variants: [variant],
            facts: { step, r, n, effectiveN },
            what: `latency of ${variant}${atStep(step, load)} drifted or came in waves: ${takes} are as sure as about ${plural(independent, 'independent one')}`,
            brief: `latency of ${variant}${atStep(step, load)} drifted or came in waves: ${takes} are as sure as about ${count(independent)}`,
            cause: `the service was slower at some times than at others, so takes close in time are alike (r = ${r.toFixed(2)})`,
            remedy:
              'spread the run over more time, or add repeats; differences within a pair of takes cancel slow changes',
          },
        ];
      }),
  },
  {
    code: 'abandoned_requests',
    meaning: 'Requests may still have run at the service; samples ran at the same time.',
    find: ({ run: { orphans: requests }, trials, warmups, noCancel }) => {
      const beside = trials.filter(({ flags }) => flags.includes('orphans'));
      if (beside.length === 0 && (requests ?? 0) === 0) return [];
      const all = [...trials, ...warmups];
      const lost = variantsOf(all.filter(({ outcome }) => outcome === 'timed_out' || outcome === 'cancelled'));
      // Only the user's second interrupt aborts calls: no limit should be raised for that.
      const interrupted = all.some(({ sample }) => sample.error?.code === 'cancelled');
      const [samples, variants] = [beside.length, variantsOf(beside)];
      const withoutCancel = noCancel.filter((name) => lost.includes(name));
      const who =
        (requests ?? 0) === 0
          ? 'requests were'
          : `${plural(requests ?? 0, 'request')} ${requests === 1 ? 'was' : 'were'}`;
      const marked =
        samples === 0
          ? 'no take was measured at that time'
          : `${plural(samples, 'take')} of ${listedInShort(variants)} may have run at that time (flag orphans)`;
      const cancel =
        withoutCancel.length === 0
          ? ''
          : `; if the service can cancel jobs, declare it in wait.cancel of the target of ${listedInShort(withoutCancel)}`;
      return [
        {
          variants,
          facts: { requests, samples, interrupted, withoutCancel },
          what: `${who} abandoned and may still have run at the service; ${marked}`,
          cause: interrupted
            ? 'the run was interrupted and aborted them; the service may still work on them'
            : 'a request that is abandoned at its time limit may still run at the service, so more requests ran there than were in flight here',
          remedy: `${interrupted ? 'wait until the service is idle before another run' : 'raise limits.timeout, so that fewer requests are abandoned'}${cancel}`,
        },
      ];
    },
  },
  {
    code: 'unfit_machine',
    meaning: 'Calibration found it before the run.',
    find: ({ run: { calibration, shards } }) => {
      if (shards === null) return (calibration?.unfit ?? []).map((reason) => unfitOf(reason, []));
      const reasons = shards.merged.flatMap(({ index, unfit }) => unfit.map((reason) => ({ index, reason })));
      return [...groupBy(reasons, ({ reason }) => reason.code).values()].flatMap((group) => {
        const worstFirst = group.toSorted((a, b) => badness(b.reason) - badness(a.reason) || a.index - b.index);
        const indices = worstFirst.map(({ index }) => index);
        return worstFirst.slice(0, 1).map(({ reason }) => unfitOf(reason, indices));
      });
    },
  },
  {
    code: 'rate_limited',
    meaning: 'Rate-limited trials.',
    find: ({ run: { shards }, trials, plan: { load } }) => {
      // Includes refusals that were waited out.
      const refused = trials.filter(({ sample, outcome }) => sample.throttleWaitMs > 0 || outcome === 'throttled');
      if (refused.length === 0) return [];
      const variants = variantsOf(refused);
      // With several machines the service's rate at one time is unknown.
      const isTimed = shards === null || shards.of < 2;
      const takes = trials.filter(({ sample }) => variants.includes(sample.trial.variant));
      const served = takes.filter(({ outcome }) => outcome !== 'throttled').length;
      const timeMs = ownTimeMs(takes.map(({ sample }) => sample));
      const servedPerSecond = !isTimed || served < 2 || timeMs === 0 ? null : served / (timeMs / 1000);
      const waitedMs = sum(refused.map(({ sample }) => sample.throttleWaitMs));
      const isOpen = load.mode === 'open';
      const at = isOpen ? 'this rate' : `concurrency ${count(load.concurrency)}`;
      const accepted =
        servedPerSecond === null ? '' : ` (${ratePer(servedPerSecond, rateUnit([servedPerSecond]))} were accepted)`;
      return [
        {
          variants,
          facts: { trials: refused.length, waitedMs, servedPerSecond },
          what: `${plural(refused.length, 'take')} of ${listedInShort(variants)} ${refused.length === 1 ? 'was' : 'were'} rate-limited`,
          cause: `the service refuses requests at ${at}${accepted}; ${elapsed(waitedMs)} of waiting ${isOpen ? 'counts in latency.response, not in latency.total' : 'does not count in latency'}`,
          remedy: `${isOpen ? 'lower load.rate' : load.concurrency === 1 ? 'send below the limit with load: { mode: open, rate: ... }' : 'lower load.concurrency'}, or ask the service for a higher limit`,
        },
      ];
    },
  },
);

/** A stall is this many times the median ... */
const TIMES_MEDIAN = 10;
/** ... and longer by this much, since short latencies vary by tens of milliseconds. */
const LONGER_BY_MS = 500;
/** Calls never begun matter to a tail from this share of those that were. */
const FEWEST_HIDDEN = 0.01;
/** Fewer takes give a median without an interval. */
const FEWEST_TAKES = 6;

/**
 * Stalls of closed load, at most one: callers arriving meanwhile are not in the numbers (coordinated omission; Tene, How
 * NOT to measure latency, 2013). Found if calls took over ten times their variant's median and half a second more, and
 * the calls never begun (each such latency over the median) are at least 1 % of all: then a p99 is too low.
 */
function stallsIn(samples: readonly EffectiveSample[]) {
  // A single call may be lost without a stall, and a time-out ranks above every latency anyway.
  const latencies = samples.flatMap(({ outcome, timings }) =>
    outcome === 'ok' && timings.totalMs !== null ? [timings.totalMs] : [],
  );
  if (latencies.length < FEWEST_TAKES) return [];
  const medianMs = median(sortSample(latencies)) ?? 0;
  const long = latencies.filter((ms) => ms > TIMES_MEDIAN * medianMs && ms - medianMs > LONGER_BY_MS);
  if (long.length === 0 || medianMs === 0) return [];
  const hiddenCalls = sum(long.map((ms) => ms / medianMs - 1));
  if (hiddenCalls < FEWEST_HIDDEN * latencies.length) return [];
  const longestMs = long.reduce((most, ms) => Math.max(most, ms), 0);
  return [{ takes: long.length, longestMs, medianMs, hiddenCalls, calls: latencies.length }];
}

/** @param shards of a merged run, the shards whose machines it was found against, the worst first; none of any other */
function unfitOf(reason: Unfitness, shards: readonly number[]) {
  const { what, cause, remedy } = unfitnessWords(reason, 'before');
  return {
    variants: [],
    facts: { shards, reason },
    what: `${shardsPrefix(shards)}before the run, ${what}`,
    cause,
    remedy,
  };
}

function badness(reason: Unfitness): number {
  if (reason.code === 'late_wake') return reason.lateMs;
  return reason.code === 'overloaded' ? reason.loadAverage / reason.cores : 0;
}

function shardsPrefix([worst, ...others]: readonly number[]): string {
  if (worst === undefined) return '';
  if (others.length === 0) return `shard ${count(worst)}: `;
  return `${plural(others.length + 1, 'shard')} (shard ${count(worst)} is the worst): `;
}
