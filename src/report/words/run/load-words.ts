import type { ClosedLoad, Load, OpenLoad, Stage } from '../../../suite/format/load.ts';
import { count, elapsed, listed, plural, significant } from '../../../text/wording.ts';

/** `at most 4 in flight, paired`, `2 / s for 10 min, at most 64 in flight`. */
export function loadWords(load: Load): string {
  if (load.mode === 'open') return `${stagesWords(load)}, at most ${count(load.concurrency)} in flight`;
  if (load.steps !== null) return `concurrency ${stepsWords(load.steps)} in turn`;
  return `at most ${count(load.concurrency)} in flight, ${load.order}`;
}

export function sweepSteps(load: Load): readonly number[] | null {
  return load.mode === 'closed' && load.steps !== null ? [...load.steps].sort((a, b) => a - b) : null;
}

/** `1, 2, 4 and 8`. */
export function stepsWords(steps: readonly number[]): string {
  return listed(steps.map(count));
}

/** `2 / s for 10 min, then 5 / s for 1 min 30 s`; the last stage may go on until all is sent. */
export function stagesWords({ stages }: Pick<OpenLoad, 'stages'>): string {
  return stages
    .map(({ forMs, ...stage }) =>
      forMs === null ? rateWords(stage) : `${rateWords(stage)} for ${whole(elapsed(forMs))}`,
    )
    .join(', then ');
}

/** In the unit that suits it: `2 / s`, `30 / min`. */
export function rateWords({ ratePerSecond }: Pick<Stage, 'ratePerSecond'>): string {
  return ratePerSecond >= 1 ? `${trimmed(ratePerSecond)} / s` : `${trimmed(ratePerSecond * 60)} / min`;
}

/** `random arrivals (a Poisson process)`. */
export function arrivalsWords({ arrivals }: Pick<OpenLoad, 'arrivals'>): string {
  return arrivals === 'poisson' ? 'random arrivals (a Poisson process)' : 'evenly spaced arrivals';
}

const ORDERS: Readonly<Record<ClosedLoad['order'], string>> = {
  paired:
    'paired: takes of the same prompts and seeds run close together in time for all variants, in random order, so that drift of the service affects all variants equally',
  mixed: 'mixed: all takes run in random order, with all variants in flight together, so they queue behind each other',
  sequential:
    'sequential: variants run one after the other, so drift of the service looks like a difference between variants',
};

export function orderWords(load: Load): string {
  if (load.mode === 'open') {
    return 'variants run one after the other in random order, each with the same arrivals; drift of the service looks like a difference between variants';
  }
  if (load.steps !== null) {
    return `each variant and step runs alone, in random order and in several passes, so that drift of the service affects ${plural(load.steps.length, 'step')} equally`;
  }
  return ORDERS[load.order];
}

/** A declared time prints as declared: `20 s` for `20.0 s`, `2 min` for `2 min 00 s`. */
function whole(words: string): string {
  return words.replace(/\.0+ s$/, ' s').replace(/(min|h) 00 (s|min)$/, '$1');
}

function trimmed(value: number): string {
  const words = significant(value);
  return words.includes('.') ? words.replace(/\.?0+$/, '') : words;
}
