import type { EffectiveSample } from '../effective-sample.ts';

/** How a seed is reduced: modulo `size`, cut to `size` - 1, or wrapped to signed 32 bits. */
export interface SeedRange {
  readonly how: 'modulo' | 'clamp' | 'signed';
  readonly size: number;
}

/** The flag of a sample whose service reports a different seed. */
export const SEED_ECHO = 'seed_echo';

export interface EchoedSeed {
  readonly sent: number;
  readonly echoed: number;
}

/** Null if no seed was sent, or none that is a number was reported. */
export function echoedSeed({ trial, reported }: EffectiveSample['sample']): EchoedSeed | null {
  const { seedEcho } = reported;
  if (trial.seed === null || seedEcho === null || seedEcho.trim() === '') return null;
  const echoed = Number(seedEcho);
  return Number.isFinite(echoed) ? { sent: trial.seed, echoed } : null;
}

/** Powers of two that end known seed ranges, the usual ones first, because few echoes may fit several. */
const SIZES = [2_147_483_648, 4_294_967_296, 281_474_976_710_656, 9_007_199_254_740_992, 16_777_216, 65_536];

/** The first range that explains every echo; null without one. */
export function seedRangeOf(echoes: readonly EchoedSeed[]): SeedRange | null {
  const ranges = SIZES.flatMap((size): readonly (SeedRange & { readonly keep: (seed: number) => number })[] => [
    { how: 'modulo', size, keep: (seed) => seed % size },
    { how: 'clamp', size, keep: (seed) => Math.min(seed, size - 1) },
    ...(size === 4_294_967_296 ? [{ how: 'signed' as const, size, keep: (seed: number) => seed | 0 }] : []),
  ]);
  const range = ranges.find(({ keep }) => echoes.every(({ sent, echoed }) => keep(sent) === echoed));
  return range === undefined ? null : { how: range.how, size: range.size };
}
