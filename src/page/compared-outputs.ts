import { findPairs } from '../analysis/pair-levels.ts';
import { changedPrompts } from '../analysis/stability.ts';
import { decodeReason } from '../kit/outcome-words.ts';
import type { LevelLimits } from '../media/difference.ts';
import { DEFAULT_LIMITS, levelOf } from '../media/level.ts';
import { isMeasured } from '../plan/plan.ts';
import type { Fact, PairFact } from '../record/fact.ts';
import type { Output, Sample } from '../record/journal.ts';
import type { StoredRun } from '../record/kept-run.ts';
import { factsByDigest } from '../record/output-pairs.ts';
import { LEVEL_WORDS, outputDifferenceWords, type PairDifference, shortSsim } from '../report/level-words.ts';

export type DeliveredSample = Extract<Sample, { readonly outcome: 'ok' }>;

/** The first delivered take of each run. */
export interface ComparedOutputs {
  readonly variant: string;
  readonly prompt: string;
  readonly seed: number | null;
  readonly outputs: readonly [earlier: Output, later: Output];
  readonly takes: readonly [earlier: DeliveredSample, later: DeliveredSample];
  /** Null if they decode and nobody has compared them yet. */
  readonly difference: PairDifference | null;
  /** Those of the later run. */
  readonly limits: LevelLimits;
}

export type ComparedRecord = Pick<StoredRun, 'run' | 'samples' | 'facts'>;

/** For prompts that ask the same: those that changed first, then by prompt, seed and variant in the earlier run's order. */
export function comparedOutputs(earlier: ComparedRecord, later: ComparedRecord): readonly ComparedOutputs[] {
  const facts = [...earlier.facts, ...later.facts];
  const differenceOf = knownDifferences(facts);
  const now = firstOutputs(later);
  const changed = changedPrompts(earlier.run.prompts, later.run.prompts);
  const limitsOf = new Map(later.run.variants.map(({ name, levels }) => [name, levels]));
  const variants = earlier.run.variants.map(({ name }) => name);
  const prompts = earlier.run.prompts.map(({ id }) => id);
  const pairs = [...firstOutputs(earlier)].flatMap(([key, before]): ComparedOutputs[] => {
    const after = now.get(key);
    const { variant, prompt, seed } = before.trial;
    if (after === undefined || changed.has(prompt)) return [];
    const outputs = [before.outputs[0], after.outputs[0]] as const;
    const limits = limitsOf.get(variant) ?? DEFAULT_LIMITS;
    return [
      { variant, prompt, seed, outputs, takes: [before, after], limits, difference: differenceOf(outputs, limits) },
    ];
  });
  return pairs.sort(
    (a, b) =>
      Number(isEqual(a)) - Number(isEqual(b)) ||
      prompts.indexOf(a.prompt) - prompts.indexOf(b.prompt) ||
      (a.seed ?? -1) - (b.seed ?? -1) ||
      variants.indexOf(a.variant) - variants.indexOf(b.variant),
  );
}

/** By bytes, or by all pixels. */
export function isEqual({ difference }: Pick<ComparedOutputs, 'difference'>): boolean {
  return difference?.state === 'compared' && (difference.level === 'byte' || difference.level === 'pixel');
}

function knownDifferences(
  facts: readonly Fact[],
): (outputs: ComparedOutputs['outputs'], limits: LevelLimits) => PairDifference | null {
  const found = findPairs(facts);
  const decoded = factsByDigest(facts);
  return ([one, other], limits) => {
    const level = found.levels(limits)(one.sha256, other.sha256);
    if (level !== null) {
      return { state: 'compared', level, difference: found.differenceOf(one.sha256, other.sha256) };
    }
    const isDecoded = [one, other].every(({ sha256 }) => decoded.get(sha256)?.decodes === true);
    return isDecoded ? null : { state: 'not_decoded' };
  };
}

/** @param fact null if one of them no longer decodes */
export function foundDifference(fact: PairFact | null, limits: LevelLimits): PairDifference {
  if (fact === null) return { state: 'not_decoded' };
  if (!fact.compared) return { state: 'uncompared', reason: fact.reason };
  return { state: 'compared', level: levelOf(fact.difference, limits), difference: fact.difference };
}

/** `visually similar, SSIM 0.98`; null while nobody has compared them. */
export function differenceWords(difference: PairDifference | null): string | null {
  if (difference === null) return null;
  if (difference.state !== 'compared') return 'not compared';
  const ssim = shortSsim(difference.difference?.ssim?.p5 ?? null);
  const { same } = LEVEL_WORDS[difference.level];
  return ssim === null ? same : `${same}, ${ssim}`;
}

/** All that is known, as a sentence. @param difference null: an interrupt kept them from being compared */
export function differenceSentence(difference: PairDifference | null): string {
  if (difference === null) return notComparedSentence('Retake was interrupted');
  if (difference.state === 'not_decoded') return notComparedSentence('one of them was not decoded');
  if (difference.state === 'uncompared') return notComparedSentence(decodeReason(difference.reason));
  const { same } = LEVEL_WORDS[difference.level];
  if (difference.difference !== null) {
    return `Two runs: ${same}; ${outputDifferenceWords(difference.difference)}. Similarity says nothing about quality.`;
  }
  return difference.level === 'byte' ? `Two runs: ${same}.` : `Two runs: ${same}, in other bytes.`;
}

function notComparedSentence(why: string): string {
  return `Two runs, other bytes. They were not compared: ${why}.`;
}

function firstOutputs({ samples }: Pick<StoredRun, 'samples'>): ReadonlyMap<string, DeliveredSample> {
  const first = new Map<string, DeliveredSample>();
  for (const sample of samples) {
    if (sample.outcome !== 'ok' || !isMeasured(sample.trial)) continue;
    const { variant, prompt, seed, repeat } = sample.trial;
    const key = JSON.stringify([variant, prompt, seed]);
    const known = first.get(key);
    if (known === undefined || repeat < known.trial.repeat) first.set(key, sample);
  }
  return first;
}
