import type { Analysis } from '../../analysis/analysis.ts';
import { groupBy } from '../../analysis/grouping.ts';
import { hasNote } from '../../analysis/noted.ts';
import { isTwin } from '../../compare/pairs/comparable.ts';
import { count, plural } from '../../text/wording.ts';
import { LEVEL_WORDS } from '../words/outputs/level-words.ts';
import { eachVariant, variantNames } from '../words/run/variant-names.ts';
import { type SameOutputs, sameOutputs } from './sameness.ts';
import { measuresOf } from './statement.ts';

/** More variants with different takes share a sentence; the largest shares of such cells have their own. */
const MOST_DIFFERENT = 3;

interface Repeated extends Pick<SameOutputs, 'level' | 'same' | 'testable'> {
  readonly name: string;
}

/** Variants whose takes differ, then a sentence for each level, then variants whose repeats come from a cache. */
export function samenessSentences(analysis: Pick<Analysis, 'variants' | 'cells' | 'measures'>): readonly string[] {
  const measures = measuresOf(analysis);
  const own = analysis.variants.filter((variant) => !isTwin(variant));
  const repeated = own.flatMap((variant): Repeated[] => {
    const { value, level, same, testable } = sameOutputs(variant, analysis.cells, measures);
    return value === null ? [] : [{ name: variant.name, level, same, testable }];
  });
  const differing = repeated
    .filter(({ same, testable }) => same < testable)
    .toSorted((a, b) => a.same / a.testable - b.same / b.testable);
  const equal = groupBy(
    repeated.filter(({ same, testable }) => same === testable),
    ({ level }) => level,
  );
  const cached = own.flatMap(({ name }) =>
    hasNote(measures(name, 'determinism.byte', 'departure')?.notes ?? [], 'cached') ? [name] : [],
  );
  const more = differing.slice(MOST_DIFFERENT);
  return [
    ...differing
      .slice(0, MOST_DIFFERENT)
      .map(
        ({ name, level, same, testable }) =>
          `Repeats of ${name} are not ${LEVEL_WORDS[level].same} in ${count(testable - same)} of ${plural(testable, 'cell')}`,
      ),
    ...(more.length === 0 ? [] : [`Repeats of ${plural(more.length, 'more variant')} differ in some cells`]),
    ...[...equal].map(([level, group]) => {
      const cells = group.reduce((sum, { testable }) => sum + testable, 0);
      const names = group.map(({ name }) => name);
      return `Repeats of ${eachVariant(names, own.length)} are ${LEVEL_WORDS[level].same} in ${count(cells)} of ${plural(cells, 'cell')}`;
    }),
    ...(cached.length === 0
      ? []
      : [
          `Repeats of ${variantNames(cached, own.length)} come from a cache: whether they would be equal is not testable`,
        ]),
  ];
}
