import { groupBy } from '../../analysis/grouping.ts';
import type { VariantStability } from '../../compare/baseline/stability-of-variants.ts';
import { count, listed, listedInShort, plural } from '../../text/wording.ts';
import { LEVEL_WORDS } from '../words/outputs/level-words.ts';
import { eachVariant } from '../words/run/variant-names.ts';

const COMPARED_WITH = { baseline: 'the stored baseline', run: 'the earlier run' } as const;

/** More variants whose outputs changed share a sentence; the largest shares of such cells have their own. */
const MOST_CHANGED = 3;

/** Variants whose outputs changed, then a sentence for each level, then variants without compared cells. */
export function stabilitySentences(
  stability: readonly VariantStability[],
  against: keyof typeof COMPARED_WITH = 'baseline',
): readonly string[] {
  const kept = COMPARED_WITH[against];
  const compared = stability.filter((each) => each.compared > 0);
  const changed = compared
    .filter((each) => each.changed.length > 0)
    .toSorted((a, b) => b.changed.length / b.compared - a.changed.length / a.compared);
  const more = changed.slice(MOST_CHANGED);
  const equal = groupBy(
    compared.filter((each) => each.changed.length === 0),
    ({ level }) => level,
  );
  const none = stability.filter((each) => each.compared === 0);
  const who = (group: readonly VariantStability[]) =>
    eachVariant(
      group.map(({ variant }) => variant),
      stability.length,
    );
  return [
    ...changed.slice(0, MOST_CHANGED).map((each) => {
      const level = `not ${LEVEL_WORDS[each.level].same}`;
      const cells = `${count(each.changed.length)} of ${plural(each.compared, 'cell')}`;
      return `Usual outputs of ${each.variant} differ from those of ${kept} in ${cells} (${level}: ${listedInShort([...new Set(each.changed.map(({ prompt }) => prompt))])})${andNotCompared([each])}`;
    }),
    ...(more.length === 0
      ? []
      : [`Usual outputs of ${plural(more.length, 'more variant')} differ from those of ${kept} in some cells`]),
    ...[...equal].map(([level, group]) => {
      const cells = total(group, ({ compared: own }) => own);
      return `Usual outputs of ${who(group)} are ${LEVEL_WORDS[level].same} to those of ${kept} in ${count(cells)} of ${plural(cells, 'cell')}${andNotCompared(group)}`;
    }),
    ...(none.length === 0
      ? []
      : [`Usual outputs of ${who(none)} were not compared with those of ${kept}: ${notCompared(none)}`]),
  ];
}

function andNotCompared(group: readonly VariantStability[]): string {
  const cells = notCompared(group);
  return cells === '' ? '' : `; not compared: ${cells}`;
}

/** `2 cells not stable in it and 1 cell not in it`; empty where all were compared. */
function notCompared(group: readonly VariantStability[]): string {
  const parts: readonly (readonly [number, string])[] = [
    [total(group, ({ common, stable }) => common - stable), 'not stable in it'],
    [total(group, ({ stable, compared }) => stable - compared), 'without an output to compare'],
    [total(group, ({ cells, common }) => cells - common), 'not in it'],
  ];
  return listed(parts.flatMap(([cells, why]) => (cells === 0 ? [] : [`${plural(cells, 'cell')} ${why}`])));
}

function total(group: readonly VariantStability[], of: (each: VariantStability) => number): number {
  return group.reduce((sum, each) => sum + of(each), 0);
}
