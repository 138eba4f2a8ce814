import { expect, test } from 'vitest';
import { roughTime, timeLeftWords } from '../../src/kit/wording.ts';

test('a rough time is rounded to what an estimate can say', () => {
  expect([1, 299, 7200, 59_500, 61_000, 272_000, 1_530_000, 5_100_000, 7_190_000].map(roughTime)).toEqual([
    '1 s',
    '1 s',
    '8 s',
    '1 min',
    '1 min',
    '4 min 30 s',
    '26 min',
    '1 h 25 min',
    '2 h',
  ]);
});

test('a time left is at most what it says where the gate may be decided before the plan has ended', () => {
  expect([false, true].map((mayEndEarly) => timeLeftWords(8000, mayEndEarly))).toEqual([
    'about 8 s left',
    'at most 8 s left',
  ]);
});
