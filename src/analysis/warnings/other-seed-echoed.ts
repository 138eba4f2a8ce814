import { z } from 'zod';
import { variantName, count as wholeNumber } from '../../kit/declare.ts';
import { count, plural } from '../../kit/wording.ts';
import { echoedSeed, SEED_ECHO, seedRangeOf } from '../effective-outcome.ts';
import { warning } from './warning.ts';

export const otherSeedEchoed = warning({
  code: 'other_seed_echoed',
  meaning: 'The service reports another seed.',
  fields: {
    variant: variantName,
    samples: wholeNumber.describe('How many samples.'),
    ofSamples: wholeNumber.describe('Samples whose service reports a seed.'),
    sent: z.number().describe('The seed that was sent.'),
    echoed: z.string().describe('The seed that it reports.'),
    kept: z
      .strictObject({
        how: z.enum(['modulo', 'clamp', 'signed']).describe('How it changes a seed.'),
        size: z.number().describe('By this size.'),
      })
      .nullable()
      .describe('What the service makes of a seed, where that explains every echo.'),
  },
  find: ({ variants, trialsOf }) =>
    variants.flatMap(({ name }) => {
      const takes = trialsOf(name);
      const others = takes.filter(({ flags }) => flags.includes(SEED_ECHO));
      const [first] = others.flatMap(({ sample }) => echoedSeed(sample) ?? []);
      if (first === undefined) return [];
      const echoes = takes.flatMap(({ sample }) => echoedSeed(sample) ?? []);
      const counts = { samples: others.length, ofSamples: echoes.length };
      return [{ variant: name, ...counts, ...first, kept: seedRangeOf(echoes) }];
    }),
  words: ({ variant, samples, ofSamples, sent, echoed, kept }) => {
    const what = `the service reports another seed than ${variant} sent in ${count(samples)} of ${plural(ofSamples, 'take')}${samples === 1 ? ':' : ', such as'} ${echoed} instead of ${sent}`;
    if (kept === null) {
      return {
        what,
        cause: 'the seed does not reach the model, or meta.seed reads the wrong number',
        remedy:
          'check how the target sends the seed (submit) and where it reads it (meta.seed); these takes carry the flag seed_echo',
      };
    }
    const how = {
      modulo: `uses the seed modulo ${kept.size}`,
      clamp: `limits seeds to ${kept.size - 1}`,
      signed: 'reads the seed as a signed 32-bit number',
    }[kept.how];
    const max = (kept.how === 'signed' ? kept.size / 2 : kept.size) - 1;
    return {
      what,
      cause: `the service ${how}; this explains every seed it reports`,
      remedy: `set inputs.seed.max: ${max} in the target; a larger seed gives the same as a smaller one`,
    };
  },
  example: {
    variant: 'standard',
    samples: 1,
    ofSamples: 2,
    sent: 2147483655,
    echoed: '7',
    kept: { how: 'modulo', size: 2147483648 },
  },
});
