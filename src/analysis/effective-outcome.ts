import { decimalOf, isSameNumber } from '../kit/decimal.ts';
import { compareCodeUnits } from '../kit/grouping.ts';
import type { OutputFact } from '../record/fact.ts';
import type { Output, Sample } from '../record/journal.ts';
import { type Charged, deliveredUsd, spendOf } from '../record/trial-histories.ts';
import type { Price } from '../suite/load.ts';
import { type EffectiveOutput, type EffectiveSample, sumOver, timingsOf } from './effective-sample.ts';

/** US dollars; null without a price, if the priced quantity was not measured, or for a failure priced per output. */
function declaredCostUsd(price: Price | null, sample: Sample, outputs: readonly EffectiveOutput[]): number | null {
  if (price === null) return null;
  if (sample.outcome === 'dropped') return 0; // Nothing of it was sent.
  switch (price.per) {
    case 'request':
      return price.usd * sample.attempts;
    case 'output':
      return deliveredUsd(price, sample);
    case 'megapixel':
    case 'second': {
      const units = outputs.length === 0 ? null : sumOver(outputs, UNITS[price.per]);
      return units === null ? deliveredUsd(price, sample) : price.usd * units;
    }
  }
}

/** Null if the output was not decoded: then the header may give the units. */
const UNITS = {
  second: ({ durationS }: EffectiveOutput) => durationS,
  megapixel: ({ width, height }: EffectiveOutput) =>
    width === null || height === null ? null : (width * height) / 1e6,
} as const;

/** The flag of a sample whose service reports a different seed. */
export const SEED_ECHO = 'seed_echo';

interface EchoedSeed {
  readonly sent: number;
  /** A number with the digits that the service reports. */
  readonly echoed: string;
}

/** Null if no seed was sent, or none that is a number was reported. */
export function echoedSeed({ trial, reported }: EffectiveSample['sample']): EchoedSeed | null {
  const { seedEcho } = reported;
  if (trial.seed === null || seedEcho === null || decimalOf(seedEcho) === null) return null;
  return { sent: trial.seed, echoed: seedEcho.trim() };
}

type FactsByDigest = ReadonlyMap<string, OutputFact>;

/** The flag of a sample that the service says was cached. */
export const CACHED = 'cached';

const BLANK = 'blank';

/**
 * A sample as it counts.
 * - `invalid_media`, code `undecodable`: examination could not decode what looked like media.
 * - `blank`: it shows one colour only.
 * - Else, or without examination, the runner's outcome.
 *
 * The first output decides. A reported cost overrides `price`.
 *
 * @param sendsSeed whether the request has the seed; else the reported one is not compared with it
 * @param charged what its requests cost, by the price of its spend
 */
export function effectiveOutcome(
  sample: Sample,
  facts: FactsByDigest,
  price: Price | null,
  sendsSeed = true,
  charged: Pick<Charged, 'price' | 'mostUsd'> = { price, mostUsd: null },
): EffectiveSample {
  const outputs = 'outputs' in sample ? sample.outputs.map((output) => effectiveOutput(output, facts)) : [];
  const [output = null] = outputs;
  const { outcome, error } = verdictOn(sample, output);
  return {
    sample,
    outcome,
    error,
    timings: timingsOf(sample),
    output,
    outputs,
    costUsd: sample.reported.costUsd ?? declaredCostUsd(price, sample, outputs),
    spend: spendOf({ ...charged, sample, examinedUsd: declaredCostUsd(charged.price, sample, outputs) }),
    flags: flagsOf(sample, { blank: outcome === 'blank', sendsSeed }),
  };
}

function flagsOf(
  sample: Sample,
  { blank, sendsSeed }: { readonly blank: boolean; readonly sendsSeed: boolean },
): readonly string[] {
  const seed = sendsSeed ? echoedSeed(sample) : null;
  const flags = [
    ...sample.flags,
    ...(sample.reported.cached === true ? [CACHED] : []),
    ...(blank ? [BLANK] : []),
    ...(seed !== null && !isSameNumber(seed.echoed, seed.sent) ? [SEED_ECHO] : []),
  ];
  return [...new Set(flags)].sort(compareCodeUnits);
}

function verdictOn(
  { outcome, error }: Sample,
  first: EffectiveOutput | null,
): Pick<EffectiveSample, 'outcome' | 'error'> {
  const undecodable = first?.undecodable ?? null;
  if (outcome === 'ok' && undecodable !== null) {
    return { outcome: 'invalid_media', error: { code: 'undecodable', message: '', undecodable } };
  }
  if (outcome === 'ok' && first?.shown?.blank === true) {
    return { outcome: 'blank', error: { code: 'one_colour', message: '', undecodable: null } };
  }
  return { outcome, error: error === null ? null : { ...error, undecodable: null } };
}

function effectiveOutput({ sha256, bytes, mime }: Output, facts: FactsByDigest): EffectiveOutput {
  const fact = facts.get(sha256);
  const decoded = fact?.decodes === true ? fact : null;
  return {
    sha256,
    bytes,
    mime: fact?.mime ?? mime,
    width: decoded?.width ?? null,
    height: decoded?.height ?? null,
    frames: decoded?.frames ?? null,
    fps: decoded?.video?.fps ?? null,
    durationS: decoded?.video?.durationS ?? null,
    thumbnail: decoded?.thumbnail ?? false,
    shown: decoded?.shown ?? null,
    undecoded: fact?.decodes === null ? fact.reason : null,
    undecodable: fact?.decodes === false ? fact.reason : null,
  };
}

/** Flags that say nothing of times. `slowed` is not one: fewer concurrent calls make a sample faster. */
const TIMELESS: ReadonlySet<string> = new Set([BLANK, SEED_ECHO]);

/** Whether a flag may have changed its times. */
export function isFlagged({ flags }: Pick<EffectiveSample, 'flags'>): boolean {
  return flags.some((flag) => !TIMELESS.has(flag));
}
