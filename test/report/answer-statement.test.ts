import { expect, it } from 'vitest';
import { isItSure } from '../../src/report/answer-statement.ts';
import { reported } from '../fixtures/report-source.ts';
import { ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

it('nothing is sure in part where one speed is not to be relied on and the others are not told apart', () => {
  const { analysis, comparisons } = reported(scriptedRun({ ...ORDINARY, concurrency: 1 }));
  const variants = analysis.variants.filter(({ kind }) => kind === 'text-to-image');
  const undecided = comparisons.map((each) => ({
    ...each,
    finding: 'undecided' as const,
    notes: each.variant === 'fast' ? [{ code: 'unfit_machine' as const }] : [],
  }));
  expect(isItSure(analysis, undecided, variants).words).toBe('No: this machine could not keep up (fast)');
});
