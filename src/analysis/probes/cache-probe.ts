import { count, plural, probability, significant } from '../../kit/wording.ts';
import { POWER } from '../../statistics/detectable-shift.ts';
import { median, sortSample } from '../../statistics/quantile.ts';
import { createRandom } from '../../statistics/random.ts';
import { hodgesLehmann, signedRank } from '../../statistics/signed-rank.ts';
import { deliveredDigest } from '../cells/cells.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import type { ProbeAnswer } from '../probe.ts';
import { FROM_CACHE, type Untestable, untestable } from '../probe-untestable.ts';

/** Simulated runs, and the share in which a detectable cache is found. */
const RUNS = 200;

/** Constant, so that a report is always the same. */
const SEED = 20261121;

/** No cache is expected to be faster than this. Halving finds the ratio in this number of steps. */
const LARGEST_RATIO = 1000;
const STEPS = 12;

/**
 * The smallest ratio of fresh to repeated latency found in 80 of 100 simulated runs, or null. Each run draws deviations
 * of `logRatios` from their median with random signs. A larger ratio never weakens the finding, so halving gives the
 * one that each run needs. Assumes that every repeat is cached.
 */
function detectableRatio(
  logRatios: readonly number[],
  finds: (logRatios: readonly number[]) => boolean,
): number | null {
  const centre = median(sortSample(logRatios));
  if (centre === null) return null;
  const random = createRandom(SEED);
  const needed = Array.from({ length: RUNS }, () => {
    const drawn = logRatios.map(() => {
      const departure = (logRatios[random.below(logRatios.length)] ?? centre) - centre;
      return random.below(2) === 0 ? departure : -departure;
    });
    return shiftNeeded(drawn, finds);
  }).sort((a, b) => a - b);
  const enough = needed[Math.ceil(POWER * RUNS) - 1] ?? Infinity;
  return enough === Infinity ? null : roundedUp(Math.exp(enough));
}

/** `Infinity` if no shift within bounds is enough. */
function shiftNeeded(drawn: readonly number[], finds: (logRatios: readonly number[]) => boolean): number {
  const isFound = (shift: number) => finds(drawn.map((logRatio) => logRatio + shift));
  let [low, high] = [0, Math.log(LARGEST_RATIO)];
  if (!isFound(high)) return Infinity;
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (isFound(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** To two digits, from 1: `1.3`, `13`, `130`. */
function roundedUp(ratio: number): number {
  const unit = ratio < 10 ? 10 : ratio < 100 ? 1 : 0.1;
  return Math.ceil(ratio * unit - 1e-9) / unit;
}

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
  const { code, logRatios, ...tested } = testCacheProbe(samples);
  const { pairs, equal, ratio, p, saidOfRepeats } = tested;
  const why =
    code !== 'not_testable'
      ? null
      : (lost ?? untestable(`${plural(pairs, 'pair')} delivered; the test needs ${count(FEWEST_PAIRS)}`));
  const detectable = code === 'no_sign' ? detectableRatio(logRatios, showsCache) : null;
  const evidence = [
    ...(pairs === 0 ? [] : [`${count(equal)} of ${plural(pairs, 'repeat')} byte-identical`]),
    ...(ratio === null ? [] : [`${significant(ratio)} times as fast as fresh requests`]),
    ...(p === null ? [] : [`p = ${probability(p)} (signed-rank test against ${LEAST_RATIO} times)`]),
    ...(code === 'no_sign' ? [detectableWords(detectable, equal)] : []),
    ...(saidOfRepeats === 0 ? [] : [`the service reports a cache hit for ${count(saidOfRepeats)}`]),
    ...(why === null ? [] : [why.why]),
  ];
  return {
    question: 'cache',
    code,
    facts: { ...tested, detectableRatio: detectable },
    sentence: SENTENCES[code],
    evidence: evidence.join('; '),
    remedy: code === 'cached' ? REMEDY : (why?.remedy ?? null),
  } satisfies ProbeAnswer;
}

const SENTENCES = { cached: FROM_CACHE, no_sign: 'no sign of a cache', not_testable: 'cache not testable' } as const;

const REMEDY =
  'turn the cache off, or draw many seeds and change "from" before each run (seeds: { random: 30, from: 2 }); until then, latency counts only the first take of each prompt and seed, for all variants of its kind, and determinism is not testable';

/** The test alone, without words and the simulation of what it can find. */
export function testCacheProbe(samples: readonly EffectiveSample[]) {
  const pairs = pairsOf(samples);
  const logRatios = pairs.filter(({ equal }) => equal).map(({ logRatio }) => logRatio);
  const centre = hodgesLehmann(logRatios);
  const fresh = samples.filter(({ sample: { trial } }) => roleOf(trial) !== 'repeat');
  const saidOfRepeats = pairs.filter(({ repeatSaid }) => repeatSaid).length;
  const saidOfFresh = fresh.filter(says).length;
  const isReported = pairs.some(({ repeatSaid, firstSaid }) => repeatSaid && !firstSaid) && saidOfRepeats > saidOfFresh;
  const by = [...(showsCache(logRatios) ? ['timing' as const] : []), ...(isReported ? ['said' as const] : [])];
  const code = by.length > 0 ? 'cached' : pairs.length < FEWEST_PAIRS ? 'not_testable' : 'no_sign';
  return {
    code,
    by,
    pairs: pairs.length,
    equal: logRatios.length,
    ratio: centre === null ? null : Math.exp(centre),
    p: logRatios.length === 0 ? null : pOfFaster(logRatios),
    logRatios,
    saidOfRepeats,
    saidOfFresh,
  } as const;
}

function pOfFaster(logRatios: readonly number[]): number {
  return signedRank(
    logRatios.map((ratio) => ratio - Math.log(LEAST_RATIO)),
    'greater',
  ).p;
}

function showsCache(logRatios: readonly number[]): boolean {
  return logRatios.length >= FEWEST_PAIRS && pOfFaster(logRatios) <= SIGNIFICANCE;
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

/** The smallest visible effect, so that "no sign" does not read as evidence of absence. */
function detectableWords(ratio: number | null, equal: number): string {
  if (ratio !== null) return `a cache that makes every repeat ${ratio} times as fast would be found in 80 of 100 runs`;
  return equal === 0
    ? 'timing cannot show a cache: no repeat was byte-identical'
    : `timing cannot show a cache with only ${plural(equal, 'byte-identical repeat')}`;
}
