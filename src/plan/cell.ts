import type { Trial } from './trial.ts';

/*
 * The keys of what trials have in common: they are compared and never shown. That of a block is a field of its trials too.
 */

/** The key of a cell, variant x prompt x seed: its takes ask one variant for the same. */
export function cellOf({ variant, prompt, seed }: Pick<Trial, 'variant' | 'prompt' | 'seed'>): string {
  return JSON.stringify([variant, prompt, seed]);
}

/** The key of a case-seed, prompt x seed: the cells of two variants that have it in common are a cell pair. */
export function caseSeedOf({ prompt, seed }: Pick<Trial, 'prompt' | 'seed'>): string {
  return JSON.stringify([prompt, seed]);
}

/**
 * The key of a block, case-seed x repeat within a kind (of a sweep, at one step): one take of every variant. Trials of a
 * probe share one with those of other variants that have the same part in it.
 */
export function blockOf({
  kind,
  prompt,
  seed,
  repeat,
  step,
  probe,
}: Pick<Trial, 'kind' | 'prompt' | 'seed' | 'repeat' | 'step' | 'probe'>): string {
  if (probe === undefined) return [kind, prompt, seed, repeat, ...(step === undefined ? [] : [step])].join('/');
  const part = probe.kind === 'cache' ? [probe.pair] : [seed ?? 'without', repeat];
  return [kind, prompt, 'probe', probe.kind, ...part].join('/');
}
