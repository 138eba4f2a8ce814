import { expect, test } from 'vitest';
import { keptAnswer } from '../../src/gate/kept-verdict.ts';
import { recordedAnswer } from '../../src/report/run-answer.ts';
import { buildWarning } from '../fixtures/build-warning.ts';
import { reported } from '../fixtures/report-source.ts';
import { ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

const source = reported(scriptedRun(ORDINARY));
const { verdict } = source;
const kept = (change: object) => keptAnswer(JSON.stringify({ ...verdict, ...recordedAnswer(source), ...change }));
const grown = buildWarning('queue_grows', { unfit: ['latencies', 'the queue grew'] });

test('a verdict.json of another version keeps each warning that has words, also of a code that is no more', () => {
  const found = kept({
    warnings: [
      { code: 'queue_grows', unfit: 'latencies', variant: 'fast' },
      grown,
      { ...grown, code: 'no_more', facts: { new: [] } },
      'no warning',
    ],
  });
  expect(found).toMatchObject({
    answer: recordedAnswer(source).answer,
    doubt: 'do not rely on the numbers: the queue grew',
    warning: '2 warnings, first: queue_grows was found',
  });
});

test('a verdict.json of which a part cannot be read keeps the other one', () => {
  expect(kept({ rules: [{ verdict: 'maybe' }], warnings: [grown] })).toMatchObject({ doubt: expect.any(String) });
  expect(kept({ answer: undefined, warnings: null })).toMatchObject({ answer: null, doubt: null, warning: null });
  expect(keptAnswer('{"rules":')).toBeNull();
});

test('a verdict.json whose rules this version does not have still says what was not judged', () => {
  const rules = [
    { index: 0, verdict: 'pass', letPass: false, rule: { metric: 'of another version' } },
    { index: 1, verdict: 'inconclusive', letPass: true },
  ];
  const state = { words: 'Gate passed, 1 not judged', tone: 'warn' };
  expect(kept({ verdict: 'pass', complete: true, rules })).toMatchObject({ state });
});
