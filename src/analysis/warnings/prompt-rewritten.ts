import { variantName, count as wholeNumber } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { plainText } from '../../kit/redact.ts';
import { count, plural } from '../../kit/wording.ts';
import { warning } from './warning.ts';

/** A prompt that the service writes anew is another input of the model. */
export const promptRewritten = warning({
  code: 'prompt_rewritten',
  meaning: 'The service says that it used another prompt.',
  fields: {
    variant: variantName,
    takes: wholeNumber.describe('Takes with another prompt.'),
    ofTakes: wholeNumber.describe('Takes whose service says which prompt it used.'),
    mostTexts: wholeNumber.describe('The most texts for one prompt.'),
    differing: wholeNumber.describe('Cells whose takes got several texts.'),
  },
  find: ({ variants, prompts, trialsOf }) => {
    const texts = new Map(prompts.map(({ id, text }) => [id, text]));
    return variants.flatMap(({ name }) => {
      const told = trialsOf(name).flatMap(({ sample: { trial, reported } }) =>
        reported.prompt === undefined ? [] : [{ ...trial, text: reported.prompt }],
      );
      const rewritten = told.filter(({ prompt, text }) => !isSameText(text, texts.get(prompt) ?? ''));
      if (rewritten.length === 0) return [];
      const textsBy = (keyOf: (take: (typeof told)[number]) => string) =>
        [...groupBy(rewritten, keyOf).values()].map((takes) => new Set(takes.map(({ text }) => text)).size);
      return [
        {
          variant: name,
          takes: rewritten.length,
          ofTakes: told.length,
          mostTexts: Math.max(...textsBy(({ prompt }) => prompt)),
          differing: textsBy(({ prompt, seed }) => JSON.stringify([prompt, seed])).filter((of) => of > 1).length,
        },
      ];
    });
  },
  words: ({ variant, takes, ofTakes, mostTexts, differing }) => ({
    what: `the service rewrote the prompt of ${variant} in ${count(takes)} of ${plural(ofTakes, 'take')}: ${mostTexts === 1 ? 'one text' : `up to ${plural(mostTexts, 'different text')}`} for one prompt`,
    cause:
      differing === 0
        ? 'the service writes a prompt of its own for the model'
        : `takes of one prompt and seed got different texts for ${plural(differing, 'prompt x seed')}: their outputs may differ for this reason alone`,
    remedy: 'turn the rewriting off if the endpoint can; else the comparison includes it',
  }),
  example: { variant: 'standard', takes: 24, ofTakes: 24, mostTexts: 3, differing: 2 },
});

/** What is reported is shortened, and has no control characters. */
function isSameText(reported: string, sent: string): boolean {
  const plain = plainText(sent).trim();
  return reported === plain || (reported.endsWith('…') && plain.startsWith(reported.slice(0, -1)));
}
