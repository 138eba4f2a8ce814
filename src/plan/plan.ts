import { ownValue } from '../kit/json.ts';
import type { PlannedLooks, PlannedPart } from './recorded-plan.ts';
import type { Trial } from './trial.ts';

/** Warm-ups and probes do not measure. */
export function isMeasured({ phase }: Pick<Trial, 'phase'>): boolean {
  return phase === 'trial' || phase === 'step' || phase === 'confirm' || phase === 'against';
}

/** Trials sent together, and drained before the next slice. */
export interface Slice {
  readonly index: number;
  readonly trials: readonly Trial[];
  readonly pace: Pace;
}

export type Pace =
  | { readonly mode: 'closed'; readonly concurrency: number }
  /** Milliseconds from the slice's start, ascending, one per trial; dropped when `ceiling` are in flight. */
  | { readonly mode: 'open'; readonly ceiling: number; readonly startsMs: readonly number[] };

/** The same for a suite on every machine, except for seeds of its cache probe, from the nonce. */
export interface Plan {
  /** SHA-256 over the trial ids in order and the slices' bounds. */
  readonly digest: string;
  readonly slices: readonly Slice[];
  readonly requests: number;
  /** Null for one part. */
  readonly looks: PlannedLooks | null;
}

export function largestSlice({ slices }: Plan): number {
  return slices.reduce((most, { trials }) => Math.max(most, trials.length), 0);
}

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

export function caseSeedsOf({ kind, parts }: Pick<PlannedLooks, 'kind' | 'parts'>): number {
  // A confirmation repeats the same ones.
  const asked = kind === 'confirm' ? parts.slice(0, 1) : parts;
  return asked.reduce((sum, { caseSeeds }) => sum + caseSeeds, 0);
}

export function trialsIn(parts: readonly PlannedPart[], variant: string): number {
  return parts.reduce((sum, { trials }) => sum + (ownValue(trials, variant) ?? 0), 0);
}

export function trialsInAll(parts: readonly PlannedPart[]): number {
  return parts.flatMap(({ trials }) => Object.values(trials)).reduce((sum, count) => sum + count, 0);
}

export function takesOfCell(repeats: number, looks: Pick<PlannedLooks, 'kind' | 'parts'> | null): number {
  return looks?.kind === 'confirm' ? looks.parts.length * repeats : repeats;
}
