import { z } from 'zod';
import { variantName, count as wholeNumber } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { count, listedInShort, plural } from '../../kit/wording.ts';
import { warning } from './warning.ts';

/** Providers route calls of an ended model to its successor without a word. */
export const otherModelAnswered = warning({
  code: 'other_model_answered',
  meaning: 'Another model answered than the one asked for, or several did.',
  fields: {
    variant: variantName,
    asked: z.string().nullable().describe('The constant `model` of the variant; null without one.'),
    models: z
      .array(z.strictObject({ model: z.string().describe('Its name. Hostile text.'), takes: wholeNumber }))
      .min(1)
      .describe('Those that were not asked for, else all that answered; most takes first.'),
    ofTakes: wholeNumber.describe('Takes whose service says which model answered.'),
  },
  find: ({ variants, trialsOf }) =>
    variants.flatMap(({ name, constants: { model } }) => {
      const asked = typeof model === 'string' ? model : null;
      const answers = trialsOf(name).flatMap(({ sample }) => sample.reported.model ?? []);
      const answered = [...groupBy(answers, (answer) => answer)]
        .map(([answer, takes]) => ({ model: answer, takes: takes.length }))
        .sort((a, b) => b.takes - a.takes);
      const others = answered.filter((other) => asked !== null && !isVersionOf(other.model, asked));
      if (others.length === 0 && answered.length < 2) return [];
      const models = others.length > 0 ? others : answered;
      return [{ unfit: 'comparison' as const, variant: name, asked, models, ofTakes: answers.length }];
    }),
  words: ({ variant, asked, models, ofTakes }) => {
    const isOther = asked !== null && models.some(({ model }) => !isVersionOf(model, asked));
    const places = models.map(({ model, takes }) => `${model} in ${count(takes)}`);
    const of = `for ${variant}: ${listedInShort(places)} of ${plural(ofTakes, 'take')}`;
    const others = models.length === 1 ? 'another model' : 'other models';
    return {
      what: isOther ? `${others} answered ${of}; it asked for ${asked}` : `several models answered ${of}`,
      cause: 'the service chose the model: the one asked for may have ended, or has a new version',
      remedy: 'set the constant model to a version that the provider still offers, and measure again',
    };
  },
  example: {
    unfit: 'comparison',
    variant: 'standard',
    asked: 'model-1',
    models: [{ model: 'model-2', takes: 12 }],
    ofTakes: 40,
  },
});

/** `models/x`, `x-2026-04-21`, `x-001`, `x-preview` are `x`; `x-mini` is another model. */
function isVersionOf(answered: string, asked: string): boolean {
  const [is, wanted] = [answered, asked].map((name) => name.toLowerCase().replace(/^.*\//, ''));
  if (is === undefined || wanted === undefined || !is.startsWith(wanted)) return false;
  return /^([-@:.](v?\d[\d.-]*|latest|preview|stable))*$/.test(is.slice(wanted.length));
}
