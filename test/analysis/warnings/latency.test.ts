import { LATENCY } from '../../../src/analysis/warnings/latency.ts';
import type { Unfitness } from '../../../src/record/calibration.ts';
import { buildCalibration, buildFailure } from '../../fixtures/stored-run-builder.ts';
import {
  A,
  type Case,
  dependence,
  flagged,
  holds,
  lagged,
  load,
  loaded,
  OPEN,
  of,
  probedCases,
  RUN,
  repeat,
  shards,
  slow,
  take,
  throttled,
  unfit,
  variant,
  wakes,
} from '../../fixtures/warning-evidence.ts';

const orphaned = (change: object) => ({
  ...{ requests: 0, samples: 1, variants: ['a'], interrupted: false, withoutCancel: [] },
  ...change,
});
const limited = (change: object) => ({
  ...{ variants: ['a'], trials: 1, waitedMs: 0, servedPerSecond: null },
  ...change,
});
const stalled = (medianMs: number, longestMs: number, hiddenCalls: number, calls: number) => ({
  ...{ ...A, step: null, takes: 1, longestMs, medianMs, hiddenCalls, calls },
});
const stall = (step: number, longestMs: number) =>
  [100, 100, 100, 100, 100, longestMs].map((totalMs) => slow(totalMs, { trial: { step } }));
const drops = (dropped: number) => [variant('a', { outcomes: { dropped } })];
const MOST_LATE = { ...wakes(8), statistic: 'max' as const };
const SAVING = [
  { code: 'battery' },
  { code: 'governor', governor: 'powersave' },
  { code: 'energy_preference' },
  { code: 'platform_profile', profile: 'quiet' },
].map((by) => ({ code: 'saves_power', by }) as Unfitness);
/** Takes of 1 s whose last poll that said not yet was so long before the one that said done. */
const polled = (gapMs: number, step: number | null = null) =>
  repeat(9, () => {
    const one = slow(1000, step === null ? {} : { trial: { step } });
    const timings = { ...one.timings, generationMs: 990, generationLowMs: 990 - gapMs };
    return { ...one, timings, sample: { ...one.sample, polls: 3 } };
  });

