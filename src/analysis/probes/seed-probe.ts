import { count, plural, shareAtMost } from '../../kit/wording.ts';
import { isAtLeast, type Level } from '../../media/level.ts';
import type { SeedTakes } from '../../record/output-pairs.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import { clopperPearsonUpper } from '../../statistics/rate-interval.ts';
import type { LevelOfPair } from '../pair-levels.ts';
import type { ProbeAnswer } from '../probe.ts';
import { CACHED, NOT_COMPARED, skippedReason, type Untestable, untestable } from '../probe-untestable.ts';
import type { VariantSummary } from '../summaries.ts';

export interface SeedContext {
  readonly variant: Pick<VariantSummary, 'seedClaim' | 'seedOmitMeans'>;
  readonly cached: boolean;
  /** Why the seed is never left out; null if it was. */
  readonly keptSeed: Untestable | null;
  readonly takesSent: number;
  readonly lostOther: Untestable | null;
  readonly lostOmitted: Untestable | null;
}

/**
 * What a seed does, by one prompt.
 * - `unstable`: takes of one seed are not even similar.
 * - `ignored`: every other seed's image is as near to the first seed's as its own takes, or visually identical.
 * - `exact`: takes have equal pixels; else `similar`.
 *
 * The agreement of takes has the bound of determinism: the first take defines what is usual.
 */
export function decideSeedProbe({ base, others, omitted }: SeedTakes, context: SeedContext, levelOf: LevelOfPair) {
  const level = (a: string, b: string): Level | null => (a === b ? 'byte' : levelOf(a, b));
  const inside = base.flatMap((take, at) => base.slice(at + 1).map((other) => level(take, other)));
  const within = lowest(inside);
  const alikeAt: Level = within === 'similar' ? 'similar' : 'near';
  const isAlike = (a: string, b: string): boolean => {
    const levelOfPair = level(a, b);
    return levelOfPair !== null && isAtLeast(levelOfPair, alikeAt);
  };
  const otherImages = others.filter((other) => !base.some((take) => isAlike(take, other))).length;
  const counts = { takes: base.length, within, otherSeeds: others.length, otherImages };
  return [
    seedAnswer(counts, effectOf(counts, inside, context), context.variant),
    omittedAnswer(omitted, isAlike, context),
  ] as const;
}

type SeedEffect = 'exact' | 'similar' | 'ignored' | 'unstable';

interface SeedCounts {
  readonly takes: number;
  readonly within: Level | null;
  readonly otherSeeds: number;
  readonly otherImages: number;
}

function effectOf(
  { takes, within, otherSeeds, otherImages }: SeedCounts,
  inside: readonly (Level | null)[],
  { cached, takesSent, lostOther }: SeedContext,
): SeedEffect | Untestable {
  if (inside.some((level) => level !== null && !isAtLeast(level, 'similar'))) return 'unstable';
  if (takes === 0)
    return (
      (takesSent === 0 ? lostOther : null) ??
      untestable(`no take of the first prompt and seed was delivered (${count(takesSent)} sent)`)
    );
  if (inside.includes(null)) return NOT_COMPARED;
  if (otherSeeds === 0) return lostOther ?? untestable(skippedReason({ code: 'no_spare_seed' }));
  if (otherImages === 0) return 'ignored';
  if (within === null) {
    const takesOfFirst = `${plural(takesSent, 'take')} of the first prompt and seed`;
    return untestable(`only one of ${takesOfFirst} was delivered: nothing to compare it with`);
  }
  if (cached) return CACHED;
  return isAtLeast(within, 'pixel') ? 'exact' : 'similar';
}

interface NamedEffect {
  readonly is: string;
  readonly remedy: string | null;
}

