import { expect, test } from 'vitest';
import { keptIn } from '../../src/gate/kept-verdict.ts';
import { buildWarning } from '../fixtures/build-warning.ts';
import { reported } from '../fixtures/report-source.ts';
import { ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

const { verdict } = reported(scriptedRun(ORDINARY));
const kept = (change: object) => keptIn(JSON.stringify({ ...verdict, ...change }));
const grown = buildWarning('queue_grows', { unfit: ['latencies', 'the queue grew'] });

test('a verdict.json of another version keeps each warning that has words, also of a code that is no more', () => {
  const { rules, warnings } = kept({
    warnings: [
      { code: 'queue_grows', unfit: 'latencies', variant: 'fast' },
      grown,
      { ...grown, code: 'no_more', facts: { new: [] } },
      'no warning',
    ],
  });
  expect(rules).toEqual(verdict.rules);
  expect(warnings.map(({ what, unfit }) => [what, unfit?.because])).toEqual([
    ['queue_grows was found', 'the queue grew'],
    ['queue_grows was found', 'the queue grew'],
  ]);
});

test('a verdict.json of which a part cannot be read keeps the other one', () => {
  expect(kept({ rules: [{ verdict: 'maybe' }], warnings: [grown] })).toMatchObject({ rules: [], warnings: [grown] });
  expect(kept({ warnings: null })).toEqual({ rules: verdict.rules, warnings: [] });
  expect(keptIn('{"rules":')).toEqual({ rules: [], warnings: [] });
});
