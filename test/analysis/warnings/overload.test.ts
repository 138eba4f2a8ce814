import { expect, it } from 'vitest';
import { growingQueue } from '../../../src/analysis/measures/growing-queue.ts';
import { OVERLOAD } from '../../../src/analysis/warnings/overload.ts';
import { buildOk } from '../../fixtures/stored-run-builder.ts';
import {
  A,
  flagged,
  holds,
  lateTakes,
  load,
  OPEN,
  of,
  RUN,
  repeat,
  TWO,
  take,
  variant,
} from '../../fixtures/warning-evidence.ts';

const call = (dueS: number, waitMs: number, outcome: 'ok' | 'timed_out' | 'error' = 'ok') => {
  const at = { scheduledMs: 1000 * dueS, startedMs: 1000 * dueS, ...of('a') };
  return { ...take({ outcome, timings: { ...take().timings, responseMs: waitMs } }), sample: buildOk(waitMs, '', at) };
};
/** Five calls of each of so many parts of eight, which wait 5 s longer from part to part; the rest times out. */
const queued = (answered: number) =>
  repeat(40, (at) => {
    const part = Math.floor(at / 5);
    return call(at, answered === 0 ? 100 : 5000 * (part + 1), answered === 0 || part < answered ? 'ok' : 'timed_out');
  });
const grown = (change: object) => ({
  ...{ unfit: 'latencies', ...A, stage: null, offeredPerSecond: 1, donePerSecond: 20 / 39, firstMs: 5000 },
  ...change,
});
const RISING = [100, 200, 300, 400, 500, 600, 700, 800];
const SWAPPED = [200, 100, 400, 300, 500, 600, 700, 800];

/** One call a second, as many of each part; `left`: how many leave within the second half; others earlier or later. */
it.each<[is: string, waits: readonly number[], ofPart: number, left: number, found: readonly [number, number] | null]>([
  ['rises', RISING, 5, 17, [100, 800]],
  ['is served', RISING, 5, 18, null],
  ['has too few calls', RISING, 4, 0, null],
  ['rises by less than half', [100, 110, 115, 120, 125, 130, 135, 149], 5, 17, null],
  ['rises by half', [100, 110, 115, 120, 125, 130, 135, 150], 5, 17, [100, 150]],
  ['falls twice', SWAPPED, 5, 17, [200, 800]],
  ['falls three times', [...SWAPPED.slice(0, 4), 600, 500, 700, 800], 5, 17, null],
  ['ends in time-outs', [100, 200, 300, 400, 500, Infinity, Infinity, Infinity], 5, 17, [100, Infinity]],
])('a queue that %s', (_is, waits, ofPart, left, found) => {
  const calls = waits.flatMap((responseMs, part) =>
    repeat(ofPart, (at) => ({ dueMs: 1000 * (part * ofPart + at), responseMs })),
  );
  const halfMs = calls[calls.length / 2]?.dueMs ?? 0;
  const leaving = calls.map((one, at) => ({
    ...one,
    leftMs: at < left ? halfMs + 1 : ([halfMs - 1, 1e9, null][at % 3] ?? null),
  }));
  expect(growingQueue(leaving)).toEqual(found === null ? null : { firstMs: found[0], lastMs: found[1] });
  expect(growingQueue(leaving.map((one) => ({ ...one, dueMs: 0 })))).toBeNull();
});
const late = (change: object, ...variants: readonly (readonly [string, number, boolean | null])[]) => ({
  variants: variants.map(([name]) => name),
  late: variants.map(([, lateOnes]) => lateOnes),
  samples: variants.map(() => 100),
  agree: variants.map(([, , agree]) => agree),
  ...change,
});
const late30 = (agree: boolean | null) => ({ trials: lateTakes('a', 100), flagged: [flagged('a', 30, agree)] });
const MANY = repeat(8, (at) => `v${at}`);
/** A stage of so many seconds, and another one. */
const staged = (seconds: number, ratePerSecond: number) => ({
  ...OPEN,
  load: {
    ...OPEN.load,
    stages: [
      { ratePerSecond, forMs: 1000 * seconds },
      { ratePerSecond: 9, forMs: null },
    ],
  },
});

