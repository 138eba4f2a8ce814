import { kruskalWallis } from '../../statistics/kruskal-wallis.ts';
import type { PromptEffect } from '../comparison.ts';
import { groupBy } from '../grouping.ts';
import { type Combining, type UnitKind, unitsOf } from '../pair-units.ts';
import type { BlockPair } from './block-pair.ts';

/** Two-sided error rate of this test. */
const ALPHA = 0.01;

const BECAUSE = {
  too_few_groups: 'one_prompt',
  group_of_one: 'one_cell_pair',
  out_of_reach: 'too_few_cell_pairs',
} as const;

/**
 * Kruskal and Wallis' permutation test of the differences of cell pairs by prompt; if they differ, the overall estimate
 * says little about one prompt.
 */
export function promptEffect(
  blocks: readonly BlockPair<number>[],
  { effect, centre, units }: Combining & { readonly units: UnitKind },
): PromptEffect {
  if (units === 'rounds') return { code: 'not_testable', because: 'shared_slices' };
  const promptOf = new Map(blocks.map(({ cellPair, prompt }) => [cellPair, prompt]));
  const cells = unitsOf(blocks, { kind: 'cells', effect, centre }).units;
  const groups = [...groupBy(cells, ({ key }) => promptOf.get(key) ?? '').values()];
  const test = kruskalWallis(
    groups.map((group) => group.map(({ difference }) => difference)),
    ALPHA,
  );
  if (test.code === 'not_testable') return { code: test.code, because: BECAUSE[test.because] };
  return { code: test.p <= ALPHA ? 'differs' : 'no_sign', p: test.p };
}
