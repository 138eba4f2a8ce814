import type { Random } from '../statistics/random.ts';
import type { KindTrials } from './order/order.ts';
import type { Slice } from './plan.ts';
import type { Trial } from './trial.ts';

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

function passesOf(step: number, cells: number, repeats: number): number {
  const repeatsFor = (perSlot: number) => Math.ceil((perSlot * step) / Math.max(1, cells));
  const long = repeatsFor(CALLS_PER_SLOT);
  const together = long <= repeats ? long : repeatsFor(FEWEST_PER_SLOT);
  return Math.min(repeats, Math.max(1, Math.floor(repeats / together)));
}

function columns(blocks: readonly (readonly Trial[])[]): readonly (readonly Trial[])[] {
  return (blocks[0] ?? []).map((_trial, at) => blocks.flatMap((block) => block.slice(at, at + 1)));
}
