import { z } from 'zod';
import { json } from '../../kit/json-value.ts';
import { dollars, name, pricedUnit } from '../../kit/scalars.ts';
import { createRandom } from '../../statistics/random.ts';
import { KINDS } from '../kind.ts';
import { REPORT_FORMATS } from '../report-format.ts';
import { PROBES } from '../suite.ts';
import { claimsSchema, gateSchema } from './gate-schema.ts';
import { limitsSchema, loadSchema } from './load-schema.ts';
import { scorersSchema } from './scorers-schema.ts';

/** No run sends more seeds; a typing error must not fill memory. */
const MOST_SEEDS = 100_000;

const count = z.int().min(1).max(MOST_SEEDS);

/** A list, a range or a draw of whole numbers from 0 to 2^53 - 1; a target may narrow them. */
export const seedsSchema = z.union([
  z
    .array(z.int().min(0))
    .meta({ examples: [[1, 2, 3]] })
    .min(1)
    .max(MOST_SEEDS)
    .superRefine((seeds, context) => {
      const seen = new Set<number>();
      for (const [index, seed] of seeds.entries()) {
        if (seen.has(seed)) {
          context.addIssue({
            code: 'custom',
            path: [index],
            message: `repeats the seed ${seed}; for more takes of a seed use repeats`,
          });
        }
        seen.add(seed);
      }
    }),
  z
    .strictObject({
      first: z.int().min(0).describe('the first seed'),
      count: count.describe('how many consecutive seeds'),
    })
    .meta({ examples: [{ first: 1, count: 5 }] })
    .refine(({ first, count }) => first <= Number.MAX_SAFE_INTEGER - (count - 1), {
      error: 'must end below 2^53; begin lower',
    }),
  z
    .strictObject({
      random: count.describe('how many, drawn'),
      from: z.int().min(0).max(4_294_967_295).describe('the seed of the draw: the same one draws the same seeds'),
    })
    .meta({ examples: [{ random: 5, from: 42 }] }),
]);

/** Every endpoint known to take seeds accepts those below 2^31. */
const DRAWN_BELOW = 2_147_483_648;

/** Distinct seeds in declared order. A draw is the same on every machine. */
export function expandSeeds(declared: z.output<typeof seedsSchema>): readonly number[] {
  if ('first' in declared) return Array.from({ length: declared.count }, (_, index) => declared.first + index);
  if (!('random' in declared)) return declared;
  const random = createRandom(declared.from);
  const drawn = new Set<number>();
  while (drawn.size < declared.random) drawn.add(random.below(DRAWN_BELOW));
  return [...drawn];
}

const probesSchema = z.array(z.enum(PROBES));

const levelsSchema = z.strictObject({
  near: z
    .strictObject({
      max_difference: z
        .number()
        .min(0)
        .max(1, { error: 'must be a share of the range of a sample; write 0.0118 for 3 steps of 255' })
        .optional()
        .describe('largest difference of a sample, as a share of its range; default 2/255'),
      psnr: z.number().positive().max(1000).optional().describe('least PSNR in dB; default 48'),
    })
    .optional()
    .describe('visually identical'),
  similar: z
    .strictObject({
      ssim: z.number().min(0).max(1).optional().describe('least SSIM; default 0.95'),
      chroma: z.number().min(0).max(255).optional().describe('largest mean distance of chroma, of 255; default 4'),
      pdq: z.int().min(0).max(256).optional().describe('largest PDQ distance, in bits of 256; default 10'),
    })
    .optional()
    .describe('visually similar'),
  related: z
    .strictObject({
      pdq: z.int().min(0).max(256).optional().describe('largest PDQ distance, in bits of 256; default 31'),
    })
    .optional()
    .describe('recognisably related'),
});

const SUITE_FORMAT = 1;

