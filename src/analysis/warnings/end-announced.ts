import { variantName } from '../../kit/declare.ts';
import { announcedEndSchema } from '../../targets/recorded.ts';
import { warning } from './warning.ts';

/** `Deprecation` and `Sunset` headers of any server. */
export const endAnnounced = warning({
  code: 'end_announced',
  meaning: 'The service says by a header that the endpoint is deprecated, or when it ends.',
  fields: { variant: variantName, end: announcedEndSchema },
  find: ({ variants, trialsOf }) =>
    variants.flatMap(({ name }) => {
      const end = trialsOf(name).findLast(({ sample }) => sample.reported.end !== undefined)?.sample.reported.end;
      return end === undefined ? [] : [{ variant: name, end }];
    }),
  words: ({ variant, end: { deprecatedOn, endsOn, successor } }) => {
    const since = deprecatedOn === null ? '' : ` since ${deprecatedOn}`;
    return {
      what: `the service says that the endpoint of ${variant} ${endsOn === null ? `is deprecated${since}` : `ends on ${endsOn}`}`,
      cause: endsOn === null ? 'its replies have the header Deprecation' : 'its replies have the header Sunset',
      remedy: successor === null ? 'ask its provider what takes its place' : `see ${successor}, which takes its place`,
    };
  },
  example: { variant: 'standard', end: { deprecatedOn: '2026-10-06', endsOn: '2026-12-01', successor: '/v3/images' } },
});
