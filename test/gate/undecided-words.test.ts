import { expect, test } from 'vitest';
import { FEWEST_RUNS } from '../../src/analysis/earlier-runs.ts';
import { noteWords } from '../../src/analysis/note.ts';
import { MOST_MISSING } from '../../src/analysis/pair-units.ts';
import { LIMITS_OF_LOAD } from '../../src/analysis/sample-times.ts';
import { EXCLUDED_MULTIPLE } from '../../src/gate/planned-reach.ts';
import { inconclusiveWords } from '../../src/gate/undecided-words.ts';
import type { InconclusiveCode } from '../../src/gate/verdict.ts';
import { CONTROL_SAMPLES } from '../../src/record/codes.ts';
import { gateRule } from '../fixtures/scripted-run.ts';

const wordsOf = (code: InconclusiveCode) => {
  const rule = gateRule('latency.total', { is: 'max', value: 1 });
  return inconclusiveWords({ code, rule, needs: null, n: 1, unit: 'ms', units: 'takes', missingPairs: 0 });
};

test.each<[InconclusiveCode, number]>([
  ['short_history', FEWEST_RUNS + 1],
  ['too_many_missing', 100 * MOST_MISSING],
  ['short_load', LIMITS_OF_LOAD],
  ['limit_not_excluded', EXCLUDED_MULTIPLE],
  ['too_few_for_control', CONTROL_SAMPLES],
])('the reason %s says the number that the code uses', (code, number) => {
  expect(wordsOf(code).match(/\d+/g)?.at(-1)).toBe(String(number));
});

test('an untested scorer has one reason, of a rule and of a measure', () => {
  for (const code of ['control_failed', 'too_few_for_control'] as const)
    expect(wordsOf(code)).toBe(noteWords([{ code }]));
});