holds('overload', OVERLOAD, {
  queue_grows: [
    ['closed load', { trials: queued(8) }],
    ['a calm queue', { plan: OPEN, trials: queued(0) }],
    ['a queue', { plan: OPEN, trials: queued(8) }, grown({ lastMs: 40_000 })],
    [
      'time-outs, and a failure that is neither an answer nor done',
      { plan: OPEN, trials: [...queued(7), call(39.5, 0, 'error')] },
      grown({ lastMs: null, donePerSecond: 20 / 39.5 }),
    ],
    ['a stage', { plan: staged(40, 1), trials: queued(8) }, grown({ stage: 1, lastMs: 40_000 })],
  ],
  too_many_late_stamps: [
    ['none late', { variants: TWO, trials: repeat(20, () => take()) }],
    [
      'of two variants one agrees',
      {
        variants: TWO,
        trials: [...lateTakes('a', 100), ...lateTakes('b', 100)],
        flagged: [flagged('a', 30, true), flagged('b', 30, false)],
      },
      late({ unfit: 'latencies', unfitVariants: ['b'] }, ['a', 30, true], ['b', 30, false]),
    ],
    [
      'not of a variant with few, where the whole run has too many',
      {
        variants: TWO,
        trials: [...lateTakes('a', 100), ...lateTakes('b', 100)],
        flagged: [flagged('a', 40, true), flagged('b', 4, true)],
      },
      late({}, ['a', 40, true]),
    ],
    [
      'of a variant with more than 5 %, where the whole run has too many',
      {
        variants: TWO,
        trials: [...lateTakes('a', 100), ...lateTakes('b', 100)],
        flagged: [flagged('a', 40, true), flagged('b', 6, true)],
      },
      late({}, ['a', 40, true], ['b', 6, true]),
    ],
    ['of 6 % that are few', { trials: lateTakes('a', 100), flagged: [flagged('a', 6, true)] }],
    [
      'of other flags',
      { trials: lateTakes('a', 100), flagged: [{ ...flagged('a', 0, false), flags: { orphans: 50 } }] },
    ],
    [
      'one, which moves the median',
      { trials: lateTakes('a', 100), flagged: [flagged('a', 1, false)] },
      late({ unfit: 'latencies' }, ['a', 1, false]),
    ],
    [
      'of a variant that is a small part of the run',
      { variants: TWO, trials: [...lateTakes('a', 100), ...lateTakes('b', 2000)], flagged: [flagged('a', 30, true)] },
      late({}, ['a', 30, true]),
    ],
    [
      'of one step, where another flag moves the median of another',
      {
        trials: lateTakes('a', 100),
        flagged: [flagged('a', 30, true), { ...flagged('a', 0, false), flags: { orphans: 9 } }],
      },
      late({}, ['a', 30, true]),
    ],
    [
      'of a machine whose event loop was watched, at a concurrency that can be lowered',
      {
        run: { ...RUN, loopDelay: { p50Ms: 1, p99Ms: 48, maxMs: 310 } },
        plan: load({ concurrency: 4 }),
        ...late30(null),
      },
      late({ unfit: 'latencies' }, ['a', 30, null]),
    ],
    ['under open load', { plan: OPEN, ...late30(true) }, late({}, ['a', 30, true])],
    [
      'of so many variants that the worst is named',
      {
        variants: MANY.map((name) => variant(name)),
        trials: MANY.flatMap((name) => lateTakes(name, 100)),
        flagged: MANY.map((name, at) => flagged(name, 30 + at, at > 6)),
      },
      late(
        { unfit: 'latencies', unfitVariants: MANY.slice(0, 7) },
        ...MANY.map((name, at) => [name, 30 + at, at > 6] as const),
      ),
    ],
  ],
});
