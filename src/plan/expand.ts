import { createRandom, type Random } from '../statistics/random.ts';
import type { ClosedLoad } from '../suite/load.ts';
import { stepsOf } from '../suite/sweep.ts';
import { requestDigest } from '../targets/request.ts';
import type { Variant } from '../targets/target.ts';
import { casesOf, digestOf, trialOf, unusedSeeds } from './build-trial.ts';
import { openSlices, openSweepSlices, sweepSlices } from './load-slices.ts';
import { findLooksFault, plannedLooks, splitIntoParts, splitIntoRounds } from './looks.ts';
import { type CellTrials, type KindTrials, orderTrials, type PlanInput } from './order/order.ts';
import type { Plan, Slice } from './plan.ts';
import { OTHER_SEEDS, probeSlices } from './probes.ts';
import type { Phase, Trial } from './trial.ts';

/**
 * The plan of a suite: warm-ups of each variant, the trials in the order of the load, then the probes, which would put
 * into a cache what is measured. Pure: one input gives one plan on every machine; its digest is independent of `nonce`.
 */
export function expandPlan(input: PlanInput): Plan {
  const { load } = input;
  const random = createRandom(load.shuffle);
  const warmups = random.shuffle(input.variants.map((variant) => warmupsOf(variant, input)));
  // At the concurrency of the trials; one at a time for sweeps and open load.
  const pace = {
    mode: 'closed',
    concurrency: load.mode === 'closed' && stepsOf(load) === null ? load.concurrency : 1,
  } as const;
  let planned = 0;
  const numbered = (unnumbered: readonly UnnumberedSlice[]): readonly Slice[] =>
    unnumbered.map((slice) => ({ index: planned++, ...slice }));
  const before = numbered(warmups.filter((trials) => trials.length > 0).map((trials) => ({ trials, pace })));
  const parts = measuredParts(input, random).map(numbered);
  const slices = [...before, ...parts.flat(), ...numbered(probeSlices(input, random))];
  const looks = input.looks === undefined ? null : plannedLooks(input.looks, parts, load);
  const digested = slices.map(digestedSlice);
  return {
    digest: digestOf(looks === null ? digested : [looks.kind, looks.parts.map(({ lastSlice }) => lastSlice), digested]),
    slices,
    requests: slices.reduce((sum, { trials }) => sum + trials.length, 0),
    looks,
  };
}

type UnnumberedSlice = Pick<Slice, 'trials' | 'pace'>;

function measuredParts(input: PlanInput, random: Random): readonly (readonly UnnumberedSlice[])[] {
  const { load, seeds } = input;
  if (input.looks === undefined) return [measuredSlices(input, random)];
  const fault = findLooksFault(input, input.looks);
  if (fault !== null || load.mode === 'open') throw new Error(`the plan cannot be sent in parts: ${fault?.code}`);
  const planned = trialsByKind(input, 'trial', seeds);
  if (input.looks === 'claim') return splitIntoRounds(closedSlices(planned, load, random), input.claimPairs);
  const parts =
    input.looks === 'confirm'
      ? // Repeats of later passes continue those of the plan.
        [planned, trialsByKind(input, 'confirm', seeds, 1)]
      : splitIntoParts(planned, load, input.probes.includes('seed'), random);
  return parts.map((kinds) => closedSlices(kinds, load, random));
}

function closedSlices(kinds: readonly KindTrials[], load: ClosedLoad, random: Random): readonly UnnumberedSlice[] {
  const pace = { mode: 'closed', concurrency: load.concurrency } as const;
  return orderTrials(kinds, load, random).map((trials) => ({ trials, pace }));
}

function measuredSlices(input: PlanInput, random: Random): readonly UnnumberedSlice[] {
  const { load, seeds } = input;
  const steps = stepsOf(load);
  if (load.mode === 'open') {
    const passes = freshSeeds(input);
    if (steps !== null) {
      const cycle = (step: number) => (pass: number) => trialsByKind(input, 'step', passes(pass), pass, step);
      return openSweepSlices(steps, cycle, load, random);
    }
    return openSlices((pass) => trialsByKind(input, 'trial', passes(pass), pass), load, random);
  }
  if (steps !== null) {
    return sweepSlices(steps, (step) => trialsByKind(input, 'step', seeds, 0, step), random);
  }
  return closedSlices(trialsByKind(input, 'trial', seeds), load, random);
}

/** Steps and repeats are in the ids. */
function digestedSlice({ trials, pace }: Slice): unknown {
  const ids = trials.map(({ id }) => id);
  return pace.mode === 'open' ? { ids, startsMs: pace.startsMs } : ids;
}

/** For targets without fresh seeds, repeats continue over the passes. */
function trialsByKind(
  { variants, cases, repeats }: PlanInput,
  phase: Phase,
  seeds: readonly number[],
  pass = 0,
  step?: number,
): readonly KindTrials[] {
  const kinds = [...new Set(variants.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const ofKind = variants.filter((variant) => variant.kind === kind);
    const cells = casesOf(kind, cases).flatMap((oneCase) =>
      seeds.map((seed): CellTrials => {
        // A request is the same for every repeat: digest it once.
        const digests = ofKind.map((variant) => requestDigest(variant, { case: oneCase, seed }));
        const takes = Array.from({ length: repeats }, (_, index) =>
          ofKind.map((variant, at) =>
            trialOf(
              variant,
              oneCase,
              seed,
              pass * repeats + index + 1,
              variant.twinOf === undefined ? phase : 'against',
              digests[at] ?? missingDigest(variant),
              step,
            ),
          ),
        );
        return { takes };
      }),
    );
    return { kind, cells };
  });
}

/** Seeds by pass: the plan's, then as many unused ones that all variants accept, else the plan's again. */
function freshSeeds({ variants, seeds, load, probes }: PlanInput): (pass: number) => readonly number[] {
  const min = Math.max(...variants.map(({ seedRange }) => seedRange.min));
  const max = Math.min(...variants.map(({ seedRange }) => seedRange.max));
  // Warm-ups and the seed probe count up from the largest.
  const others = probes.includes('seed') ? OTHER_SEEDS : 0;
  const taken = seeds.reduce((most, seed) => Math.max(most, seed), 0) + load.warmup + others;
  return (pass) => {
    if (pass === 0) return seeds;
    const first = Math.max(min, taken + 1) + (pass - 1) * seeds.length;
    return first + seeds.length - 1 <= max ? seeds.map((_, at) => first + at) : seeds;
  };
}

/** Uses seeds outside the plan, so that no take comes from a cache that a warm-up filled. */
function warmupsOf(variant: Variant, { cases, seeds, load }: PlanInput): readonly Trial[] {
  const first = casesOf(variant.kind, cases)[0];
  if (first === undefined) return [];
  return unusedSeeds(variant, seeds, load.warmup).map((seed, index) =>
    trialOf(variant, first, seed, index + 1, 'warmup', requestDigest(variant, { case: first, seed })),
  );
}

function missingDigest(variant: Variant): never {
  throw new Error(`no request digest for variant ${variant.name}`);
}
