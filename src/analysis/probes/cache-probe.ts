import { count, plural, probability, significant } from '../../kit/wording.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import { signedRankTest } from '../../statistics/signed-rank.ts';
import { deliveredDigest } from '../cells/cells.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import type { ProbeAnswer } from '../probe.ts';
import { FROM_CACHE, type Untestable, untestable } from '../probe-untestable.ts';

/** A cached repeat must be significantly faster by more than this. */
const LEAST_RATIO = 1.1;

/** One-sided. */
const SIGNIFICANCE = 0.01;

/** Fewer pairs cannot reach one-sided 1 %. */
const FEWEST_PAIRS = 7;

interface CachePair {
  readonly equal: boolean;
  /** ln(fresh / repeat). */
  readonly logRatio: number;
  readonly repeatSaid: boolean;
  readonly firstSaid: boolean;
}

/**
 * Cached if the service reports it for more repeats than first requests, or byte-identical repeats are more than a
 * tenth faster (signed rank of ln(fresh / repeat) - ln 1.1, one-sided 1 %). Equal bytes alone prove nothing: a
 * deterministic service gives them too. `lost`: why requests delivered nothing.
 */
export function decideCacheProbe(samples: readonly EffectiveSample[], lost: Untestable | null = null) {
  const { code, test, ...tested } = testCacheProbe(samples);
  const { pairs, equal, ratio, p, saidOfRepeats } = tested;
  const why =
    code !== 'not_testable'
      ? null
      : (lost ?? untestable(`${plural(pairs, 'pair')} delivered; the test needs ${count(FEWEST_PAIRS)}`));
  const most = test.upper(CONFIDENCE);
  const bound = most === null ? null : Math.exp(most);
  const evidence = [
    ...(pairs === 0 ? [] : [`${count(equal)} of ${plural(pairs, 'repeat')} byte-identical`]),
    ...(ratio === null ? [] : [`${significant(ratio)} times as fast as fresh requests`]),
    ...(p === null ? [] : [`p = ${probability(p)} (signed-rank test against ${LEAST_RATIO} times)`]),
    ...(code === 'no_sign' ? [boundWords(bound, equal)] : []),
    ...(saidOfRepeats === 0 ? [] : [`the service reports a cache hit for ${count(saidOfRepeats)}`]),
    ...(why === null ? [] : [why.why]),
  ];
  return {
    question: 'cache',
    code,
    facts: { ...tested, bound },
    sentence: SENTENCES[code],
    evidence: evidence.join('; '),
    remedy: code === 'cached' ? REMEDY : (why?.remedy ?? null),
  } satisfies ProbeAnswer;
}

const SENTENCES = { cached: FROM_CACHE, no_sign: 'no sign of a cache', not_testable: 'cache not testable' } as const;

const REMEDY =
  'turn the cache off, or draw many seeds and change "from" before each run (seeds: { random: 30, from: 2 }); until then, latency counts only the first take of each prompt and seed, for all variants of its kind, and determinism is not testable';

/** The test alone, without words. */
export function testCacheProbe(samples: readonly EffectiveSample[]) {
  const pairs = pairsOf(samples);
  const test = signedRankTest(pairs.filter(({ equal }) => equal).map(({ logRatio }) => logRatio));
  const p = test.greater(Math.log(LEAST_RATIO));
  const isFaster = test.n >= FEWEST_PAIRS && (p ?? 1) <= SIGNIFICANCE;
  const fresh = samples.filter(({ sample: { trial } }) => roleOf(trial) !== 'repeat');
  const saidOfRepeats = pairs.filter(({ repeatSaid }) => repeatSaid).length;
  const saidOfFresh = fresh.filter(says).length;
  const isReported = pairs.some(({ repeatSaid, firstSaid }) => repeatSaid && !firstSaid) && saidOfRepeats > saidOfFresh;
  const by = [...(isFaster ? ['timing' as const] : []), ...(isReported ? ['said' as const] : [])];
  const code = by.length > 0 ? 'cached' : pairs.length < FEWEST_PAIRS ? 'not_testable' : 'no_sign';
  return {
    code,
    by,
    pairs: pairs.length,
    equal: test.n,
    ratio: test.estimate === null ? null : Math.exp(test.estimate),
    p,
    test,
    saidOfRepeats,
    saidOfFresh,
  } as const;
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
    // The repeat of a pair sends the fresh request of the pair before it again, that of the first pair the first request.
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

/** What timing leaves open, so that "no sign" does not read as evidence of absence. */
function boundWords(bound: number | null, equal: number): string {
  if (bound !== null) return `at most ${significant(bound)} times as fast (one-sided 95 % bound)`;
  return equal === 0
    ? 'timing cannot show a cache: no repeat was byte-identical'
    : `timing cannot show a cache with only ${plural(equal, 'byte-identical repeat')}`;
}
