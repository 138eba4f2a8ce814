import { describe, expect, it } from 'vitest';
import { sameOutputs } from '../../../src/report/sameness-statement.ts';
import { measuresOf } from '../../../src/report/statement.ts';
import { reported } from '../../fixtures/report-source.ts';
import { ORDINARY, scriptedRun, type Telling } from '../../fixtures/scripted-run.ts';

const ONE: Telling = { ...ORDINARY, variants: ORDINARY.variants.slice(0, 1), prompts: ORDINARY.prompts.slice(0, 2) };

function samenessOf(tell: Telling['tell'], repeats = 3) {
  const { analysis } = reported(scriptedRun({ ...ONE, tell, repeats }));
  const [variant] = analysis.variants;
  if (variant === undefined) throw new Error('no variant');
  return sameOutputs(variant, analysis.cells, measuresOf(analysis));
}

const ok = (output: number) => ({ outcome: 'ok', totalMs: 100, output }) as const;
const failed = { outcome: 'error', totalMs: 1, code: 'x', message: '', httpStatus: null } as const;

describe('equal repeats', () => {
  it('the statement on repeats carries its bound when every take is equal: 1 - 0.05^(1/12)', () => {
    expect(samenessOf(() => ok(0))).toMatchObject({
      level: 'byte',
      value: '6 of 6 cells',
      bound: 'at most 22.1 % of further takes would differ (one-sided 95 % bound, n = 12)',
      shortBound: '≤ 22.1 % differ',
    });
  });

  it('the statement on repeats counts takes and cells that depart', () => {
    const same = samenessOf((_, prompt, seed, repeat) => ok(prompt === 'fox' && seed === 1 && repeat === 3 ? 1 : 0));
    expect(same).toMatchObject({ value: '5 of 6 cells', shortBound: '5.6 % differ' });
    expect(same.bound).toMatch(/^5\.6 % of takes differ .*\(n = 18\); in 16\.7 % of cells \[0\.4 – 64\.2 %\]$/);
  });

  it('the statement on repeats says what cannot be tested', () => {
    expect(samenessOf(() => ok(0), 1)).toMatchObject({ value: null, testable: 0, tooFew: 6 });
    expect(samenessOf((_, __, seed) => (seed === 1 ? failed : ok(0)))).toMatchObject({
      value: '4 of 4 cells',
      tooFew: 2,
    });
  });
});