const variantSchema = z.strictObject({
  target: z.string().min(1).describe('a preset such as reference/text-to-image, or the path of a target file'),
  const: z
    .record(z.string(), json)
    .meta({ examples: [{ model: 'fast' }] })
    .default({})
    .describe('constants of the request; replace those of the target'),
  baseline: z
    .boolean()
    .default(false)
    .describe('what the other variants of its kind are compared with; without a mark, the first'),
  optional: z
    .boolean()
    .default(false)
    .describe('if this machine cannot measure it, leave it out without changing the exit code'),
  price: z
    .strictObject({
      per: pricedUnit.describe('the priced unit'),
      usd: dollars.describe('the most that one unit costs, in US dollars'),
      most: z
        .number()
        .positive()
        .optional()
        .describe('the most units that one request is charged; default: by the target and the inputs'),
    })
    .optional()
    .describe('the price; replaces the price of the target'),
  matrix: z
    .record(z.string(), z.array(json).min(1))
    .meta({ examples: [{ steps: [4, 8] }] })
    .optional()
    .describe('lists of constants: one variant for each combination, named by its values'),
  base_url: z
    .string()
    .min(1)
    .optional()
    .describe("another server with the target's interface, in place of its base_url"),
  origins: z
    .strictObject({
      download: z
        .array(z.string())
        .min(1)
        .optional()
        .describe('more origins of media: https://host, https://*.host, or "*" for any'),
      allow_private: z
        .boolean()
        .optional()
        .describe('whether media may come from private, loopback and link-local addresses'),
    })
    .optional()
    .describe("where media come from beside the target's own origins; the credential never goes there"),
  levels: levelsSchema.optional().describe("limits of the determinism levels that replace the suite's"),
});

const inputs = z.record(z.string(), json).meta({ examples: [{ size: '16:9' }] });

export const inlinePromptSchema = z.strictObject({
  id: z.string().optional().describe('a label of letters, digits, ".", "_" and "-"; without it, made from the text'),
  text: z.string().describe('the prompt'),
  image: z.string().min(1).optional().describe('an input image: a PNG, JPEG or WebP file'),
  images: z
    .array(z.string().min(1))
    .min(1)
    .meta({ examples: [['inputs/fox.jpg', 'inputs/hat.png']] })
    .optional()
    .describe('several input images, in the order that they are sent'),
  mask: z
    .string()
    .min(1)
    .optional()
    .describe('what of the first image may change: a PNG file of its size; white changes, black stays'),
  tags: z
    .array(z.string().min(1))
    .meta({ examples: [['animal']] })
    .default([])
    .describe('to group results by'),
  kinds: z
    .array(z.enum(KINDS))
    .min(1)
    .optional()
    .describe(
      'the kinds that use it; default: image-to-video and image-edit with an image, image-edit with several or a mask, else the other three',
    ),
  inputs: inputs.default({}).describe("inputs that replace the suite's"),
  expect: z
    .record(z.string(), json)
    .meta({ examples: [{ text: 'OPEN 24 HOURS' }] })
    .optional()
    .describe('what scorers need to know of its outputs, by name; kept in run.json and never sent'),
});

const column = z.string().min(1);

export const promptFileSchema = z.strictObject({
  from: z
    .string()
    .regex(/\.(csv|tsv|json|jsonl|ndjson|txt)$/i, {
      error: 'must name a .csv, .tsv, .json, .jsonl, .ndjson or .txt file; rename or convert it',
    })
    .regex(/^([^*]+|([^*]*\/)?[^*/]*\*[^*/]*\.txt)$/i, {
      error: 'can have one "*", in the name of .txt files; write folder/*.txt',
    })
    .describe(
      'a file of prompts: csv, tsv, json, jsonl or ndjson with id, text, image, images, mask, tags, kinds and inputs; txt with a prompt a line; folder/*.txt with a prompt a file',
    ),
  map: z
    .record(column, z.union([column, z.array(column).min(1)]))
    .refine((map) => Object.hasOwn(map, 'text'), { error: 'must say which column is the text; add text' })
    .refine((map) => Object.entries(map).every(([name, columns]) => name === 'tags' || typeof columns === 'string'), {
      error: 'can name several columns for tags only; name one',
    })
    .meta({ examples: [{ text: 'Prompt', tags: 'Category' }] })
    .optional()
    .describe(
      'the column of each field or input, or a JSON pointer in .json and .jsonl; other columns are then not inputs. Tags may have several columns',
    ),
  kinds: z.array(z.enum(KINDS)).min(1).optional().describe('the kinds that use its prompts, for rows without kinds'),
  sample: z
    .int()
    .min(1)
    .max(200_000)
    .optional()
    .describe('use this many rows, drawn at random; a smaller sample is part of a larger one'),
  by: z
    .union([column, z.array(column).min(1)])
    .optional()
    .describe('fields or columns: the sample has rows of each of their values, in proportion'),
  draw: z.int().min(0).max(4_294_967_295).optional().describe('the seed of the sample; 1 by default'),
  expect: z
    .union([z.literal('*'), z.array(column).min(1)])
    .meta({ examples: ['*'] })
    .optional()
    .describe('columns to keep in run.json beside each prompt, for scorers; "*" keeps all. They are never sent'),
});

