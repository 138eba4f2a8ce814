import { count, plural, shareAtMost } from '../../kit/wording.ts';
import { isAtLeast, type Level } from '../../media/level.ts';
import type { LevelOfPair, SeedTakes } from '../../record/output-pairs.ts';
import type { RunVariant } from '../../record/run.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import { clopperPearsonUpper } from '../../statistics/rate-interval.ts';
import { PLAIN_PROBE_WORDS, type ProbeStatement, probeReason } from '../note.ts';
import type { OmittedSeed, ProbeReason, SeedEffect, SeedFinding } from '../probe.ts';

export interface SeedContext {
  readonly claim: RunVariant['seedClaim'];
  readonly cached: boolean;
  /** Null if the seed was left out. */
  readonly keptSeed: ProbeReason | null;
  readonly takesSent: number;
  readonly lostOther: ProbeReason | null;
  readonly lostOmitted: ProbeReason | null;
}

/**
 * What a seed does, by one prompt.
 * - `unstable`: takes of one seed are not even similar.
 * - `ignored`: every other seed's image is as near to the first seed's as its own takes, or visually identical.
 * - `exact`: takes have equal pixels; else `similar`.
 *
 * The agreement of takes has the bound of determinism: the first take defines what is usual.
 */
export function decideSeedProbe(
  { base, others, omitted }: SeedTakes,
  context: SeedContext,
  levelOf: LevelOfPair,
): SeedFinding {
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
  const effect = effectOf(counts, inside, context);
  const seen = typeof effect === 'string' ? effect : null;
  const code = context.claim === 'none' ? 'not_claimed' : (seen ?? 'not_testable');
  const agree = (seen === 'exact' || seen === 'similar') && base.length > 1;
  return {
    code,
    seen,
    ...counts,
    bound: agree ? clopperPearsonUpper(0, base.length - 1, CONFIDENCE) : null,
    omitted: decideOmitted(omitted, isAlike, context),
    reason: typeof effect === 'string' ? null : effect,
  };
}

type SeedCounts = Pick<SeedFinding, 'takes' | 'within' | 'otherSeeds' | 'otherImages'>;

function effectOf(
  { takes, within, otherSeeds, otherImages }: SeedCounts,
  inside: readonly (Level | null)[],
  { cached, takesSent, lostOther }: SeedContext,
): SeedEffect | ProbeReason {
  if (inside.some((level) => level !== null && !isAtLeast(level, 'similar'))) return 'unstable';
  if (takes === 0) return takesSent === 0 && lostOther !== null ? lostOther : { code: 'no_take', sent: takesSent };
  if (inside.includes(null)) return { code: 'not_compared' };
  if (otherSeeds === 0) return lostOther ?? { code: 'no_spare_seed' };
  if (otherImages === 0) return 'ignored';
  if (within === null) return { code: 'one_take', sent: takesSent };
  if (cached) return { code: 'cached' };
  return isAtLeast(within, 'pixel') ? 'exact' : 'similar';
}

function decideOmitted(
  omitted: readonly string[],
  isAlike: (a: string, b: string) => boolean,
  { keptSeed, cached, lostOmitted }: SeedContext,
): OmittedSeed {
  const takes = omitted.length;
  if (keptSeed !== null) return { code: 'not_supported', takes, reason: keptSeed };
  const [first, second] = omitted;
  if (first === undefined || second === undefined) return { code: 'not_testable', takes, reason: lostOmitted };
  if (!isAlike(first, second)) return { code: 'random', takes, reason: null };
  return cached
    ? { code: 'not_testable', takes, reason: { code: 'cached' } }
    : { code: 'constant', takes, reason: null };
}

/** Null if empty or if a level is unknown. */
function lowest(levels: readonly (Level | null)[]): Level | null {
  const [first, ...rest] = levels;
  if (first === undefined || first === null || rest.includes(null)) return null;
  return rest.reduce<Level>((low, level) => (level !== null && isAtLeast(low, level) ? level : low), first);
}

export function seedStatement({
  code,
  seen,
  takes,
  within,
  bound,
  otherSeeds,
  otherImages,
  reason,
}: SeedFinding): ProbeStatement {
  const parts = [
    ...(seen !== null && code === 'not_claimed' ? [`observed: ${PLAIN_PROBE_WORDS[seen]}`] : []),
    ...(within === null ? [] : [`lowest level among ${plural(takes, 'take')} of a seed: ${within}`]),
    ...(bound === null
      ? []
      : [
          `at most ${shareAtMost(bound)} of further takes would differ (one-sided 95 % bound, n = ${count(takes - 1)})`,
        ]),
    ...(otherSeeds === 0 ? [] : [`${count(otherImages)} of ${plural(otherSeeds, 'other seed')} gave another image`]),
    ...(reason === null ? [] : [probeReason(reason)]),
  ];
  return { word: PLAIN_PROBE_WORDS[code], evidence: parts.join('; '), bad: code === 'ignored' || code === 'unstable' };
}

export function omittedStatement({ omitted: { code, takes, reason } }: SeedFinding): ProbeStatement {
  const evidence = reason === null ? `${plural(takes, 'take')} without a seed` : probeReason(reason);
  return { word: PLAIN_PROBE_WORDS[code], evidence, bad: false };
}
