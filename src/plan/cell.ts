import type { Trial } from './trial.ts';

export function cellOf({ variant, prompt, seed }: Pick<Trial, 'variant' | 'prompt' | 'seed'>): string {
  return JSON.stringify([variant, prompt, seed]);
}

/** prompt x seed: the cells of two variants with one case-seed are a cell pair. */
export function caseSeedOf({ prompt, seed }: Pick<Trial, 'prompt' | 'seed'>): string {
  return JSON.stringify([prompt, seed]);
}

/** One take of every variant (of a sweep, at one step). Probes share a block with the same part of other variants. */
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
