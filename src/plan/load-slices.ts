import { createRandom, type Random } from '../statistics/random.ts';
import type { OpenLoad, Stage } from '../suite/load.ts';
import type { KindTrials } from './order/order.ts';
import type { Slice } from './plan.ts';
import type { Trial } from './trial.ts';

/**
 * Ascending start times under open load, in milliseconds: at most `most`, none after the last stage. Constant arrivals
 * are evenly spaced from 0; a Poisson process has independent exponential gaps. At a stage the rate changes: arrivals
 * are drawn at rate 1 and mapped by the inverse of the cumulated rate (Cinlar, Introduction to Stochastic Processes,
 * 1975, section 4.7).
 */
export function drawArrivals(
  { arrivals, stages }: Pick<OpenLoad, 'arrivals' | 'stages'>,
  most: number,
  random: Pick<Random, 'uniform'>,
): readonly number[] {
  const times: number[] = [];
  let due = 0; // In expected arrivals since the start.
  while (times.length < most) {
    // 1 - u is in (0, 1]: its logarithm is finite.
    if (arrivals === 'poisson') due -= Math.log(1 - random.uniform());
    const atMs = timeOf(due, stages);
    if (atMs === null) break;
    times.push(atMs);
    if (arrivals === 'constant') due += 1;
  }
  return times;
}

/** Infinite if arrivals go on until the plan is sent. */
export function plannedArrivals(load: Pick<OpenLoad, 'stages' | 'steps' | 'stepMs'>): number {
  const paces = load.steps?.map((step) => stagesAt(step, load)) ?? [load.stages];
  return paces.reduce((sum, stages) => sum + expectedArrivals(stages), 0);
}

function expectedArrivals(stages: readonly Stage[]): number {
  return stages.reduce((sum, { ratePerSecond, forMs }) => sum + ratePerSecond * ((forMs ?? Infinity) / 1000), 0);
}

/** Time at which so many arrivals are expected; null after the last stage. */
function timeOf(due: number, stages: readonly Stage[]): number | null {
  let left = due;
  let beganMs = 0;
  for (const { ratePerSecond, forMs } of stages) {
    const ms = (left / ratePerSecond) * 1000;
    if (forMs === null || ms < forMs) return beganMs + ms;
    left -= (ratePerSecond * forMs) / 1000;
    beganMs += forMs;
  }
  return null;
}

/**
 * The slices of open load, one per variant in random order, with the same arrivals and, within a kind, the same cells
 * in order. Arrivals end with the last stage or, if it has no end, with the plan; if they outlast the plan, it repeats
 * with fresh seeds. `cycle`: the trials of pass n, from 0.
 */
export function openSlices(
  cycle: (pass: number) => readonly KindTrials[],
  load: OpenLoad,
  random: Random,
): readonly Pick<Slice, 'trials' | 'pace'>[] {
  const kinds = cycle(0).map(({ kind }) => kind);
  const slices = kinds.flatMap((_kind, at) => {
    const blocks = shuffledBlocks(cycle(0)[at], random);
    const startsMs = openStarts(load, blocks.length);
    for (let pass = 1; blocks.length > 0 && blocks.length < startsMs.length; pass += 1) {
      for (const block of shuffledBlocks(cycle(pass)[at], random)) blocks.push(block);
    }
    const sent = blocks.slice(0, startsMs.length);
    const variants = sent[0] ?? [];
    return variants.map((_variant, column) => ({
      trials: sent.flatMap((block) => block.slice(column, column + 1)),
      pace: { mode: 'open', ceiling: load.concurrency, startsMs } as const,
    }));
  });
  return random.shuffle(slices);
}

/**
 * The slices of a sweep over rates, each of one variant at one rate, drained before the next: in random order of rates
 * and, within one, of variants. Each slice is open load of its own.
 * @param cycle the trials of pass n of a step, from 0
 */
export function openSweepSlices(
  steps: readonly number[],
  cycle: (step: number) => (pass: number) => readonly KindTrials[],
  load: OpenLoad,
  random: Random,
): readonly Pick<Slice, 'trials' | 'pace'>[] {
  return random
    .shuffle(steps)
    .flatMap((step) => openSlices(cycle(step), { ...load, stages: stagesAt(step, load) }, random));
}

/** One rate of a sweep over rates. */
export function stagesAt(step: number, { stepMs }: Pick<OpenLoad, 'stepMs'>): OpenLoad['stages'] {
  return [{ ratePerSecond: step, forMs: stepMs ?? null }];
}

/**
 * Start times of a variant's trials, in milliseconds: the same for every variant. `most` applies if the last stage has
 * no end.
 */
export function openStarts(load: OpenLoad, most: number): readonly number[] {
  const endless = load.stages.at(-1)?.forMs === null;
  return drawArrivals(load, endless ? most : Infinity, createRandom(load.shuffle));
}

function shuffledBlocks(trials: KindTrials | undefined, random: Random): (readonly Trial[])[] {
  return random.shuffle((trials?.cells ?? []).flatMap(({ takes }) => takes));
}

/**
 * Takes per slot from which throughput can be read: in shorter slices, filling and draining weighs too much. Figures:
 * analysis/measures/throughput.ts.
 */
export const CALLS_PER_SLOT = 10;

/** With fewer takes per slot a slice shows little of its step. */
const FEWEST_PER_SLOT = 2;

/**
 * The slices of a sweep, each of one variant at one step. A step is sent in passes with enough repeats to read
 * throughput from a slice (else to fill it twice). In a pass all variants follow in random order over the same cells;
 * passes of a step are spread over the run, so that a slow drift of the service affects all alike. `trialsAt`: the
 * trials of every kind at a step.
 */
export function sweepSlices(
  steps: readonly number[],
  trialsAt: (step: number) => readonly KindTrials[],
  random: Random,
): readonly Pick<Slice, 'trials' | 'pace'>[] {
  const passes = steps.flatMap((step) =>
    trialsAt(step).flatMap(({ cells }) => {
      const repeats = cells[0]?.takes.length ?? 0;
      const count = passesOf(step, cells.length, repeats);
      return Array.from({ length: count }, (_, pass) => {
        const [from, to] = [Math.floor((pass * repeats) / count), Math.floor(((pass + 1) * repeats) / count)];
        const blocks = random.shuffle(cells.flatMap(({ takes }) => takes.slice(from, to)));
        const slices = random.shuffle(columns(blocks));
        return { at: (pass + random.uniform()) / count, step, slices };
      });
    }),
  );
  return passes
    .sort((a, b) => a.at - b.at)
    .flatMap(({ step, slices }) =>
      slices.map((trials) => ({ trials, pace: { mode: 'closed', concurrency: step } as const })),
    );
}

/** In how many groups a step of a sweep sends its takes: each keeps its slots busy for a while. */
export function passesOf(step: number, cells: number, repeats: number): number {
  const repeatsFor = (perSlot: number) => Math.ceil((perSlot * step) / Math.max(1, cells));
  const long = repeatsFor(CALLS_PER_SLOT);
  const together = long <= repeats ? long : repeatsFor(FEWEST_PER_SLOT);
  return Math.min(repeats, Math.max(1, Math.floor(repeats / together)));
}

function columns(blocks: readonly (readonly Trial[])[]): readonly (readonly Trial[])[] {
  return (blocks[0] ?? []).map((_trial, at) => blocks.flatMap((block) => block.slice(at, at + 1)));
}