holds('latency', LATENCY, {
  served_from_cache: probedCases('cached'),
  dropped_starts: [
    ['none', { trials: [take()] }],
    [
      'two of four',
      {
        plan: { ...OPEN, load: { ...OPEN.load, concurrency: 8 } },
        variants: drops(2),
        trials: repeat(4, () => take()),
      },
      { ...A, dropped: 2, starts: 4 },
    ],
    ['at most one in flight', { plan: OPEN, variants: drops(1), trials: [take()] }, { ...A, dropped: 1, starts: 1 }],
  ],
  late_starts: [
    ['5 ms', { trials: repeat(200, () => lagged(5)) }],
    ['unknown', { trials: [lagged(null)] }],
    ['the largest of few', { trials: [lagged(1), lagged(5.1)] }, { ...A, lagMs: 5.1, statistic: 'max' }],
    ['the p99 of many', { trials: repeat(200, () => lagged(6)) }, { ...A, lagMs: 6, statistic: 'p99' }],
  ],
  service_stalled: [
    ['ten times the median', { trials: [...repeat(9, () => slow(100)), slow(1000)] }],
    ['half a second more', { trials: [...repeat(9, () => slow(40)), slow(540)] }],
    ['too few takes', { trials: [...repeat(4, () => slow(100)), slow(1100)] }],
    ['no median', { trials: [...repeat(9, () => slow(0)), slow(1000)] }],
    ['too few hidden calls', { trials: [...repeat(1010, () => slow(100)), slow(1100)] }],
    ['open load', { plan: OPEN, trials: [...repeat(9, () => slow(100)), slow(1100)] }],
    ['a failed take', { trials: [...repeat(9, () => slow(100)), slow(1100, { outcome: 'error' })] }],
    ['too few, and one of two processes', { trials: [...repeat(4, () => slow(100)), slow(1100), slow(null)] }],
    [
      'the longest of a sweep',
      { trials: [1, 4, 8].flatMap((step) => stall(step, step === 4 ? 1200 : 1100)) },
      { ...stalled(100, 1200, 11, 6), step: 4 },
    ],
    ['a take of two processes', { trials: [...repeat(9, () => slow(100)), slow(null)] }],
    ['above ten times the median', { trials: [...repeat(5, () => slow(100)), slow(1100)] }, stalled(100, 1100, 10, 6)],
    ['above half a second more', { trials: [...repeat(9, () => slow(40)), slow(600)] }, stalled(40, 600, 14, 10)],
    ['enough hidden calls', { trials: [...repeat(990, () => slow(100)), slow(1100)] }, stalled(100, 1100, 10, 991)],
  ],
  coarse_polls: [
    ['without polls', { trials: repeat(9, () => slow(1000)) }],
    ['10 %', { trials: polled(100) }],
    ['above 10 %', { trials: polled(110) }, { ...A, step: null, gapMs: 110, medianMs: 1000 }],
    [
      'the worst step of a sweep',
      { trials: [...polled(200, 2), ...polled(400, 4), ...polled(300, 8)] },
      { ...A, step: 4, gapMs: 400, medianMs: 1000 },
    ],
  ],
  flags_disagree: [
    ['agreeing or unknown', { flagged: [flagged('a', 1, true), flagged('a', 1, null)] }],
    [
      'beyond the time limit with them',
      {
        flagged: [{ ...flagged('a', 1, false), step: 4, withFlagged: { valueMs: null, lowMs: 1, highMs: null, n: 9 } }],
      },
      { ...A, step: 4, withFlaggedMs: null, withoutFlaggedMs: 100 },
    ],
    ['apart', { flagged: [flagged('a', 1, false)] }, { ...A, step: null, withFlaggedMs: 100, withoutFlaggedMs: 100 }],
  ],
  dependent_takes: [
    ['significant and wider', dependence({}), { ...A, step: 4, r: 0.5, n: 60, effectiveN: 30 }],
    ['not significant', dependence({ significant: false })],
    ['not wider', dependence({ time: 1 })],
    ['unknown', dependence({ r: null })],
  ],
  abandoned_requests: [
    ['calm', {}],
    ['counted beside no take', { run: { ...RUN, orphans: 2 } }, orphaned({ requests: 2, samples: 0, variants: [] })],
    ['beside a take', { run: { ...RUN, orphans: 0 }, trials: [take({ flags: ['orphans'] }), take()] }, orphaned({})],
    [
      'of variants that cannot be cancelled, of which one was aborted by the user',
      {
        run: { ...RUN, orphans: null },
        noCancel: ['a', 'b', 'c'],
        trials: [take({ flags: ['orphans'] }), take({ ...of('c') }), take({ ...of('a'), outcome: 'timed_out' })],
        warmups: [{ ...take(), outcome: 'cancelled', sample: buildFailure('cancelled', of('b')) }],
      },
      orphaned({ requests: null, interrupted: true, withoutCancel: ['a', 'b'] }),
    ],
  ],
  unfit_machine: [
    ['not calibrated', {}],
    ...[loaded(9, 3), wakes(6), MOST_LATE, ...SAVING].map(
      (reason): Case => [
        `before the run: ${JSON.stringify(reason)}`,
        { run: { ...RUN, calibration: buildCalibration({ unfit: [reason] }) } },
        { shards: [], reason },
      ],
    ),
    ['of one shard', shards(2, { merged: [unfit(1), unfit(2, wakes(7))] }), { shards: [2], reason: wakes(7) }],
    ['fit shards', shards(2, { merged: [unfit(1), unfit(2)] })],
    [
      'of shards each kind of reason, the worst first',
      shards(4, {
        merged: [
          ...[unfit(4, loaded(9, 3)), unfit(1, loaded(8, 4), wakes(6)), unfit(3, wakes(7)), unfit(2, loaded(9, 3))],
        ],
      }),
      { shards: [2, 4, 1], reason: loaded(9, 3) },
      { shards: [3, 1], reason: wakes(7) },
    ],
  ],
  rate_limited: [
    ['none', { trials: [take()] }],
    ['one alone', { trials: [throttled(1, 100)] }, limited({ trials: 1, waitedMs: 1 })],
    [
      'the rate of what was accepted of its variants',
      {
        trials: [
          ...[throttled(400, 1000), throttled(0, 2000), take({ outcome: 'throttled', sample: { endedMs: 1600 } })],
          take({ ...of('b'), sample: { endedMs: 9000 } }),
        ],
      },
      limited({ trials: 2, waitedMs: 400, servedPerSecond: 2 / 2.4 }),
    ],
    [
      'of one shard',
      { ...shards(1), trials: [throttled(1, 999), throttled(0, 500)] },
      limited({ waitedMs: 1, servedPerSecond: 2 }),
    ],
    ['under open load', { plan: OPEN, trials: [throttled(2500, 100)] }, limited({ waitedMs: 2500 })],
    ['at concurrency 4', { plan: load({ concurrency: 4 }), trials: [throttled(1, 100)] }, limited({ waitedMs: 1 })],
    ['of two', { ...shards(2), trials: [throttled(1, 999), throttled(0, 500)] }, limited({ waitedMs: 1 })],
    [
      'in no time',
      { trials: [throttled(0.001, -0.001), throttled(0.001, -0.001)] },
      limited({ trials: 2, waitedMs: 0.002 }),
    ],
  ],
});
