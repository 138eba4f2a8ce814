import { hash } from 'node:crypto';
import type { Kind } from '../suite/kind.ts';
import type { Case } from '../suite/suite.ts';
import { requestDigest } from '../targets/request.ts';
import type { Variant } from '../targets/target.ts';
import { blockOf } from './plan.ts';
import type { Phase, ProbePart, Trial } from './trial.ts';

/** Unused seeds: up from the plan's largest, then from the smallest that the target allows. */
export function unusedSeeds(variant: Variant, seeds: readonly number[], count: number): readonly number[] {
  const used = new Set(seeds);
  const { min, max } = variant.seedRange;
  const unused: number[] = [];
  const collect = (from: number) => {
    for (let seed = from; seed <= max && unused.length < count; seed += 1) {
      if (!used.has(seed) && !unused.includes(seed)) unused.push(seed);
    }
  };
  collect(Math.max(min, seeds.reduce((largest, seed) => Math.max(largest, seed), 0) + 1));
  if (unused.length < count) collect(min);
  return unused;
}

export function casesOf(kind: Kind, cases: readonly Case[]): readonly Case[] {
  return cases.filter(({ kinds }) => kinds.includes(kind));
}

export function trialOf(
  variant: Variant,
  { id: prompt }: Case,
  seed: number,
  repeat: number,
  phase: Phase,
  digest: string,
  step?: number,
): Trial {
  const { name, kind } = variant;
  const stepped = step === undefined ? {} : { step };
  return {
    id: trialId([name, phase, prompt, seed, repeat, digest, ...(step === undefined ? [] : [step])]),
    variant: name,
    kind,
    prompt,
    seed,
    repeat,
    block: blockOf({ kind, prompt, seed, repeat, ...stepped }),
    phase,
    ...stepped,
    requestDigest: digest,
  };
}

/**
 * A trial of a probe; a null seed is left out. `shape`: digest without a drawn seed, so that the id is the same for
 * every seed.
 */
export function probeTrialOf(
  variant: Variant,
  oneCase: Case,
  seed: number | null,
  repeat: number,
  probe: ProbePart,
  shape?: string,
): Trial {
  const { name, kind } = variant;
  const prompt = oneCase.id;
  const digest = requestDigest(variant, { case: oneCase, seed });
  const asked = shape === undefined ? [seed, digest] : [shape];
  return {
    id: trialId([name, 'probe', prompt, repeat, probe, ...asked]),
    variant: name,
    kind,
    prompt,
    seed,
    repeat,
    block: blockOf({ kind, prompt, seed, repeat, probe }),
    phase: 'probe',
    probe,
    requestDigest: digest,
  };
}

/** 64 bits: among 100,000 trials the chance of two equal ids is below 3e-10. */
const TRIAL_ID_BYTES = 8;

/** A copy: a slice would keep the whole digest in memory. */
function trialId(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'buffer').toString('hex', 0, TRIAL_ID_BYTES);
}

export function digestOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'hex');
}
