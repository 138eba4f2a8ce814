import { expect, it } from 'vitest';
import { growingQueue } from '../../../src/analysis/warnings/queue-grows.ts';
import { buildOk } from '../../fixtures/stored-run-builder.ts';
import { A, holds, OPEN, of, repeat, take } from '../../fixtures/warning-evidence.ts';

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

holds({
  queue_grows: [
    ['closed load', { trials: queued(8) }],
    ['a calm queue', { plan: OPEN, trials: queued(0) }],
    ['a queue', { plan: OPEN, trials: queued(8) }, grown({ lastMs: 40_000 })],
    [
      'time-outs, and a failure that is neither an answer nor done',
      { plan: OPEN, trials: [...queued(7), call(39.5, 0, 'error')] },
      grown({ lastMs: null, donePerSecond: 20 / 39.5 }),
    ],
  ],
});
