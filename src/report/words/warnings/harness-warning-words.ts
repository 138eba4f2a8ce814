import type { WarningOf } from '../../../analysis/warning-codes/coded-warning.ts';
import type { HarnessWarning, LateVariant } from '../../../analysis/warning-codes/harness-warning.ts';
import {
  count,
  duration,
  durationUnit,
  listed,
  listedInShort,
  MOST_WHOLE,
  oneOf,
  plural,
  share,
} from '../../../kit/wording.ts';
import type { PowerSaving, Unfitness } from '../../../record/calibration.ts';
import { variantNames } from '../names.ts';
import type { WarningText, WordsOf } from './warning-text.ts';

export const HARNESS_WARNING_WORDS: WordsOf<HarnessWarning['code']> = {
  too_many_late_stamps: lateStampsWords,
  flags_disagree: flagsWords,
  late_starts: lateStartsWords,
  dropped_starts: droppedWords,
  abandoned_requests: abandonedWords,
  unfit_machine: (warning) => {
    const { what, cause, remedy } = unfitnessWords(warning.reason, 'before');
    return { what: `${shardsPrefix(warning.shards)}before the run, ${what}`, cause, remedy };
  },
};

/** The first shard is the worst. */
function shardsPrefix(shards: readonly number[] | null): string {
  const [worst, ...others] = shards ?? [];
  if (worst === undefined) return '';
  if (others.length === 0) return `shard ${count(worst)}: `;
  return `${plural(others.length + 1, 'shard')} (shard ${count(worst)} is the worst): `;
}

function lateStampsWords({
  variants,
  ofVariants,
  loopDelay,
  mode,
  concurrency,
}: WarningOf<'too_many_late_stamps'>): WarningText {
  const spelled = ({ variant, late, samples }: LateVariant) =>
    `${count(late)} of ${plural(samples, 'take')} of ${variant} (${share(late / samples)})`;
  const [worst] = variants.toSorted((a, b) => b.late / b.samples - a.late / a.samples);
  const who = variants.map(({ variant }) => variant);
  const names =
    variants.length <= MOST_WHOLE || worst === undefined
      ? `${listed(variants.map(spelled))} were timestamped late`
      : `takes of ${variantNames(who, ofVariants)} were timestamped late, worst ${worst.variant} (${count(worst.late)} of ${count(worst.samples)})`;
  const delay = loopDelay === null ? '' : ` (up to ${duration(loopDelay.maxMs)}, p99 ${duration(loopDelay.p99Ms)})`;
  const isVoid = variants.filter(({ agree }) => agree !== true).map(({ variant }) => variant);
  return {
    what: `this machine could not keep up: ${voidWords(isVoid, ofVariants)}`,
    cause: `${names}, because the thread that takes timestamps had to wait${delay}; the numbers reflect this machine as well as the service${agreementWords(variants)}`,
    remedy: quieterWords(mode, concurrency),
  };
}

/** What must not be used: the tails always, p50 only where it is not shown to be the same without the late takes. */
function voidWords(isVoid: readonly string[], ofVariants: number): string {
  if (isVoid.length === 0) return 'do not rely on p95 and small differences';
  if (isVoid.length === ofVariants) return 'do not use these latencies';
  const who =
    isVoid.length > MOST_WHOLE ? `${count(isVoid.length)} of ${plural(ofVariants, 'variant')}` : listed(isVoid);
  return `do not use the latencies of ${who}`;
}

function quieterWords(mode: WarningOf<'too_many_late_stamps'>['mode'], concurrency: number): string {
  const load = mode === 'open' ? ['lower load.rate'] : concurrency > 1 ? ['lower load.concurrency'] : [];
  return oneOf(['run nothing else on this machine', ...load, 'use a faster machine']);
}

/** Whether p50 agrees without late takes; says nothing of a p50 that too few takes are left for. */
function agreementWords(variants: readonly LateVariant[]): string {
  const agreeing = variants.filter(({ agree }) => agree === true);
  if (agreeing.length === variants.length) return '; p50 with and without these takes agree';
  const parts = [
    ...(variants.some(({ agree }) => agree === false) ? ['p50 with and without these takes do not agree'] : []),
    ...(agreeing.length === 0 ? [] : [`p50 of ${listedInShort(agreeing.map(({ variant }) => variant))} agrees`]),
  ];
  return parts.map((part) => `; ${part}`).join('');
}