const EFFECTS: Readonly<Record<SeedEffect, NamedEffect>> = {
  exact: { is: 'exact', remedy: null },
  similar: { is: 'similar', remedy: null },
  ignored: {
    is: 'ignored, one image for all seeds',
    remedy: 'check how the target sends the seed; until then, different seeds only repeat one image',
  },
  unstable: {
    is: 'unstable, takes of one seed differ',
    remedy:
      'check how the target sends the seed; if the service promises nothing about seeds, set claim: none in the target',
  },
};

const NOT_EXACT: NamedEffect = {
  is: 'similar, but the target claims "exact"',
  remedy: 'use determinism.similar, or set claim: similar in the target',
};

function seedAnswer(
  counts: SeedCounts,
  effect: SeedEffect | Untestable,
  { seedClaim }: SeedContext['variant'],
): ProbeAnswer {
  const { takes, within, otherSeeds, otherImages } = counts;
  const isFound = typeof effect === 'string';
  const agree = (effect === 'exact' || effect === 'similar') && takes > 1;
  const bound = agree ? clopperPearsonUpper(0, takes - 1, CONFIDENCE) : null;
  const { is, remedy } = !isFound
    ? { is: 'not testable', remedy: effect.remedy }
    : effect === 'similar' && seedClaim === 'exact'
      ? NOT_EXACT
      : EFFECTS[effect];
  const isClaimed = seedClaim !== 'none';
  const evidence = [
    ...(isFound && !isClaimed ? [`observed: ${is}`] : []),
    ...(within === null ? [] : [`lowest level among ${plural(takes, 'take')} of a seed: ${within}`]),
    ...(bound === null
      ? []
      : [
          `at most ${shareAtMost(bound)} of further takes would differ (one-sided 95 % bound, n = ${count(takes - 1)})`,
        ]),
    ...(otherSeeds === 0 ? [] : [`${count(otherImages)} of ${plural(otherSeeds, 'other seed')} gave another image`]),
    ...(isFound ? [] : [effect.why]),
  ];
  return {
    question: 'seed',
    code: isFound ? effect : 'not_testable',
    facts: { ...counts, bound },
    sentence: `seed ${isClaimed ? is : 'not claimed'}`,
    evidence: evidence.join('; '),
    remedy: isClaimed ? remedy : null,
  };
}

/** Null if empty or if a level is unknown. */
function lowest(levels: readonly (Level | null)[]): Level | null {
  const [first, ...rest] = levels;
  if (first === undefined || first === null || rest.includes(null)) return null;
  return rest.reduce<Level>((low, level) => (level !== null && isAtLeast(low, level) ? level : low), first);
}

const OMITTED_REMEDIES = {
  constant: 'send seeds to get different images, and set omit_means: constant in the target',
  random: 'send a seed where images must be reproducible, and set omit_means: random in the target',
} as const;

function omittedAnswer(
  omitted: readonly string[],
  isAlike: (a: string, b: string) => boolean,
  { variant: { seedOmitMeans: declared }, keptSeed, cached, lostOmitted }: SeedContext,
): ProbeAnswer {
  const takes = omitted.length;
  const evidence = `${plural(takes, 'take')} without a seed`;
  const answer = (code: ProbeAnswer['code'], is: string, more: Partial<ProbeAnswer> = {}): ProbeAnswer => ({
    ...{ question: 'no_seed', code, facts: { takes }, sentence: `without a seed ${is}`, evidence, remedy: null },
    ...more,
  });
  if (keptSeed !== null) return answer('not_supported', 'not supported', { evidence: keptSeed.why });
  const [first, second] = omitted;
  if (first === undefined || second === undefined)
    return answer('not_testable', 'not testable', { evidence: lostOmitted?.why ?? evidence });
  const code = isAlike(first, second) ? 'constant' : 'random';
  if (code === 'constant' && cached) return answer('not_testable', 'not testable', { evidence: CACHED.why });
  if (declared === code || declared === 'unknown') return answer(code, code);
  return answer(code, `${code}, but the target declares ${declared}`, { remedy: OMITTED_REMEDIES[code] });
}
