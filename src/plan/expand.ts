import { createHash } from 'node:crypto';
import { createRandom } from '../statistics/random.ts';
import type { Case, Kind, Load } from '../suite/suite.ts';
import { requestDigest } from '../target/request.ts';
import type { Variant } from '../target/variant.ts';
import { type CellTrials, type KindTrials, orderTrials } from './order.ts';
import type { Phase, Plan, Slice, Trial } from './trial.ts';

/** What a plan is made from: a suite whose variants have found their targets. */
export interface PlanInput {
  readonly variants: readonly Variant[];
  readonly cases: readonly Case[];
  readonly seeds: readonly number[];
  readonly repeats: number;
  readonly load: Load;
}

/**
 * The plan of a suite: first a slice of warm-ups for each variant, then the trials in the load's order.
 * Pure: the same input gives the same plan, to the digest, on every machine.
 */
export function expandPlan(input: PlanInput): Plan {
  const random = createRandom(input.load.shuffle);
  const warmups = random.shuffle(input.variants.map((variant) => warmupsOf(variant, input)));
  const ordered = orderTrials(trialsByKind(input), input.load, random);
  const slices: Slice[] = [...warmups.filter((slice) => slice.length > 0), ...ordered].map((trials, index) => ({
    index,
    trials,
  }));
  return {
    digest: digestOf(slices.map(({ trials }) => trials.map(({ id }) => id))),
    slices,
    requests: slices.reduce((sum, { trials }) => sum + trials.length, 0),
  };
}

function trialsByKind({ variants, cases, seeds, repeats }: PlanInput): readonly KindTrials[] {
  const kinds = [...new Set(variants.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const ofKind = variants.filter((variant) => variant.kind === kind);
    const cells = casesOf(kind, cases).flatMap((oneCase) =>
      seeds.map((seed): CellTrials => {
        // A render is the same for every repeat: it is digested once.
        const digests = ofKind.map((variant) => requestDigest(variant, { case: oneCase, seed }));
        const takes = Array.from({ length: repeats }, (_, index) =>
          ofKind.map((variant, at) =>
            trialOf(variant, oneCase, seed, index + 1, 'trial', digests[at] ?? missingDigest(variant)),
          ),
        );
        return { takes };
      }),
    );
    return { kind, cells };
  });
}

/** Warm-ups take the first case with seeds outside the plan, so that no later take can come from a cache they filled. */
function warmupsOf(variant: Variant, { cases, seeds, load }: PlanInput): readonly Trial[] {
  const first = casesOf(variant.kind, cases)[0];
  if (first === undefined) return [];
  return unusedSeeds(variant, seeds, load.warmup).map((seed, index) =>
    trialOf(variant, first, seed, index + 1, 'warmup', requestDigest(variant, { case: first, seed })),
  );
}

/** The first `count` seeds within the target's range that the plan does not use, counting up from its largest, then from the smallest allowed. */
function unusedSeeds(variant: Variant, seeds: readonly number[], count: number): readonly number[] {
  const used = new Set(seeds);
  const { min, max } = variant.seedRange;
  const found: number[] = [];
  const collect = (from: number) => {
    for (let seed = from; seed <= max && found.length < count; seed += 1) {
      if (!used.has(seed) && !found.includes(seed)) found.push(seed);
    }
  };
  collect(Math.max(min, seeds.reduce((largest, seed) => Math.max(largest, seed), 0) + 1));
  if (found.length < count) collect(min);
  return found;
}

function casesOf(kind: Kind, cases: readonly Case[]): readonly Case[] {
  return cases.filter(({ kinds }) => kinds.includes(kind));
}

function trialOf(
  variant: Variant,
  { id: prompt }: Case,
  seed: number,
  repeat: number,
  phase: Phase,
  digest: string,
): Trial {
  return {
    id: digestOf([variant.name, phase, prompt, seed, repeat, digest]).slice(0, TRIAL_ID_LENGTH),
    variant: variant.name,
    kind: variant.kind,
    prompt,
    seed,
    repeat,
    block: `${variant.kind}/${prompt}/${seed}/${repeat}`,
    phase,
    requestDigest: digest,
  };
}

/** 64 bits: among 100,000 trials the chance of two alike is below 3e-10. */
const TRIAL_ID_LENGTH = 16;

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function missingDigest(variant: Variant): never {
  throw new Error(`no request digest for variant ${variant.name}`);
}
