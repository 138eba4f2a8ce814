import { z } from 'zod';
import { variantName } from '../../kit/declare.ts';
import { endWords } from '../../targets/inputs.ts';
import { announcedEndSchema } from '../../targets/recorded.ts';
import { warning } from './warning.ts';

/** `Deprecation` and `Sunset` headers of any server. */
export const endAnnounced = warning({
  code: 'end_announced',
  meaning: 'The service says by a header that the endpoint is deprecated, or when it ends.',
  fields: { variant: variantName, end: announcedEndSchema, day: z.iso.date().describe('The day of the run.') },
  find: ({ run, variants, trialsOf }) =>
    variants.flatMap(({ name }) => {
      const end = trialsOf(name).findLast(({ sample }) => sample.reported.end !== undefined)?.sample.reported.end;
      return end === undefined ? [] : [{ variant: name, end, day: run.startedAt.slice(0, 10) }];
    }),
  words: ({ variant, end: { deprecatedOn, endsOn, successor }, day }) => {
    const since = deprecatedOn === null ? '' : ` since ${deprecatedOn}`;
    return {
      what: `the service says that the endpoint of ${variant} ${endsOn === null ? `is deprecated${since}` : endWords(endsOn, day)}`,
      cause: endsOn === null ? 'its replies have the header Deprecation' : 'its replies have the header Sunset',
      remedy: successor === null ? 'ask its provider what takes its place' : `use ${successor} instead`,
    };
  },
  example: {
    variant: 'standard',
    end: { deprecatedOn: '2026-10-06', endsOn: '2026-12-01', successor: '/v3/images' },
    day: '2026-11-28',
  },
});
