import { createRandom, type Random } from '../statistics/distributions/random.ts';
import type { OpenLoad } from '../suite/format/load.ts';
import { drawArrivals } from './arrivals.ts';
import type { KindTrials } from './order.ts';
import type { Slice } from './plan.ts';
import type { Trial } from './trial.ts';

/**
 * The slices of open load: one per variant, in random order. Every variant has the same arrivals and, within its kind,
 * the same cells in the same order. Arrivals end with the last stage, or with the plan if that has no end; if they
 * outlast the plan, it begins again with fresh seeds.
 * @param cycle the trials of the plan's n-th pass, from 0
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
 * When the trials of a variant begin, in milliseconds from the first: the same stream for every variant.
 * @param most where the last stage has no end
 */
export function openStarts(load: OpenLoad, most: number): readonly number[] {
  const endless = load.stages.at(-1)?.forMs === null;
  return drawArrivals(load, endless ? most : Infinity, createRandom(load.shuffle));
}

function shuffledBlocks(trials: KindTrials | undefined, random: Random): (readonly Trial[])[] {
  return random.shuffle((trials?.cells ?? []).flatMap(({ takes }) => takes));
}
