import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { assess } from '../../../src/analysis/assess.ts';
import { checkRecordedRules } from '../../../src/analysis/check-rules.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { ruleCases } from '../../../src/analysis/rule-cases.ts';
import type { Difference } from '../../../src/media/difference.ts';
import type { Fact } from '../../../src/record/fact.ts';
import type { StoredRun } from '../../../src/record/kept-run.ts';
import { orderedPair } from '../../../src/record/output-pairs.ts';
import type { Run } from '../../../src/record/run.ts';
import { measureIn } from '../../fixtures/measure-query.ts';
import { gateRule } from '../../fixtures/scripted-run.ts';
import { buildFailure, buildOk, buildStoredRun, digestOf, inputOf } from '../../fixtures/stored-run-builder.ts';

const EDIT = { kind: 'image-edit', plannedTrials: 20 } as const;
const VARIANTS = [
  { ...EDIT, name: 'standard', baseline: true },
  { ...EDIT, name: 'fast', baseline: false },
  { name: 'shot', kind: 'text-to-image', baseline: true, plannedTrials: 10 },
] as const;

/** It could not be measured, and is of another kind. */
const FILM: Run['leftOut'][number] = {
  variant: 'film',
  twinOf: null,
  kind: 'text-to-video',
  reason: { code: 'no_video_encoder', encoder: 'libx264' },
  optional: false,
};

interface Told {
  /** How the edit by `fast` with this seed lies apart from its input, from 1; null: not compared. */
  readonly maxDifference: (seed: number) => number | null;
  /** Of the masked prompt; null: another shape. */
  readonly levels: (variant: string, seed: number) => number | null;
}

const SEEDS = Array.from({ length: 10 }, (_, at) => at + 1);

/** Ten seeds of a prompt with a mask, of one without, and of a variant that does not edit. */
function runOf({ maxDifference, levels }: Told): StoredRun {
  const facts: Fact[] = [];
  const input = { fact: 'output', sha256: digestOf('fox'), bytes: 9, mime: 'image/png' } as const;
  const samples = SEEDS.flatMap((seed) =>
    VARIANTS.flatMap(({ name: variant, kind }) =>
      (kind === 'image-edit' ? ['masked', 'plain'] : ['text']).map((prompt) => {
        const content = [variant, prompt, seed].join(' ');
        const trial = { variant, kind, prompt, seed };
        if (variant === 'fast' && prompt === 'plain' && seed === 1) return buildFailure('error', { trial });
        const [a, b] = orderedPair(digestOf(content), input.sha256);
        const apart = variant === 'fast' ? maxDifference(seed) : 0.5;
        if (apart !== null && kind === 'image-edit')
          facts.push({ fact: 'pair', a, b, compared: true, difference: differenceBy(apart) });
        const edit = { input: input.sha256, mask: digestOf('mask'), output: digestOf(content) };
        if (prompt === 'masked') facts.push({ fact: 'outside', ...edit, levels: levels(variant, seed) });
        return buildOk(100, content, { trial });
      }),
    ),
  );
  const record = buildStoredRun({ variants: VARIANTS, prompts: ['masked', 'plain', 'text'], repeats: 1, samples });
  const prompts = record.run.prompts.map((prompt) => {
    const mask = prompt.id === 'masked' ? [{ ...inputOf('mask'), role: 'mask' as const }] : [];
    return prompt.id === 'text'
      ? prompt
      : { ...prompt, kinds: ['image-edit' as const], media: [inputOf('fox'), ...mask] };
  });
  return { ...record, run: { ...record.run, prompts }, facts: [...record.facts, ...facts] };
}

const differenceBy = (maxDifference: number): Difference => ({
  frames: 1,
  unpaired: 0,
  samples: { maxDifference, psnrDb: maxDifference < 0.01 ? 60 : 20 },
  ssim: { p5: 1, worst: 1 },
  chroma: 0,
  pdqDistance: 0,
  similarityFrames: 1,
});

const HONEST: Told = { maxDifference: () => 0.5, levels: () => 0 };

