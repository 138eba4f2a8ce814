import { describe, expect, it } from 'vitest';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { assess } from '../../../src/gate/assess.ts';
import { checkRecordedRules } from '../../../src/gate/check-rules.ts';
import type { Fact } from '../../../src/record/fact.ts';
import type { StoredRun } from '../../../src/record/kept-run.ts';
import { orderedPair } from '../../../src/record/output-pairs.ts';
import { measureIn } from '../../fixtures/measure-query.ts';
import { gateRule } from '../../fixtures/scripted-run.ts';
import { buildFailure, buildOk, buildStoredRun, digestOf, inputOf } from '../../fixtures/stored-run-builder.ts';

const RULES = [
  gateRule('edit.unchanged', { is: 'max', value: 0.3 }),
  gateRule('edit.unchanged', { is: 'max_rise', share: 0.3 }),
  gateRule('edit.outside', { is: 'max', value: 0.5 }),
  gateRule('edit.outside', { is: 'max', value: 0.5 }, { statistic: 'max' }),
  gateRule('edit.outside', { is: 'max_increase', amount: 1 }),
];

/**
 * Ten seeds of a prompt with a mask and of one without. Of the edits by `fast`: whether one is its input, and what it
 * changes outside the mask, by its seed; null: not compared, and of another shape.
 */
function runOf(isUnchanged: (seed: number) => boolean | null, outside: (seed: number) => number | null): StoredRun {
  const facts: Fact[] = [];
  const input = digestOf('fox');
  const takes = Array.from({ length: 40 }, (_, at) => ({ seed: 1 + (at >> 2), isFast: at % 2 === 1, at }));
  const samples = takes.map(({ seed, isFast, at }) => {
    const prompt = at % 4 < 2 ? 'masked' : 'plain';
    const trial = { variant: isFast ? 'fast' : 'standard', kind: 'image-edit', prompt, seed } as const;
    if (isFast && prompt === 'plain' && seed === 1) return buildFailure('error', { trial });
    const [a, b] = orderedPair(input, digestOf(String(at)));
    const same = isFast ? isUnchanged(seed) : false;
    const samples = { maxDifference: same ? 1 / 255 : 0.5, psnrDb: same ? 60 : 20 };
    const shared = { frames: 1, unpaired: 0, ssim: null, chroma: null, pdqDistance: null, similarityFrames: 1 };
    if (same !== null) facts.push({ fact: 'pair', a, b, compared: true, difference: { ...shared, samples } });
    const edit = { input, mask: digestOf('mask'), output: digestOf(String(at)) };
    if (prompt === 'masked') facts.push({ fact: 'outside', ...edit, levels: isFast ? outside(seed) : 0 });
    return buildOk(100, String(at), { trial });
  });
  const variants = ['standard', 'fast'].map((name) => ({ name, kind: 'image-edit', plannedTrials: 20 }) as const);
  const record = buildStoredRun({ variants, prompts: ['masked', 'plain'], repeats: 1, samples, gate: RULES });
  const prompts = record.run.prompts.map((prompt) => {
    const mask = prompt.id === 'masked' ? [{ ...inputOf('mask'), role: 'mask' as const }] : [];
    return { ...prompt, kinds: ['image-edit' as const], media: [inputOf('fox'), ...mask] };
  });
  const reason = { code: 'no_video_encoder', encoder: 'libx264' } as const;
  // Of another kind, so that the rules are not about it.
  const film = { variant: 'film', twinOf: null, kind: 'text-to-video', reason, optional: false } as const;
  return { ...record, run: { ...record.run, prompts, leftOut: [film] }, facts: [...record.facts, ...facts] };
}

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
