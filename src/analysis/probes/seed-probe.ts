import { count, plural, probability, shareAtMost } from '../../kit/wording.ts';
import { isAtLeast, type Level } from '../../media/level.ts';
import type { LoadTakes, SeedTakes } from '../../record/output-pairs.ts';
import type { RunVariant } from '../../record/run.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import { clopperPearsonUpper } from '../../statistics/rate-interval.ts';
import { exactMcNemar } from '../../statistics/rise-test.ts';
import { PLAIN_PROBE_WORDS, type ProbeStatement, probeReason } from '../note.ts';
import type { LevelOfPair } from '../pair-levels.ts';
import type { LoadFinding, OmittedSeed, ProbeReason, SeedEffect, SeedFinding } from '../probe.ts';

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

/** Fewer discordant cells never reach one-sided 5 %. */
const FEWEST_DISCORDANT = 5;

const SIGNIFICANCE = 0.05;

/**
 * Exact McNemar over cells, one-sided 5 %: whether concurrent takes differ from the first alone more often than the
 * second alone does. The share of changed cells has a Clopper-Pearson bound, one-sided 95 %. `lost`: why requests
 * delivered nothing.
 */
export function decideLoadProbe(
  cells: readonly LoadTakes[],
  levelOf: LevelOfPair,
  lost: ProbeReason | null = null,
): LoadFinding {
  const compared = cells.flatMap(({ alone: [first, second], concurrent }) => {
    const alone = sameAs(first, second, levelOf);
    const beside = sameAs(first, concurrent, levelOf);
    return alone === null || beside === null ? [] : [{ alone, beside }];
  });
  const changedConcurrent = compared.filter(({ alone, beside }) => alone && !beside).length;
  const changedAlone = compared.filter(({ alone, beside }) => !alone && beside).length;
  const counts = { cells: compared.length, changedConcurrent, changedAlone };
  if (compared.length === 0) {
    const reason = cells.length > 0 ? ({ code: 'not_compared' } as const) : lost;
    return { ...counts, code: 'not_testable', p: null, bound: null, reason };
  }
  const bound = clopperPearsonUpper(changedConcurrent, compared.length, CONFIDENCE);
  const discordant = changedConcurrent + changedAlone;
  if (discordant === 0) return { ...counts, code: 'no_sign', p: null, bound, reason: null };
  if (discordant < FEWEST_DISCORDANT) return { ...counts, code: 'too_few_discordant', p: null, bound, reason: null };
  const p = exactMcNemar(changedConcurrent, changedAlone).greater;
  return { ...counts, code: p <= SIGNIFICANCE ? 'batch_dependent' : 'no_sign', p, bound, reason: null };
}

/** Null: the bytes differ, and the pixels are unknown. */
function sameAs(a: string, b: string, levelOf: LevelOfPair): boolean | null {
  if (a === b) return true;
  const level = levelOf(a, b);
  return level === null ? null : isAtLeast(level, 'pixel');
}

const LOAD_WORDS: Readonly<Record<LoadFinding['code'], string>> = {
  ...PLAIN_PROBE_WORDS,
  no_sign: 'no sign that concurrency changes the output',
};

export function loadStatement({
  code,
  cells,
  changedConcurrent,
  changedAlone,
  p,
  bound,
  reason,
}: LoadFinding): ProbeStatement {
  const parts = [
    ...(cells === 0
      ? []
      : [
          `of ${plural(cells, 'prompt x seed')}, ${count(changedConcurrent)} changed only under concurrency and ${count(changedAlone)} only without it`,
        ]),
    ...(p === null ? [] : [`p = ${probability(p)}`]),
    ...(bound === null || code === 'batch_dependent'
      ? []
      : [`concurrency changes at most ${shareAtMost(bound)} of outputs (one-sided 95 % bound, n = ${count(cells)})`]),
    ...(reason === null ? [] : [probeReason(reason)]),
  ];
  return { word: LOAD_WORDS[code], evidence: parts.join('; '), bad: code === 'batch_dependent' };
}
