import { variantName, count as wholeNumber } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { count, plural } from '../../kit/wording.ts';
import { isAtLeast } from '../../media/level.ts';
import { warning } from './warning.ts';

/** The seed is claimed to repeat the image, but takes differ. Left out where a probe or another model explains it. */
export const seedNotHonoured = warning({
  code: 'seed_not_honoured',
  meaning: 'Takes of a seed differ, though the target claims `exact`.',
  fields: {
    variant: variantName,
    cells: wholeNumber.describe(
      'Cells whose takes differ in their pixels, of those with two takes that were compared.',
    ),
    ofCells: wholeNumber.describe('Cells that were compared.'),
  },
  find: ({ variants, cells, probes, trialsOf }) => {
    const byVariant = groupBy(cells, ({ variant }) => variant);
    return variants.flatMap(({ name, seedClaim, sendsSeed }) => {
      const findings = probes.find(({ variant }) => variant === name);
      const known = findings?.seed?.code === 'unstable' || findings?.seed?.code === 'similar';
      const models = new Set(trialsOf(name).flatMap(({ sample }) => sample.reported.model ?? []));
      const isExplained = known || findings?.load?.code === 'batch_dependent' || models.size > 1;
      if (seedClaim !== 'exact' || !sendsSeed || isExplained) return [];
      const levels = (byVariant.get(name) ?? []).flatMap(({ level }) => level ?? []);
      const other = levels.filter((level) => !isAtLeast(level, 'pixel')).length;
      return other === 0 ? [] : [{ variant: name, cells: other, ofCells: levels.length }];
    });
  },
  words: ({ variant, cells, ofCells }) => ({
    what: `the seed of ${variant} is not honoured: takes differ in ${count(cells)} of ${plural(ofCells, 'prompt x seed')}`,
    cause: 'the target claims "exact", but takes of one prompt and seed are different images',
    remedy:
      'check how the target sends the seed, and add probes: [seed]; if the service promises nothing, set claim: none in the target',
  }),
  example: { variant: 'standard', cells: 1, ofCells: 2 },
});
