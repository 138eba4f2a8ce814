import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TimedPixels } from '../../../src/media/pixels.ts';
import { framesAt, middleTimes } from '../../../src/media/shown-shape.ts';

const frame = (atS: number, grey: number): TimedPixels => ({
  atS,
  pixels: { width: 1, height: 1, channels: 3, depth: 8, data: Uint8Array.of(grey, grey, grey) },
});

it('the frame at a time is the last one that has begun, and no more is decoded than is needed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 }),
      fc
        .array(fc.double({ min: 0, max: 120, noNaN: true }), { maxLength: 9 })
        .map((times) => times.sort((a, b) => a - b)),
      (gaps, times) => {
        const starts = [0];
        for (const gap of gaps) starts.push((starts.at(-1) ?? 0) + gap);
        let decoded = 0;
        const frames = function* (): Generator<TimedPixels> {
          for (const [at, start] of starts.entries()) {
            decoded += 1;
            yield frame(start, at);
          }
        };
        const found = [...framesAt(frames(), times)].map(({ data }) => data[0]);
        const wanted = times.map((time) => starts.findLastIndex((start) => start <= time));
        expect(found).toEqual(wanted);
        const last = wanted.at(-1);
        if (last !== undefined) expect(decoded).toBeLessThanOrEqual(last + 2);
      },
    ),
  );
});

it('frames of equal parts are taken from the middle of each', () => {
  expect(middleTimes(4, 8)).toEqual([1, 3, 5, 7]);
  const found = framesAt([frame(0, 10), frame(2, 20), frame(4, 30), frame(6, 40)], middleTimes(2, 8));
  expect([...found].map(({ data }) => data[0])).toEqual([20, 40]);
  expect([...framesAt([frame(0, 10)], middleTimes(3, 0))]).toHaveLength(3);
  expect([...framesAt([], [0])]).toEqual([]);
});
