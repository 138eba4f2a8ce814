import { type Recorded, variantName } from '../../kit/declare.ts';
import { type WarningRule, warningShape } from './warning.ts';

const shape = warningShape(
  ['omitted_seed_constant', 'omitted_seed_random'],
  'Without a seed, the service does not do what the target declares.',
  { variant: variantName },
);

export const omittedSeed: WarningRule<typeof shape> = {
  shape,
  find: ({ probes, variants }) =>
    probes.flatMap(({ variant, seed }): Recorded<typeof shape>[] => {
      const means = variants.find(({ name }) => name === variant)?.seedOmitMeans ?? 'unknown';
      const code = seed?.omitted.code;
      if (code === 'constant' && means === 'random') return [{ code: 'omitted_seed_constant', variant }];
      return code === 'random' && means === 'constant' ? [{ code: 'omitted_seed_random', variant }] : [];
    }),
  words: ({ code, variant }) =>
    code === 'omitted_seed_constant'
      ? {
          what: `without a seed ${variant} gave the same image twice`,
          cause: 'without a seed, the service uses a constant one; the target declares a random one',
          remedy: 'send seeds to get different images, and set omit_means: constant in the target',
        }
      : {
          what: `without a seed ${variant} gave two different images`,
          cause: 'without a seed, the service uses a random one; the target declares a constant one',
          remedy: 'send a seed where images must be reproducible, and set omit_means: random in the target',
        },
  examples: [
    { code: 'omitted_seed_constant', variant: 'standard' },
    { code: 'omitted_seed_random', variant: 'standard' },
  ],
};
