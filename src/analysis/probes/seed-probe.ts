import { isAtLeast, type Level } from '../../media/compare/level.ts';
import type { SeedTakes } from '../../record/probe-takes.ts';
import type { RunVariant } from '../../record/run.ts';
import type { LevelOfPair, OmittedSeed, SeedEffect, SeedFinding } from '../probe-finding.ts';

/** What a variant's seed probe is judged by beside its outputs. */
export interface SeedContext {
  readonly claim: RunVariant['seedClaim'];
  /** Repeats come from a cache: then that they are equal says nothing of the model. */
  readonly cached: boolean;
  /** Why the seed was not left out; null where it was. */
  readonly keptSeed: string | null;
}

/** Why that two outputs are equal says nothing of the model. */
const FROM_MEMORY = 'cached: a repeat comes from memory';

/**
 * What a seed does, by one prompt: `exact` where the takes of a seed are equal to the pixel, `similar` where they are at
 * least that, else `varies within a seed`; `one picture for all seeds` where every other seed gives a picture that is as
 * near to the first seed's as its own takes are to each other, or nearer than an eye can tell.
 */
export function judgeSeedProbe(
  { base, others, omitted }: SeedTakes,
  context: SeedContext,
  levelOf: LevelOfPair,
): SeedFinding {
  const level = (a: string, b: string): Level | null => (a === b ? 'byte' : levelOf(a, b));
  const inside = base.flatMap((take, at) => base.slice(at + 1).map((other) => level(take, other)));
  const within = lowest(inside);
  const alikeAt: Level = within === 'similar' ? 'similar' : 'near';
  const isAlike = (a: string, b: string): boolean => {
    const found = level(a, b);
    return found !== null && isAtLeast(found, alikeAt);
  };
  const otherPictures = others.filter((other) => !base.some((take) => isAlike(take, other))).length;
  const counts = { takes: base.length, within, otherSeeds: others.length, otherPictures };
  const reason = whyUntestable(counts, inside, context);
  const seen = reason === '' ? effectOf(counts) : null;
  const word = context.claim === 'none' ? 'not claimed' : (seen ?? 'not testable');
  return { word, seen, ...counts, omitted: judgeOmitted(omitted, isAlike, context), reason };
}

type Counts = Pick<SeedFinding, 'takes' | 'within' | 'otherSeeds' | 'otherPictures'>;

function effectOf({ within, otherPictures }: Counts): SeedEffect {
  if (otherPictures === 0) return 'one picture for all seeds';
  if (within !== null && isAtLeast(within, 'pixel')) return 'exact';
  return within !== null && isAtLeast(within, 'similar') ? 'similar' : 'varies within a seed';
}

function whyUntestable(
  { takes, otherSeeds, otherPictures }: Counts,
  inside: readonly (Level | null)[],
  { cached }: SeedContext,
): string {
  if (takes === 0 || otherSeeds === 0) return 'no take of the first seed, or none of another, delivered';
  if (otherPictures === 0) return '';
  if (takes === 1) return 'one take of the first seed delivered; its takes cannot be held against each other';
  if (inside.includes(null)) return 'takes of one seed differ in their bytes and were not compared';
  return cached ? FROM_MEMORY : '';
}

function judgeOmitted(
  omitted: readonly string[],
  isAlike: (a: string, b: string) => boolean,
  { keptSeed, cached }: SeedContext,
): OmittedSeed {
  const takes = omitted.length;
  if (keptSeed !== null) return { word: 'not supported', takes, reason: keptSeed };
  const [first, second] = omitted;
  if (first === undefined || second === undefined) {
    return { word: 'not testable', takes, reason: `${takes} of 2 takes without a seed delivered` };
  }
  if (!isAlike(first, second)) return { word: 'random', takes, reason: '' };
  return cached ? { word: 'not testable', takes, reason: FROM_MEMORY } : { word: 'constant', takes, reason: '' };
}

/** The lowest of several levels; null of none, or where one is not known. */
function lowest(levels: readonly (Level | null)[]): Level | null {
  const [first, ...rest] = levels;
  if (first === undefined || first === null || rest.includes(null)) return null;
  return rest.reduce<Level>((low, level) => (level !== null && isAtLeast(low, level) ? level : low), first);
}
