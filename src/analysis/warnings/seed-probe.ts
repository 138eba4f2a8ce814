import { z } from 'zod';
import { type Recorded, variantName } from '../../kit/declare.ts';
import { plural } from '../../kit/wording.ts';
import { type SeedFinding, seedFindingSchema } from '../probe.ts';
import { type WarningRule, warningShape } from './warning.ts';

const EXAMPLE: SeedFinding = {
  code: 'ignored',
  seen: 'ignored',
  takes: 3,
  within: 'similar',
  bound: null,
  otherSeeds: 2,
  otherImages: 0,
  omitted: { code: 'not_supported', takes: 0, reason: null },
  reason: null,
};

const shape = warningShape(
  ['seed_ignored', 'seed_unstable', 'seed_similar'],
  "What the seed probe found against the target's claim.",
  {
    variant: variantName,
    claim: z.enum(['exact', 'similar', 'none']).describe('What the target claims of seeds.'),
    seed: seedFindingSchema.describe('What the probe found.'),
  },
);

export const seedProbe: WarningRule<typeof shape> = {
  shape,
  find: ({ probes, variants }) =>
    probes.flatMap(({ variant, seed }): Recorded<typeof shape>[] => {
      const claim = variants.find(({ name }) => name === variant)?.seedClaim ?? 'none';
      if (seed === null || claim === 'none') return [];
      const finding = { variant, claim, seed };
      if (seed.code === 'ignored') return [{ code: 'seed_ignored', unfit: 'comparison', ...finding }];
      if (seed.code === 'unstable') return [{ code: 'seed_unstable', ...finding }];
      return seed.code === 'similar' && claim === 'exact' ? [{ code: 'seed_similar', ...finding }] : [];
    }),
  words: ({ code, variant, claim, seed }) => {
    switch (code) {
      case 'seed_ignored':
        return {
          what: `seed ignored: ${plural(seed.otherSeeds + 1, 'seed')} of ${variant} gave the same image`,
          cause: `the service ignores the seed, or the target does not send it correctly; the target claims "${claim}"`,
          remedy: 'check how the target sends the seed; until then, different seeds only repeat one image',
        };
      case 'seed_unstable':
        return {
          what: `seed not honoured: takes of ${variant} with one seed differ`,
          cause: `the target claims "${claim}", but the lowest level among ${plural(seed.takes, 'take')} of the first prompt and seed is ${seed.within ?? 'unknown'}`,
          remedy:
            'check how the target sends the seed; if the service promises nothing about seeds, set claim: none in the target',
        };
      case 'seed_similar':
        return {
          what: `the seed of ${variant} gives similar images, not identical ones`,
          cause: `the target claims "exact", but the lowest level among takes of the first prompt and seed is ${seed.within}`,
          remedy: 'compare at the level "similar", or set claim: similar in the target',
        };
    }
  },
  examples: [
    { code: 'seed_ignored', unfit: 'comparison', variant: 'standard', claim: 'exact', seed: EXAMPLE },
    { code: 'seed_unstable', variant: 'standard', claim: 'exact', seed: EXAMPLE },
    { code: 'seed_similar', variant: 'standard', claim: 'exact', seed: EXAMPLE },
  ],
};
