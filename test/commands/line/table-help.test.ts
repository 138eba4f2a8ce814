import { expect, it } from 'vitest';
import { TABLE } from '../../../src/commands/line/help-text.ts';

it.each([
  'p50',
  'speed',
  'like baseline',
  'same again',
  'errors',
  'blocked',
  'dropped',
  'cost each',
  'assets/s',
  'knee',
])('the help of retake run explains the column %s of the table that a run ends with', (head) => {
  expect(TABLE).toMatch(new RegExp(`^ {2}${head}\\b`, 'm'));
});

it('the help of retake run explains the words in the cells of a speed', () => {
  for (const words of ['1.20x as long', 'undecided', 'too few'])
    expect(TABLE.replaceAll(/\s+/g, ' ')).toContain(`"${words}"`);
});

it('the help of retake run about the table keeps to 80 columns', () => {
  expect(Math.max(...TABLE.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});
