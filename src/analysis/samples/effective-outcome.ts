import type { Fact, OutputFact } from '../../record/fact.ts';
import type { Output, Sample } from '../../record/journal.ts';
import type { Price } from '../../suite/load.ts';
import { type EffectiveError, type EffectiveOutput, type EffectiveSample, timingsOf } from '../effective-sample.ts';
import { compareCodeUnits } from '../grouping.ts';
import { declaredCostUsd } from './declared-cost.ts';
import { echoedSeed, SEED_ECHO } from './echoed-seed.ts';

export type FactsByDigest = ReadonlyMap<string, OutputFact>;

/** The last of several facts about one digest counts. */
export function factsByDigest(facts: readonly Fact[]): FactsByDigest {
  return new Map(facts.flatMap((fact) => (fact.fact === 'output' ? [[fact.sha256, fact] as const] : [])));
}

/** The flag of a sample that the service says was cached. */
export const CACHED = 'cached';

export const BLANK = 'blank';

/**
 * A sample as it counts.
 * - `invalid_media`, code `undecodable`: examination could not decode what looked like media.
 * - `blank`: it shows one colour only.
 * - Else, or without examination, the runner's outcome.
 *
 * Only the first output counts; `items` is their number. A reported cost overrides `price`.
 *
 * @param sendsSeed whether the request has the seed; else the reported one is not compared with it
 */
export function effectiveOutcome(
  sample: Sample,
  facts: FactsByDigest,
  price: Price | null,
  sendsSeed = true,
): EffectiveSample {
  const { outcome, error, output } = verdictOn(sample, facts);
  return {
    sample,
    outcome,
    error,
    timings: timingsOf(sample),
    output,
    costUsd: sample.reported.costUsd ?? declaredCostUsd(price, sample, output),
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
    ...(seed !== null && seed.echoed !== seed.sent ? [SEED_ECHO] : []),
  ];
  return [...new Set(flags)].sort(compareCodeUnits);
}

function verdictOn(sample: Sample, facts: FactsByDigest): Pick<EffectiveSample, 'outcome' | 'error' | 'output'> {
  if (sample.outcome !== 'ok' && sample.outcome !== 'invalid_media') {
    return { outcome: sample.outcome, error: errorOf(sample), output: null };
  }
  const [first] = sample.outputs;
  const fact = facts.get(first.sha256);
  const output = effectiveOutput(first, sample.outputs.length, fact);
  if (sample.outcome === 'ok' && fact?.decodes === false) {
    return { outcome: 'invalid_media', error: { code: 'undecodable', message: '', undecodable: fact.reason }, output };
  }
  if (sample.outcome === 'ok' && output.shown?.blank === true) {
    return { outcome: 'blank', error: { code: 'one_colour', message: '', undecodable: null }, output };
  }
  return { outcome: sample.outcome, error: errorOf(sample), output };
}

function errorOf({ error }: Sample): EffectiveError | null {
  return error === null ? null : { ...error, undecodable: null };
}

function effectiveOutput(
  { sha256, bytes, mime }: Output,
  items: number,
  fact: OutputFact | undefined,
): EffectiveOutput {
  const decoded = fact?.decodes === true ? fact : null;
  return {
    sha256,
    bytes,
    mime: fact?.mime ?? mime,
    items,
    width: decoded?.width ?? null,
    height: decoded?.height ?? null,
    frames: decoded?.frames ?? null,
    fps: decoded?.video?.fps ?? null,
    durationS: decoded?.video?.durationS ?? null,
    thumbnail: decoded?.thumbnail ?? false,
    shown: decoded?.shown ?? null,
    undecoded: fact?.decodes === null ? fact.reason : null,
  };
}
