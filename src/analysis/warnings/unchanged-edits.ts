import { variantName, count as wholeNumber } from '../../kit/declare.ts';
import { count, plural } from '../../kit/wording.ts';
import { warning } from './warning.ts';

/** An edit that comes back as it was is fast, equal for all seeds, and worth nothing. */
export const unchangedEdits = warning({
  code: 'unchanged_edits',
  meaning: 'Edits whose output is visually identical to their first input image.',
  fields: {
    variant: variantName,
    edits: wholeNumber.describe('Edits that left it as it was.'),
    ofEdits: wholeNumber.describe('Edits that were compared with it.'),
  },
  find: ({ variants, trialsOf }) =>
    variants.flatMap(({ name }) => {
      const compared = trialsOf(name).flatMap(({ edit }) => edit?.unchanged ?? []);
      const edits = compared.filter((unchanged) => unchanged).length;
      if (edits === 0) return [];
      const isAll = edits === compared.length;
      return [{ ...(isAll ? { unfit: 'comparison' as const } : {}), variant: name, edits, ofEdits: compared.length }];
    }),
  words: ({ variant, edits, ofEdits }) => ({
    what: `${variant} left the input as it was in ${count(edits)} of ${plural(ofEdits, 'edit')}`,
    cause: 'their outputs are visually identical to the input image',
    remedy: 'look at them, and check what the target sends: the prompt, the mask, the strength',
  }),
  example: { unfit: 'comparison', variant: 'standard', edits: 12, ofEdits: 12 },
});
