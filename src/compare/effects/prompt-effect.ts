import { groupBy } from '../../analysis/grouping.ts';
import { kruskalWallis } from '../../statistics/ranks/kruskal-wallis.ts';
import type { BlockPair } from '../pairs/block-pair.ts';
import { type Effect, type UnitKind, unitsOf } from '../pairs/units.ts';

/**
 * Whether the effect differs between prompts by more than their cell pairs differ within a prompt.
 * - `no_sign`: it may still differ; so few cell pairs show only large differences
 * - `not_testable`: no p of 1 % is within reach
 */
export type PromptEffect =
  | { readonly code: 'differs'; readonly p: number }
  | { readonly code: 'no_sign'; readonly p: number }
  | { readonly code: 'not_testable'; readonly because: NotTestable };

export type NotTestable =
  | 'one_prompt'
  /** A prompt has a single cell pair, so that nothing shows how these vary within it. */
  | 'one_cell_pair'
  | 'too_few_cell_pairs'
  /** Above concurrency 1 cell pairs share what slowed their slices: they are not independent. */
  | 'shared_slices';

/** The two-sided error rate of this test. */
const ALPHA = 0.01;

const BECAUSE = {
  too_few_groups: 'one_prompt',
  group_of_one: 'one_cell_pair',
  out_of_reach: 'too_few_cell_pairs',
} as const;

/**
 * Tests the differences of cell pairs, grouped by prompt, for different levels: Kruskal and Wallis' test by permutation,
 * 1 %. Where it finds one, an estimate over all prompts says little about a single prompt.
 *
 * @param units what the comparison stands on
 */
export function promptEffect(
  blocks: readonly BlockPair<number>[],
  { effect, units }: { readonly effect: Effect; readonly units: UnitKind },
): PromptEffect {
  if (units === 'rounds') return { code: 'not_testable', because: 'shared_slices' };
  const promptOf = new Map(blocks.map(({ cellPair, prompt }) => [cellPair, prompt]));
  const cells = unitsOf(blocks, { kind: 'cells', effect }).units;
  const groups = [...groupBy(cells, ({ key }) => promptOf.get(key) ?? '').values()];
  const found = kruskalWallis(
    groups.map((group) => group.map(({ difference }) => difference)),
    ALPHA,
  );
  if (found.code === 'not_testable') return { code: found.code, because: BECAUSE[found.because] };
  return { code: found.p <= ALPHA ? 'differs' : 'no_sign', p: found.p };
}
