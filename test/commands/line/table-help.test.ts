import { expect, it } from 'vitest';
import { TABLE } from '../../../src/commands/line/help-text.ts';

it.each(['p50', '95 % CI', 'speed', 'equal repeats', 'errors', 'blocked', 'cost each', 'distribution', 'knee'])(
  'the help of retake run explains the column %s of the table that a run ends with',
  (head) => {
    expect(TABLE).toMatch(new RegExp(`^ {2}${head}\\b`, 'm'));
  },
);

it('the help of retake run names the other heads that a column has: by the way of all speeds, and where it is narrow', () => {
  for (const head of ['as fast', 'as long', 'takes']) expect(TABLE.replaceAll(/\s+/g, ' ')).toContain(`"${head}"`);
});

it('the help of retake run about the table keeps to 80 columns', () => {
  expect(Math.max(...TABLE.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});
