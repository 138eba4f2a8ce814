import type { Random } from '../statistics/distributions/random.ts';
import type { KindTrials } from './order.ts';
import type { Slice, Trial } from './trial.ts';

/**
 * The slices of a sweep over concurrencies: each holds one variant at one step, alone. They come in passes, a repeat of
 * every cell in each, or as many repeats as fill twice the largest step, so that a slow drift of the service meets all
 * variants and steps alike; within a pass they are in random order, over the same cells in the same order.
 *
 * @param trialsAt the trials of every kind at a step
 */
export function sweepSlices(
  steps: readonly number[],
  trialsAt: (step: number) => readonly KindTrials[],
  random: Random,
): readonly Pick<Slice, 'trials' | 'pace'>[] {
  const atSteps = steps.map((step) => ({ step, kinds: trialsAt(step) }));
  const most = Math.max(...steps);
  const kinds = atSteps[0]?.kinds ?? [];
  const passes = kinds.flatMap(({ cells }, kindAt) => {
    const repeats = cells[0]?.takes.length ?? 0;
    const together = Math.min(repeats, Math.ceil((2 * most) / Math.max(1, cells.length)));
    return Array.from({ length: Math.ceil(repeats / Math.max(1, together)) }, (_, pass) => ({
      pass,
      kindAt,
      takes: random.shuffle(
        cells.flatMap((_cell, cellAt) =>
          Array.from({ length: together }, (_repeat, at) => ({ cellAt, repeatAt: pass * together + at })),
        ),
      ),
    }));
  });
  const rounds = [...new Set(passes.map(({ pass }) => pass))].sort((a, b) => a - b);
  return rounds.flatMap((round) =>
    random.shuffle(
      passes
        .filter(({ pass }) => pass === round)
        .flatMap(({ kindAt, takes }) =>
          atSteps.flatMap(({ step, kinds: own }) => {
            const blocks = takes.flatMap(({ cellAt, repeatAt }) => {
              const block = own[kindAt]?.cells[cellAt]?.takes[repeatAt];
              return block === undefined ? [] : [block];
            });
            return columns(blocks).map((trials) => ({ trials, pace: { mode: 'closed', concurrency: step } as const }));
          }),
        ),
    ),
  );
}

/** Blocks of one trial a variant, parted by variant. */
function columns(blocks: readonly (readonly Trial[])[]): readonly (readonly Trial[])[] {
  return (blocks[0] ?? []).map((_trial, at) => blocks.flatMap((block) => block.slice(at, at + 1)));
}
