import { describe, expect, it } from 'vitest';
import { blockOf, caseSeedOf, cellOf } from '../../src/plan/plan.ts';
import { buildTrial } from '../fixtures/stored-run-builder.ts';

describe('keys of trials', () => {
  const trial = buildTrial({ variant: 'fast', prompt: 'fox', seed: 1, repeat: 1 });

  it('the key of a cell is that of its takes alone, whatever names hold', () => {
    expect(cellOf(buildTrial({ ...trial, repeat: 2, phase: 'step', step: 4 }))).toBe(cellOf(trial));
    const names = ['fast', 'fox', '1', '', 'a b', 'a', 'b', '","', '/', 'null'];
    const cells = names.flatMap((variant) =>
      names.flatMap((prompt) => [null, 1, 11].map((seed) => cellOf({ variant, prompt, seed }))),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  it('the key of a case-seed is what the cells of a cell pair have in common', () => {
    expect(caseSeedOf(buildTrial({ ...trial, variant: 'careful' }))).toBe(caseSeedOf(trial));
    const others = [{ prompt: 'fox 1' }, { seed: 11 }, { seed: null }].map((part) => caseSeedOf({ ...trial, ...part }));
    expect(new Set([caseSeedOf(trial), ...others]).size).toBe(4);
  });

  it('the key of a block is shared by variants, and by nothing of another kind, repeat, step or probe', () => {
    expect(blockOf(buildTrial({ ...trial, variant: 'careful' }))).toBe(trial.block);
    const others = [
      { kind: 'text-to-video' },
      { prompt: 'hare' },
      { seed: 2 },
      { repeat: 2 },
      { step: 1 },
      { probe: { kind: 'load', role: 'alone' } },
      { probe: { kind: 'seed', role: 'other', base: 1 } },
      { probe: { kind: 'cache', role: 'fresh', pair: 1 } },
    ] as const;
    expect(new Set([trial.block, ...others.map((part) => blockOf({ ...trial, ...part }))]).size).toBe(9);
  });
});
