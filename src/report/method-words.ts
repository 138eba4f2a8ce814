import type { UnitKind } from '../analysis/pair-units.ts';
import type { Unit } from '../kit/value-words.ts';

export const UNIT_WORDS: Readonly<Record<Unit, string>> = {
  ms: 'ms',
  '1': '1',
  '1/s': '1/s',
  usd: 'usd',
  outputs: 'outputs',
  in_flight: 'in flight',
  levels: 'levels',
  levels2: 'levels²',
  score: 'score',
};

const RATIO_OF: Readonly<Record<UnitKind, string>> = {
  blocks: 'a block (the same prompt, seed and repeat)',
  rounds: 'a round (a few prompts and seeds that all variants take in turn), the median over its blocks',
  cells: 'a cell pair (the same prompt and seed), the median over its takes',
  prompts: 'a prompt, the mean over its cell pairs',
};

const PLURALS: Readonly<Record<UnitKind, string>> = {
  blocks: 'blocks',
  rounds: 'rounds',
  cells: 'cell pairs',
  prompts: 'prompts',
};

/** In plain words; the number is not the median of the ratios. */
export function estimatorWords(units: UnitKind): string {
  return `the typical ratio of latencies in ${RATIO_OF[units]}. It is the Hodges-Lehmann estimate: each two ${PLURALS[units]} have a mean ratio, and the estimate is the median of these means`;
}
