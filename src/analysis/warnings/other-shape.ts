import { variantName, count as wholeNumber } from '../../kit/declare.ts';
import { count, plural } from '../../kit/wording.ts';
import { warning } from './warning.ts';

/** Left out without a mask: then nothing is missing. */
export const otherShape = warning({
  code: 'other_shape',
  meaning: 'Edits with a mask that have another shape than their first input image: `edit.outside` leaves them out.',
  fields: {
    variant: variantName,
    edits: wholeNumber.describe('Edits of another shape.'),
    ofEdits: wholeNumber.describe('Edits with a mask.'),
    width: wholeNumber.describe('Of the first of another shape, in pixels.'),
    height: wholeNumber.describe('Its height, in pixels.'),
  },
  find: ({ variants, trialsOf }) =>
    variants.flatMap(({ name }) => {
      const masked = trialsOf(name).filter(({ edit }) => edit !== undefined && edit.outside !== undefined);
      const other = masked.filter(({ edit }) => edit?.otherShape === true);
      const { width = null, height = null } = other[0]?.output ?? {};
      if (width === null || height === null) return [];
      return [{ variant: name, edits: other.length, ofEdits: masked.length, width, height }];
    }),
  words: ({ variant, edits, ofEdits, width, height }) => ({
    what: `outputs of ${variant} have another shape than the input in ${count(edits)} of ${plural(ofEdits, 'edit')} with a mask, such as ${width} x ${height}`,
    cause: 'the service makes images of a shape of its own, so that they cannot be compared outside the mask',
    remedy: 'send a size with the shape of the input, or use input images of a shape that the service makes',
  }),
  example: { variant: 'standard', edits: 3, ofEdits: 12, width: 1024, height: 1024 },
});