describe('metrics of edits', () => {
  it('edit.unchanged is the share of compared edits that are near their input, and no measure of other kinds', () => {
    const told: Told = { ...HONEST, maxDifference: (seed) => (seed === 10 ? null : seed <= 3 ? 1 / 255 : 0.5) };
    const record = runOf(told);
    // Of 20 takes one failed, and two were not compared.
    expect(measureIn(record, { variant: 'fast', metric: 'edit.unchanged', statistic: 'rate' })).toMatchObject({
      value: 5 / 17,
      n: 17,
      ciLevel: 0.95,
    });
    expect(measureIn(record, { variant: 'standard', metric: 'edit.unchanged', statistic: 'rate' })).toMatchObject({
      value: 0,
      n: 20,
    });
    const edits = analyse(record, METRICS).analysis.measures.filter(({ metric }) => metric.startsWith('edit.'));
    expect(edits.filter(({ variant }) => variant === 'shot')).toEqual([]);
    expect(edits.filter(({ prompt }) => prompt === 'plain').map(({ value, n }) => [value, n])).toEqual([
      [0, 10],
      [2 / 8, 8],
    ]);
  });

  it('edit.outside is measured and compared over prompts with a mask, without outputs of another shape', () => {
    const levels = (variant: string, seed: number) =>
      variant === 'standard' ? 0 : seed === 10 ? null : (7 * seed) % 10;
    const record = runOf({ ...HONEST, levels });
    expect(measureIn(record, { variant: 'fast', metric: 'edit.outside', statistic: 'p50' })).toMatchObject({
      value: 5,
      n: 9,
      ciLow: 2,
      ciHigh: 8,
    });
    expect(measureIn(record, { variant: 'fast', metric: 'edit.outside', statistic: 'max' })).toMatchObject({
      value: 9,
      n: 9,
    });
    const { comparisons } = assess(record, METRICS);
    expect(comparisons.find(({ metric, scope }) => metric === 'edit.outside' && scope.of === 'blocks')).toMatchObject({
      value: 5,
      blocks: 10,
      missingBlocks: 1,
    });
  });

  it('a rule on edit.outside is about prompts with a mask, and refused without one', () => {
    const { run } = runOf(HONEST);
    const rules = [gateRule('edit.outside', { is: 'max', value: 1 })];
    const refused = (prompts: Run['prompts']) =>
      checkRecordedRules({ ...run, prompts, gate: rules }, METRICS).map(({ cause }) => cause);
    expect(refused(run.prompts)).toEqual([]);
    expect(refused(run.prompts.filter(({ id }) => id !== 'masked'))).toEqual([
      'the rule is about no take of this suite',
    ]);
    const cases = ruleCases(rules, run.variants, run.prompts, METRICS);
    expect(cases.map(({ prompts }) => [...(prompts ?? [])])).toEqual([['masked'], ['masked']]);
  });

  it('rules on edits pass, fail and rise as other rules do, and are about variants that edit', () => {
    const rules = [
      gateRule('edit.unchanged', { is: 'max', value: 0.2 }),
      gateRule('edit.unchanged', { is: 'max_rise', share: 0.3 }),
      gateRule('edit.outside', { is: 'max', value: 0.5 }),
      gateRule('edit.outside', { is: 'max', value: 0.5 }, { statistic: 'max' }),
      gateRule('edit.outside', { is: 'max_increase', amount: 1 }),
    ];
    const decided = (told: Told) => {
      const record = runOf(told);
      const { verdict } = assess({ ...record, run: { ...record.run, gate: rules, leftOut: [FILM] } }, METRICS);
      return verdict.rules.map(({ index, variant, verdict: word }) => `${index} ${variant} ${word}`);
    };
    expect(decided(HONEST)).toEqual([
      '0 standard pass',
      '0 fast pass',
      '1 fast pass',
      '2 standard pass',
      '2 fast pass',
      '3 standard pass',
      '3 fast pass',
      '4 fast pass',
    ]);
    const faulty = decided({
      maxDifference: () => 0,
      levels: (variant, seed) => (variant === 'fast' ? 10 + seed : 0),
    });
    expect(faulty.filter((line) => line.endsWith('fail'))).toEqual([0, 1, 2, 3, 4].map((rule) => `${rule} fast fail`));
  });
});