function flagsWords({ variant, step, withFlaggedMs, withoutFlaggedMs }: WarningOf<'flags_disagree'>): WarningText {
  const unit = durationUnit([withFlaggedMs, withoutFlaggedMs]);
  const words = (ms: number | null) => (ms === null ? 'above the time limit' : duration(ms, unit));
  return {
    what: `p50 of ${variant}${step === null ? '' : ` at concurrency ${count(step)}`} is ${words(withFlaggedMs)} with its flagged takes and ${words(withoutFlaggedMs)} without them; their intervals do not overlap`,
    cause: 'the cause of the flags changed the latencies, or occurs more often in long calls',
    remedy: 'use neither number; fix what was flagged and measure again',
  };
}

function lateStartsWords({ variant, lagMs, statistic, limitMs }: WarningOf<'late_starts'>): WarningText {
  return {
    what: `calls of ${variant} started late: start lag ${statistic === 'p99' ? 'p99' : 'at most'} ${duration(lagMs)}`,
    cause: `this machine started calls more than ${limitMs} ms after they were due; latency.response includes this delay, because it counts from when a call was due`,
    remedy: 'run nothing else on this machine, or lower load.rate',
  };
}

function droppedWords({ variant, dropped, starts, concurrency }: WarningOf<'dropped_starts'>): WarningText {
  return {
    what: `${count(dropped)} of ${plural(starts, 'start')} of ${variant} were dropped (${share(dropped / starts)}): the offered rate was not reached`,
    cause: `${plural(concurrency, 'call')}, as many as load.concurrency allows, ${concurrency === 1 ? 'was' : 'were'} in flight when they were due; the service got less than the offered rate, and the latencies are of that lower load`,
    remedy: 'the service does not sustain this rate: lower load.rate, or raise load.concurrency to see the queue grow',
  };
}

function abandonedWords(warning: WarningOf<'abandoned_requests'>): WarningText {
  const { requests, samples, variants, interrupted, withoutCancel } = warning;
  const who =
    requests === null || requests === 0
      ? 'requests were'
      : `${plural(requests, 'request')} ${requests === 1 ? 'was' : 'were'}`;
  const marked =
    samples === 0
      ? 'no take was measured at that time'
      : `${plural(samples, 'take')} of ${listedInShort(variants)} may have run at that time (flag orphans)`;
  const cancel =
    withoutCancel.length === 0
      ? ''
      : `; if the service can cancel jobs, declare it in wait.cancel of the target of ${listedInShort(withoutCancel)}`;
  return {
    what: `${who} abandoned and may still have run at the service; ${marked}`,
    cause: interrupted
      ? 'the run was interrupted and aborted them; the service may still work on them'
      : 'a request that is abandoned at its time limit may still run at the service, so more requests ran there than were in flight here',
    remedy: `${interrupted ? 'wait until the service is idle before another run' : 'raise limits.timeout, so that fewer requests are abandoned'}${cancel}`,
  };
}

/** @param when the machine was checked: now, or before the run that is reported */
export function unfitnessWords(unfitness: Unfitness, when: 'now' | 'before'): WarningText {
  switch (unfitness.code) {
    case 'late_wake': {
      const { lateMs, statistic, n, limitMs } = unfitness;
      const found = `${statistic === 'p99' ? 'p99' : 'maximum'} of ${n} wake-ups`;
      return {
        what: `this machine ${when === 'now' ? 'wakes' : 'woke'} threads late: an idle thread ran up to ${lateMs.toFixed(1)} ms late (${found}; the limit is ${limitMs} ms)`,
        cause: 'other work uses the processor when replies are timestamped',
        remedy: 'close other programs, or use an idle machine, then calibrate again',
      };
    }
    case 'overloaded':
      return {
        what: `this machine ${when === 'now' ? 'is' : 'was'} overloaded: load average ${unfitness.loadAverage.toFixed(1)} on ${plural(unfitness.cores, 'core')}`,
        cause: 'in the last minute, more threads were ready to run than there are cores',
        remedy: 'wait until other work has ended, or use an idle machine',
      };
    case 'saves_power':
      return {
        what: `this machine ${when === 'now' ? 'saves' : 'saved'} power: ${powerSavingWords(unfitness.by)}`,
        cause: 'the processor is slowed down, and speeds up late when a reply arrives',
        remedy: 'plug it in and set it to full speed (cpupower frequency-set -g performance), then calibrate again',
      };
  }
}

function powerSavingWords(by: PowerSaving): string {
  switch (by.code) {
    case 'governor':
      return `the governor of its processor is ${by.governor}`;
    case 'energy_preference':
      return 'its processor prefers saving energy over speed';
    case 'platform_profile':
      return `its platform profile is ${by.profile}`;
    case 'battery':
      return 'it runs on battery';
  }
}
