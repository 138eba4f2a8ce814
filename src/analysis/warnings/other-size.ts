import { z } from 'zod';
import { count, variantName } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import type { Json } from '../../kit/json.ts';
import { plural } from '../../kit/wording.ts';
import type { ImageBox } from '../../media/shown-shape.ts';
import { warning } from './warning.ts';

interface AskedShape {
  readonly text: string;
  readonly width: number;
  readonly height: number;
  readonly unit: 'pixels' | 'ratio';
}

/** What an input `size` asks for: `1024x768` or `16:9`. Null for other text, which endpoints may define. */
function askedShape(size: Json | undefined): AskedShape | null {
  const parts = typeof size === 'string' ? /^(\d{1,5})([x:])(\d{1,5})$/.exec(size) : null;
  if (parts === null) return null;
  const [text, width, sign, height] = parts;
  if (Number(width) === 0 || Number(height) === 0) return null;
  return { text, width: Number(width), height: Number(height), unit: sign === 'x' ? 'pixels' : 'ratio' };
}

/** Slack of a ratio, since most models round sides to multiples of 8, 16 or 64. */
const RATIO_SLACK = 0.06;

function fitsShape({ width, height }: ImageBox, asked: AskedShape): boolean {
  if (asked.unit === 'pixels') return width === asked.width && height === asked.height;
  const off = (width * asked.height) / (height * asked.width);
  return off <= 1 + RATIO_SLACK && off >= 1 / (1 + RATIO_SLACK);
}

export const otherSize = warning({
  code: 'other_size',
  meaning: 'Outputs of another size than the prompt requests.',
  fields: {
    variant: variantName,
    outputs: count.describe('How many outputs.'),
    asked: z.string().describe('As the prompt has it: `1024x768` or `16:9`.'),
    width: count.describe('In pixels.'),
    height: count.describe('The height of the first, in pixels.'),
  },
  find: ({ trials, prompts }) => {
    const asked = new Map(prompts.map(({ id, inputs }) => [id, askedShape(inputs.size)]));
    const other = trials.flatMap(({ sample, outcome, output }) => {
      const shape = asked.get(sample.trial.prompt) ?? null;
      if (outcome !== 'ok' || shape === null) return [];
      const { width = null, height = null } = output ?? {};
      if (width === null || height === null || fitsShape({ width, height }, shape)) return [];
      return [{ variant: sample.trial.variant, asked: shape.text, width, height }];
    });
    return [...groupBy(other, ({ variant }) => variant).values()].map((takes) => ({
      ...takes[0],
      outputs: takes.length,
    }));
  },
  words: ({ variant, outputs, asked, width, height }) => ({
    what: `${plural(outputs, 'output')} of ${variant} ${outputs === 1 ? 'has' : 'have'} another size than requested${outputs === 1 ? ':' : ', such as'} ${width} x ${height} instead of ${asked}`,
    cause: 'the service rounds sizes, or the target does not send this one',
    remedy: 'check the size that `retake try --bodies` sends; outputs of different sizes take different times',
  }),
  example: { variant: 'standard', outputs: 3, asked: '16:9', width: 512, height: 512 },
});
