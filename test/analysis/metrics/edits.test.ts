import { describe, expect, it } from 'vitest';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { assess } from '../../../src/gate/assess.ts';
import { checkRecordedRules } from '../../../src/gate/check-rules.ts';
import type { StoredRun } from '../../../src/record/kept-run.ts';
import { editedRun } from '../../fixtures/edited-run.ts';
import { measureIn } from '../../fixtures/measure-query.ts';
import { gateRule } from '../../fixtures/scripted-run.ts';
import { digestOf } from '../../fixtures/stored-run-builder.ts';

const RULES = [
  gateRule('edit.unchanged', { is: 'max', value: 0.3 }),
  gateRule('edit.unchanged', { is: 'max_rise', share: 0.3 }),
  gateRule('edit.outside', { is: 'max', value: 0.5 }),
  gateRule('edit.outside', { is: 'max', value: 0.5 }, { statistic: 'max' }),
  gateRule('edit.outside', { is: 'max_increase', amount: 1 }),
];

const runOf = (...edited: [unchanged: Parameters<typeof editedRun>[0], outside: Parameters<typeof editedRun>[1]]) =>
  editedRun(...edited, RULES);

const never = () => false;
const always = () => true;
const nothing = () => 0;

describe('metrics of edits', () => {
  it('edit.unchanged is the share of compared edits that are near their input', () => {
    const record = runOf((seed) => (seed === 10 ? null : seed <= 3), nothing);
    const rate = { variant: 'fast', metric: 'edit.unchanged', statistic: 'rate' };
    // Of 20 takes one failed, and two were not compared.
    expect(measureIn(record, rate)).toMatchObject({ value: 5 / 17, n: 17, ciLevel: 0.95 });
    expect(measureIn(record, { ...rate, prompt: 'plain' })).toMatchObject({ value: 2 / 8, n: 8 });
  });

  it('edit.outside is measured and compared over prompts with a mask, without outputs of another shape', () => {
    const record = runOf(never, (seed) => (seed === 10 ? null : (7 * seed) % 10));
    const outside = { variant: 'fast', metric: 'edit.outside' };
    expect(measureIn(record, { ...outside, statistic: 'p50' })).toMatchObject({ value: 5, n: 9, ciLow: 2, ciHigh: 8 });
    expect(measureIn(record, { ...outside, statistic: 'max' })).toMatchObject({ value: 9, n: 9 });
    const compared = assess(record, METRICS).comparisons.find(
      ({ metric, scope }) => metric === 'edit.outside' && scope.of === 'blocks',
    );
    expect(compared).toMatchObject({ value: 5, blocks: 10, missingBlocks: 1 });
  });

  it('edit.outside says that edits of another shape than their input are left out, and a rule says so where all are', () => {
    const shaped = (lost: number): StoredRun => {
      const record = runOf(never, (seed) => (seed <= lost ? null : 0));
      const other = record.facts.flatMap((fact) =>
        fact.fact === 'outside' && fact.levels === null ? fact.output : [],
      );
      const facts = record.facts.map((fact) =>
        fact.fact === 'output' && other.includes(fact.sha256) ? { ...fact, width: 600 } : fact,
      );
      const input = facts.filter(({ fact }) => fact === 'output').slice(0, 1);
      return { ...record, facts: [...facts, ...input.map((fact) => ({ ...fact, sha256: digestOf('fox') }))] };
    };
    const outside = { variant: 'fast', metric: 'edit.outside', statistic: 'max' };
    expect(measureIn(shaped(3), outside)).toMatchObject({ value: 0, n: 7, note: 'other_shape_left_out=3' });
    expect(measureIn(shaped(10), outside)).toMatchObject({ value: null, n: 0, note: 'other_shape_left_out=10' });
    const codesOf = (record: StoredRun) =>
      assess(record, METRICS).verdict.rules.flatMap(({ index, variant, code }) =>
        index < 2 || variant !== 'fast' ? [] : [code],
      );
    expect(codesOf(shaped(10))).toEqual(['other_shape', 'other_shape', 'other_shape']);
    expect(codesOf(shaped(1))).not.toContain('other_shape');
  });

  it('rules on edits pass and fail as other rules do, and are about edits and masks alone', () => {
    const verdicts = (record: StoredRun) =>
      assess(record, METRICS).verdict.rules.map(({ index, variant, verdict }) => `${index} ${variant} ${verdict}`);
    const each = (word: string) => RULES.map((_, index) => `${index} fast ${word}`);
    const honest = runOf(never, nothing);
    expect(verdicts(honest).filter((line) => line.includes('fast'))).toEqual(each('pass'));
    expect(verdicts(honest).filter((line) => line.includes('film'))).toEqual([]);
    const changing = runOf(always, (seed) => 10 + seed);
    expect(verdicts(changing).filter((line) => line.endsWith('fail'))).toEqual(each('fail'));
    const unmasked = { ...honest.run, prompts: honest.run.prompts.slice(1) };
    expect(checkRecordedRules(unmasked, METRICS).map(({ index, cause }) => `${index} ${cause}`)).toEqual(
      [2, 3, 4].map((index) => `${index} the rule is about no take of this suite`),
    );
  });
});
