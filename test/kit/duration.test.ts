import { expect, test } from 'vitest';
import { parseDurationMs, parseRatePerSecond, parseShare } from '../../src/kit/time.ts';

test.each([
  ['250ms', 250],
  ['2s', 2000],
  ['1.5s', 1500],
  ['10m', 600_000],
  ['1h', 3_600_000],
  ['2', null],
  ['2 s', null],
  ['-1s', null],
  ['2sec', null],
  [`${'9'.repeat(400)}s`, null],
])('the duration %j is %j ms', (text, expected) => {
  expect(parseDurationMs(text)).toBe(expected);
});

test.each([
  ['2/s', 2],
  ['30/min', 0.5],
  ['36/h', 0.01],
  ['2', null],
  ['2/m', null],
])('the rate %j is %j a second', (text, expected) => {
  expect(parseRatePerSecond(text)).toBe(expected);
});

test.each([
  ['5%', 0.05],
  ['0.5%', 0.005],
  ['100%', 1],
  ['5', null],
  ['0.05', null],
])('the percentage %j is the share %j', (text, expected) => {
  expect(parseShare(text)).toBe(expected);
});