export const suiteSchema = z.strictObject({
  $schema: z.string().optional().describe('for editors'),
  suite: z.literal(SUITE_FORMAT).describe(`the version of the suite format: ${SUITE_FORMAT}`),
  name: name.describe('names the folder of the results'),
  description: z.string().optional().describe('one sentence for the report'),
  variants: z
    .record(name, variantSchema)
    .meta({ examples: [{ fast: { target: 'reference/text-to-image' } }] })
    .refine((variants) => Object.keys(variants).length > 0, { error: 'must hold at least one variant; add one' })
    .describe('what is compared, by name'),
  inputs: inputs.default({}).describe('inputs of every case, such as size; a prompt may override them'),
  prompts: z
    .array(z.union([inlinePromptSchema, promptFileSchema, z.string()]))
    .meta({ examples: [['A red fox']] })
    .min(1, { error: 'must hold at least one prompt; add one' })
    .describe('the prompts: texts, prompts with inputs, or files of them'),
  seeds: seedsSchema.default([1]).describe('the seeds sent with every prompt'),
  repeats: z.int().min(1).max(10_000).default(3).describe('takes of every variant, prompt and seed'),
  load: loadSchema.prefault({}).describe('how requests are sent'),
  limits: limitsSchema.prefault({}).describe('where a request or the run stops by itself'),
  probes: probesSchema.default([]).describe('extra requests that test the assumptions behind the numbers'),
  levels: levelsSchema.optional().describe('limits of the determinism levels'),
  scorers: scorersSchema
    .meta({ examples: [{ sharp: { use: 'file', gives: { sharp: { better: 'higher' } } } }] })
    .default({})
    .describe('what gives values to the outputs after measuring, by name'),
  gate: gateSchema.default([]).describe('the rules that make the verdict'),
  claim: claimsSchema
    .meta({ examples: [[{ of: 'fast', against: 'standard', takes: 'at most 0.5x as long', pairs: 200 }]] })
    .default([])
    .describe('what the run is to show, published before it: each claim is supported, refuted or stays undecided'),
  on_inconclusive: z.enum(['pass']).optional().describe('how rules count that the data do not decide'),
  reports: z
    .array(z.enum(REPORT_FORMATS))
    .default(['csv', 'html'])
    .describe('the reports written at the end of the run'),
});

export type SuiteFile = z.output<typeof suiteSchema>;
export type PromptEntry = SuiteFile['prompts'][number];
export type PromptFileEntry = Extract<PromptEntry, { readonly from: string }>;

const REFERENCE = '|\\$\\{env\\.';

/** JSON Schema (draft 7) for editors; suites/suite.schema.json holds it. */
export function suiteJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(suiteSchema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ jsonSchema, path }) => {
      // Any string may refer to the environment, also one with a pattern. A shared schema is visited twice.
      const { pattern } = jsonSchema;
      if (pattern !== undefined && !pattern.endsWith(REFERENCE) && path.at(-1) !== 'propertyNames')
        jsonSchema.pattern = `${pattern}${REFERENCE}`;
    },
  });
  return {
    $schema,
    title: 'Retake suite',
    description: 'The variants, prompts, seeds and load of a benchmark.',
    ...schema,
  };
}
