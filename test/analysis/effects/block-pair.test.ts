import { describe, expect, it } from 'vitest';
import type { EffectiveSample } from '../../../src/analysis/effective-sample.ts';
import { pairTakes, readBlocks } from '../../../src/analysis/pair-units.ts';
import { reported } from '../../fixtures/report-source.ts';
import { ORDINARY, ok, scriptedRun, type Telling } from '../../fixtures/scripted-run.ts';

const PAIR: Telling = {
  ...ORDINARY,
  variants: ORDINARY.variants.slice(0, 2),
  concurrency: 2,
  tell: (variant) => ok(variant === 'fast' ? 500 : 1000),
};

/** The takes of a run by variant; `change` says what is not ordinary of one. */
function takesOf(variant: string, change: (take: EffectiveSample) => EffectiveSample = (take) => take) {
  const { samples } = reported(scriptedRun(PAIR));
  return samples.map(change).filter(({ sample: { trial } }) => trial.phase === 'trial' && trial.variant === variant);
}

const pairs = (baseline: readonly EffectiveSample[], candidate: readonly EffectiveSample[]) =>
  readBlocks(
    pairTakes(baseline, candidate, () => false),
    { statistic: 'p50', effect: 'ratio', read: ({ timings }) => timings.totalMs },
  );

describe('blocks', () => {
  it('each prompt, seed and repeat is one block with a value of both variants', () => {
    const blocks = pairs(takesOf('standard'), takesOf('fast'));
    expect(blocks).toHaveLength(36);
    expect(new Set(blocks.map(({ cellPair }) => cellPair)).size).toBe(12);
    for (const { baseline, candidate } of blocks) expect([baseline, candidate]).not.toContain(undefined);
  });

  it('blocks whose takes were sent in the same two slices are of one round, also where a side never answered', () => {
    const fast = takesOf('fast');
    const blocks = pairs(takesOf('standard').slice(1), fast);
    expect(new Set(blocks.map(({ round }) => round)).size).toBe(3);
    expect(blocks.filter(({ baseline }) => baseline === null)).toHaveLength(1);
  });

  it('slices of one number in several processes are not of one round: their clocks and loads differ', () => {
    const resumed = (take: EffectiveSample): EffectiveSample => ({
      ...take,
      sample: { ...take.sample, segment: take.sample.trial.prompt === 'fox' ? 2 : 1 },
    });
    const blocks = pairs(takesOf('standard', resumed), takesOf('fast', resumed));
    expect(new Set(blocks.map(({ round }) => round)).size).toBe(6);
  });
});
