import fc from 'fast-check';
import { expect, it } from 'vitest';
import { printedBeside } from '../../src/kit/value-words.ts';

const size = fc.double({ min: -1e4, max: 1e4, noNaN: true });
const width = fc.double({ min: 1e-6, max: 1e4, noNaN: true });

it('a score beside its interval: as many digits as tell its ends apart, and on which side of 0 they are', () => {
  fc.assert(
    fc.property(size, width, (low, wide) => {
      const high = low + wide;
      const { value } = printedBeside({ low, high }, 'score');
      const read = (words: string) => Number(words.replace('−', '-').replaceAll('\u202f', ''));
      const [printedLow, printedHigh] = [read(value(low)), read(value(high))];
      expect(printedLow).toBeLessThan(printedHigh);
      // Rounded by at most a tenth of the interval, but for an end that would be 0.
      expect(Math.abs(printedHigh - high)).toBeLessThanOrEqual(wide / 9);
      if (Math.abs(low) > 1e-6) expect(Math.sign(printedLow)).toBe(Math.sign(low));
    }),
  );
});

it.each<[number, number, number, string, string]>([
  [-0.0493, -0.0524, -0.0461, '−0.049', '[−0.052, −0.046]'],
  [0.0008, -0.0018, 0.0029, '+0.0008', '[−0.0018, +0.0029]'],
  [-1.2, -3.4, 1, '−1.2', '[−3.4, +1.0]'],
  [412.4, 380, 460, '+412', '[+380, +460]'],
  [-22_886, -24_785, -20_987.4, '−22\u202f886', '[−24\u202f785, −20\u202f987]'],
])('a difference of %d in [%d, %d] is %s %s', (value, low, high, words, interval) => {
  const print = printedBeside({ low, high }, 'score');
  expect([print.difference(value), print.differenceInterval(low, high)]).toEqual([words, interval]);
});
