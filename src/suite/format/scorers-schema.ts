import { z } from 'zod';
import { dollars, duration } from '../../kit/scalars.ts';
import { LARGEST_SCORE, MOST_METRICS, SCORE_LABEL, SCORE_UNITS, VOTES } from '../score-label.ts';

const label = z.string().regex(SCORE_LABEL, {
  error: 'must have only a-z, 0-9, "_" and "-", a letter first, and at most 64 characters; rename it',
});

const end = z.number().min(-LARGEST_SCORE).max(LARGEST_SCORE);

const givenSchema = z.strictObject({
  better: z.literal(['lower', 'higher', null]).describe('which values are better: higher, lower, or null for neither'),
  range: z
    .tuple([end, end])
    .superRefine(([least, largest], context) => {
      if (least < largest) return;
      const remedy = least === largest ? 'remove it, or correct one end' : `write [${largest}, ${least}]`;
      context.addIssue({ code: 'custom', message: `must have its lower end first; ${remedy}` });
    })
    .meta({ examples: [[0, 1]] })
    .optional()
    .describe('the lowest and the highest possible value; a value outside is not counted'),
  unit: z
    .union([z.enum(SCORE_UNITS), z.literal(1).transform(() => '1' as const)])
    .default('score')
    .describe('score: printed as the number it is; 1: a share, printed as a percentage'),
  label: z
    .string()
    .trim()
    .min(1, { error: 'is empty; write what a paper calls it, such as CLIP' })
    .max(40)
    .meta({ examples: ['CLIP'] })
    .optional()
    .describe('what a table for a paper calls it; default: its name'),
  meaning: z.string().min(1).max(1000).optional().describe('one sentence for readers of the report'),
});

const gives = z
  .record(label, givenSchema)
  .refine((values) => Object.keys(values).length > 0, { error: 'must hold at least one value; add one' })
  .meta({ examples: [{ sharp: { better: 'higher' } }] })
  .describe('the values that it gives each output, by name');

const commandSchema = z.strictObject({
  use: z.literal('command').describe('a program of yours; a run starts it only with --allow-commands'),
  gives,
  command: z
    .array(z.string().min(1))
    .min(1)
    .superRefine(([program = ''], context) => {
      const words = program.split(/\s+/);
      if (words.length === 1 || words[0]?.includes('/') === true) return;
      const message = `must list the program and each argument separately; write [${words.join(', ')}]`;
      context.addIssue({ code: 'custom', message });
    })
    .meta({ examples: [['python3', 'scorers/sharp.py']] })
    .describe('the program and its arguments; it starts in the folder of the suite'),
  env: z
    .array(
      z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'must be the name of an environment variable; correct it' }),
    )
    .meta({ examples: [['HF_HOME']] })
    .default([])
    .describe('names of the environment variables that it gets in addition to PATH'),
  timeout: duration.prefault('60s').describe('the time limit of one output'),
  frames: z.int().min(1).max(256).default(8).describe('how many frames of a video it gets'),
  original: z.boolean().default(false).describe('whether it also gets the file as the service sent it'),
});

const fileSchema = z.strictObject({
  use: z.literal('file').describe('values from a file: retake score RUN --from FILE.csv'),
  gives,
});

const judgeSchema = z.strictObject({
  use: z
    .literal('judge')
    .describe('a model that is shown two outputs of one prompt and seed, and says which is better'),
  target: z
    .string()
    .min(1)
    .meta({ examples: ['judge/openai-chat'] })
    .describe('its target, of kind judge: the name of a preset, or a path to a file'),
  const: z.record(z.string(), z.json()).default({}).describe('what it sets for its target, such as the model'),
  base_url: z.string().min(1).optional().describe('another server with the interface of the target'),
  question: z
    .string()
    .min(1)
    .max(4000)
    .meta({ examples: ['Which image fits the prompt better and has fewer defects?'] })
    .describe('the question about each pair of outputs'),
  price: z
    .strictObject({
      per: z.literal('request').describe('a judge is paid per request'),
      usd: dollars.describe('US dollars for one request, at most'),
    })
    .optional()
    .describe('what a request costs at most; default: what its target says'),
  limits: z
    .strictObject({
      requests: z.int().min(1).optional().describe('the most requests'),
      usd: dollars.positive().optional().describe('the most US dollars; needs a price'),
    })
    .prefault({})
    .describe(
      'the most requests and US dollars for one run; requests of earlier models and questions under the same name count',
    ),
});

export const scorersSchema = z
  .record(
    label,
    z
      .discriminatedUnion('use', [commandSchema, fileSchema, judgeSchema])
      .describe('a mapping with use: command, file or judge'),
  )
  .refine((scorers) => !Object.hasOwn(scorers, VOTES), {
    error: `cannot have a scorer with the name "${VOTES}": score.${VOTES} is what people prefer; rename it`,
  })
  .refine(
    (scorers) =>
      Object.values(scorers).reduce(
        (sum, scorer) => sum + ('gives' in scorer ? Object.keys(scorer.gives).length : 1),
        0,
      ) <= MOST_METRICS,
    { error: `must give at most ${MOST_METRICS} values in all; remove some` },
  );

export type WrittenScorers = z.output<typeof scorersSchema>;
export type WrittenScorer = WrittenScorers[string];
