import { hodgesLehmann, signedRank } from '../../statistics/ranks/signed-rank.ts';
import { deliveredDigest } from '../cells/cell-outputs.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { detectableRatio } from './cache-power.ts';
import type { CacheFinding, ProbeReason } from './probe-finding.ts';

/** A repeat is called faster only when it is significantly faster by more than this. */
const LEAST_RATIO = 1.1;

/** One-sided. */
const SIGNIFICANCE = 0.01;

/** With fewer pairs the signed rank test cannot reach one-sided 1 %. */
const FEWEST_PAIRS = 7;

interface CachePair {
  readonly equal: boolean;
  /** ln(fresh / repeat). */
  readonly logRatio: number;
  readonly repeatSaid: boolean;
  readonly firstSaid: boolean;
}

/**
 * Whether repeats come from a cache: the service says so of some, of more than it says it of first sights; or those that are
 * byte-identical are faster than their fresh neighbours by more than a tenth (signed rank of ln(fresh / repeat) - ln 1.1,
 * one-sided 1 %). An honest service that is deterministic gives equal bytes too: only the time tells.
 *
 * @param samples of the cache probe of one variant
 * @param lost why some of them brought nothing; null where all did
 */
export function decideCacheProbe(samples: readonly EffectiveSample[], lost: ProbeReason | null = null): CacheFinding {
  const { logRatios, ...found } = testCacheProbe(samples, lost);
  return { ...found, detectableRatio: found.code === 'no_sign' ? detectableRatio(logRatios, showsCache) : null };
}

/** As `decideCacheProbe`, without simulating what could have been found. */
export function testCacheProbe(
  samples: readonly EffectiveSample[],
  lost: ProbeReason | null = null,
): Omit<CacheFinding, 'detectableRatio'> & { readonly logRatios: readonly number[] } {
  const pairs = pairsOf(samples);
  const equal = pairs.filter((pair) => pair.equal);
  const logRatios = equal.map(({ logRatio }) => logRatio);
  const centre = hodgesLehmann(logRatios);
  const p = fasterBy(logRatios);
  const fresh = samples.filter(({ sample: { trial } }) => roleOf(trial) !== 'repeat');
  const saidOfRepeats = pairs.filter(({ repeatSaid }) => repeatSaid).length;
  const saidOfFresh = fresh.filter(says).length;
  const said = pairs.some(({ repeatSaid, firstSaid }) => repeatSaid && !firstSaid) && saidOfRepeats > saidOfFresh;
  const timing = showsCache(logRatios);
  const by = [...(timing ? ['timing' as const] : []), ...(said ? ['said' as const] : [])];
  const few = pairs.length < FEWEST_PAIRS;
  const code = by.length > 0 ? 'cached' : few ? 'not_testable' : 'no_sign';
  return {
    code,
    by,
    pairs: pairs.length,
    equal: equal.length,
    ratio: centre === null ? null : Math.exp(centre),
    p: equal.length === 0 ? null : p,
    logRatios,
    saidOfRepeats,
    saidOfFresh,
    reason:
      code === 'not_testable' ? (lost ?? { code: 'too_few_pairs', pairs: pairs.length, needs: FEWEST_PAIRS }) : null,
  };
}

function fasterBy(logRatios: readonly number[]): number {
  return signedRank(
    logRatios.map((ratio) => ratio - Math.log(LEAST_RATIO)),
    'greater',
  ).p;
}

function showsCache(logRatios: readonly number[]): boolean {
  return logRatios.length >= FEWEST_PAIRS && fasterBy(logRatios) <= SIGNIFICANCE;
}

function pairsOf(samples: readonly EffectiveSample[]): readonly CachePair[] {
  const known = new Map<string, EffectiveSample>();
  for (const effective of samples) {
    const { probe } = effective.sample.trial;
    if (probe?.kind === 'cache') known.set(`${probe.role} ${probe.pair}`, effective);
  }
  return samples.flatMap((repeat) => {
    const { probe } = repeat.sample.trial;
    if (probe?.kind !== 'cache' || probe.role !== 'repeat') return [];
    const { pair } = probe;
    const first = known.get(pair === 1 ? 'first 0' : `fresh ${pair - 1}`);
    const fresh = known.get(`fresh ${pair}`);
    if (first === undefined || fresh === undefined) return [];
    const digests = [repeat, first, fresh].map(deliveredDigest);
    const repeatMs = repeat.timings.totalMs ?? 0;
    const freshMs = fresh.timings.totalMs ?? 0;
    if (digests.includes(null) || !(repeatMs > 0 && freshMs > 0)) return [];
    return [
      {
        equal: digests[0] === digests[1],
        logRatio: Math.log(freshMs / repeatMs),
        repeatSaid: says(repeat),
        firstSaid: says(first),
      },
    ];
  });
}

function roleOf({ probe }: EffectiveSample['sample']['trial']): string | null {
  return probe?.kind === 'cache' ? probe.role : null;
}

function says({ sample }: EffectiveSample): boolean {
  return sample.reported.cached === true;
}
