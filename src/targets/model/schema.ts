import { z } from 'zod';
import type { Json } from '../../kit/json.ts';
import { dollars, pricedUnit } from '../../kit/scalars.ts';
import { MASK_FORMS, TARGET_KINDS } from '../../suite/kind.ts';
import {
  baseUrl,
  compileValue,
  costLocator,
  headerName,
  headers,
  jsonTemplate,
  locators,
  originPattern,
  outputCount,
  pathTemplate,
  scalar,
  signSchema,
  template,
  templateOr,
  timeLocators,
  whenConstants,
} from './fields.ts';
import { fetchSchema, waitSchema } from './job.ts';

const TARGET_FORMAT = 1;

const auth = z
  .strictObject({
    in: z.enum(['header', 'query']).describe('Where the credential is put.'),
    name: z.string().min(1).describe('The name of the header or query parameter.'),
    // Without a reference it would be a key that is written in the file.
    value: templateOr('${secret.KEY}').describe(
      'A template, usually with ${secret.NAME}: the environment variable NAME.',
    ),
  })
  .describe('How a request authenticates. Sent only to origins.auth.');

const origins = z
  .strictObject({
    auth: z
      .array(originPattern(false))
      .prefault(['base'])
      .describe('Origins that get the credential: base, or https://host.'),
    download: z
      .array(originPattern(true))
      .prefault(['base'])
      .describe('Origins that media come from beside the base: https://host, https://*.host, or "*" for any.'),
    allow_private: z
      .boolean()
      .default(false)
      .describe('Whether media may come from private, loopback and link-local addresses.'),
  })
  .transform(({ allow_private: allowPrivate, ...patterns }) => ({ ...patterns, allowPrivate }))
  .describe('Where credentials go and where media come from.');

const scalars = z.array(z.union([z.string(), z.number(), z.boolean()])).min(1);

const retires = z
  .record(
    z.string(),
    z.strictObject({
      on: z.iso
        .date({ error: 'must be a day; write 2026-10-29' })
        .optional()
        .describe('The day, as the provider says. Absent: deprecated, without a day.'),
      to: scalar.optional().describe('What takes its place.'),
    }),
  )
  .optional()
  .describe('Values that end on a day, or have ended; they are taken, with a warning.');

const constType = z.union([
  z.strictObject({ values: scalars.describe('The allowed values; any other is an error.'), retires }),
  z.strictObject({
    known: scalars.describe('The known values; any other value of the same type is a warning.'),
    retires,
  }),
  z
    .strictObject({
      type: z.enum(['int', 'number']).describe('int: a whole number.'),
      min: z.number().optional().describe('The smallest allowed value.'),
      max: z.number().optional().describe('The largest allowed value.'),
    })
    .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
      error: 'has a min above its max; write min <= max',
    }),
  z.strictObject({ type: z.enum(['text', 'boolean']).describe('Any text, or true and false.'), retires }),
]);

const constTypes = z
  .record(z.string(), constType)
  .meta({ examples: [{ model: { values: ['standard', 'fast'] }, steps: { type: 'int', min: 1, max: 150 } }] })
  .describe('What each constant may be: a list of values, values that are known, or a type. null is always allowed.');

const seedInput = z
  .strictObject({
    min: z.int().min(0).default(0).describe('The smallest seed the endpoint takes.'),
    max: z.int().min(0).default(4_294_967_295).describe('The largest seed the endpoint takes.'),
    omit_means: z
      .enum(['random', 'constant', 'unknown'])
      .default('unknown')
      .describe('What the endpoint does without a seed.'),
    claim: z
      .enum(['exact', 'similar', 'none'])
      .describe('What the endpoint promises for one seed: the same output, a similar one, or nothing.'),
  })
  .refine(({ min, max }) => min <= max, 'has a min above its max; write min <= max')
  .describe('The seeds the endpoint takes and what they mean.');

const otherInput = z
  .discriminatedUnion('as', [
    z.strictObject({
      as: z.literal('ratio').describe('Written W:H.'),
      map: z.record(z.string(), scalar).optional().describe('What is sent for each ratio; others are refused.'),
    }),
    z.strictObject({
      as: z.literal('pixels').describe('Written WxH; templates see {width, height}.'),
      map: z
        .record(z.string(), z.string().regex(/^\d+x\d+$/, 'must be a size; write WxH'))
        .optional()
        .describe('The size in pixels for each ratio; other ratios are refused, WxH is taken unchanged.'),
      min: z.int().min(1).optional().describe('The shortest allowed side, in pixels.'),
      max: z.int().min(1).optional().describe('The longest allowed side, in pixels.'),
      multiple_of: z.int().min(1).optional().describe('Both sides must be multiples of this.'),
    }),
    z.strictObject({
      as: z.literal('enum').describe('One of a list.'),
      values: z.array(scalar).min(1).optional().describe('The values that are taken.'),
      map: z.record(z.string(), scalar).optional().describe('What is sent for each value; others are refused.'),
    }),
    z.strictObject({ as: z.literal('text').describe('Any text, such as a negative prompt.') }),
    z.strictObject({
      as: z.literal('number').describe('A number.'),
      min: z.number().optional().describe('The smallest allowed value.'),
      max: z.number().optional().describe('The largest allowed value.'),
      whole: z.boolean().default(false).describe('Whether it must be whole.'),
    }),
  ])
  .describe('What the endpoint takes for this input of a case; templates see it as ${case.<name>}.');

const mostBytes = z.int().min(1).optional().describe('The largest file, in bytes.');

const media = z
  .strictObject({
    images: z
      .strictObject({
        least: z.int().min(0).default(1).describe('The fewest input images.'),
        most: z.int().min(1).default(1).describe('The most input images.'),
        types: z
          .array(z.enum(['png', 'jpeg', 'webp']))
          .min(1)
          .default(['png', 'jpeg', 'webp'])
          .describe('The types of files that it takes.'),
        most_bytes: mostBytes,
      })
      .refine(({ least, most }) => least <= Math.max(1, most), 'has a least above its most; write least <= most')
      .prefault({})
      .describe('The input images that it takes.'),
    mask: z
      .strictObject({
        changes: z.enum(MASK_FORMS).describe('Which pixels of the mask it sends say what may change.'),
        most_bytes: mostBytes,
      })
      .optional()
      .describe('The mask that it takes; absent: none.'),
  })
  .transform(({ images: { types, most_bytes: mostBytes = null, ...numbers }, mask }) => ({
    images: { ...numbers, types: types.map((type) => `image/${type}`), mostBytes },
    mask: mask === undefined ? null : { changes: mask.changes, mostBytes: mask.most_bytes ?? null },
  }))
  .describe('The files of a prompt that it takes; absent: one image, for kinds with an image.');

const submit = z
  .strictObject({
    method: z.enum(['POST', 'PUT', 'PATCH', 'GET']).default('POST').describe('The HTTP method.'),
    path: pathTemplate('begin it with "/"').describe('The path below base_url, a template that begins with "/".'),
    query: z
      .record(z.string(), template)
      .transform((given) => Object.entries(given))
      .optional()
      .describe('Query parameters; an undefined one is dropped.'),
    headers: headers.optional().describe('Headers; an undefined one is dropped.'),
    encoding: z
      .enum(['multipart', 'json', 'form', 'raw'])
      .default('json')
      .describe('How the body is sent: form parts, JSON, URL-encoded, or unchanged.'),
    body: jsonTemplate().optional().describe('The body; every text in it is a template. raw: one template.'),
    body_file: z
      .string()
      .min(1)
      .optional()
      .describe('A stored JSON or YAML document to send as the body, filled by `set`; relative to this file.'),
    set: z
      .record(z.string(), jsonTemplate())
      .optional()
      .describe('Templates by JSON pointer into body_file; an undefined one keeps the stored value.'),
  })
  .describe('The request that asks for a generation.');

const result = z
  .strictObject({
    items: locators
      .optional()
      .describe('The parts with one output each; `at` is read in each. Default: the reply itself.'),
    from: z
      .enum(['body', 'url', 'b64', 'data_uri', 'text'])
      .describe(
        'Where the bytes are: the body, behind a URL, or in text as base64 or data URI; a data URI is also taken as URL or base64. text: the answer of a judge.',
      ),
    at: locators.optional().describe('The location of that URL or text.'),
    asks: outputCount.optional().describe('How many outputs a request asks for, such as ${const.n}.'),
    expect: z
      .string()
      .regex(/^[a-z]+\/(\*|[a-z0-9.+-]+)$/, 'must be a media type; write image/*, video/* or image/png')
      .optional()
      .describe('The expected media type.'),
  })
  .describe('The location of the output.');

const status = z.union([
  z.int().min(100).max(599),
  z.string().regex(/^[1-5]xx$/, 'must be a status; write 429 or 4xx'),
]);

/** Both ends included: 429 to 429, 400 to 499. */
export interface StatusRange {
  readonly from: number;
  readonly to: number;
}

function rangeOf(written: number | string): StatusRange {
  if (typeof written === 'number') return { from: written, to: written };
  const from = Number(written.charAt(0)) * 100;
  return { from, to: from + 99 };
}

const failRule = z
  .strictObject({
    when: z
      .strictObject({
        status: z
          .union([status, z.array(status).min(1)])
          .transform((given) => (Array.isArray(given) ? given : [given]).map(rangeOf))
          .optional()
          .describe('429, 4xx, or a list of them.'),
        at: locators.optional().describe('A value in the reply; without in, not or contains it only has to exist.'),
        in: z.array(scalar).min(1).optional().describe('`at` is one of these.'),
        not: z.array(scalar).min(1).optional().describe('`at` has a value that is not one of these.'),
        contains: z
          .array(z.string().min(1))
          .min(1)
          .transform((texts) => texts.map((text) => text.toLowerCase()))
          .optional()
          .describe('`at` is a text that contains one of these; case is ignored.'),
      })
      .describe('Every condition must hold.'),
    is: z.enum(['moderated', 'throttled', 'no_credit', 'rejected', 'error']).describe('The outcome of the request.'),
    after: timeLocators.optional().describe('throttled: where the reply says how long to wait.'),
    code: locators.optional().describe("The location of the provider's error code."),
    message: locators.optional().describe('The location of the message.'),
  })
  .describe('A reply that is a failure, whatever its status. The first rule that matches counts.');

/** A part of a metric's name. */
const stageName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be a name such as vae_decode; write small letters, digits and _');

const meta = z
  .strictObject({
    inference: timeLocators.optional().describe('Time the server says it took.'),
    seed: locators.optional().describe('The seed the server says it used.'),
    request_id: locators.optional().describe("The server's name for the request."),
    cost_usd: costLocator
      .optional()
      .describe(
        'What the server says it cost, in US dollars or in units of `each`; `sum`: of several counts; of a list, the first whose `when` matches.',
      ),
    cached: locators
      .optional()
      .describe('Whether it says that the output came from a cache: true, an age above 0, or a word such as HIT.'),
    model: locators.optional().describe('The model the server says answered.'),
    prompt: locators.optional().describe('The prompt the server says it used.'),
    stages: z.record(stageName, timeLocators).default({}).describe('Times of stages of its work, by name.'),
    memory_mb: locators.optional().describe('The memory the server says it needed, in megabytes.'),
    usage: z.record(stageName, locators).default({}).describe('What it counted, such as tokens, by name.'),
  })
  .describe('What the server reports; recorded beside measured values, never instead of them.');

const models = z
  .strictObject({
    path: pathTemplate('begin it with "/"').describe('The path below base_url, a template that begins with "/".'),
    query: z
      .record(z.string(), template)
      .transform((given) => Object.entries(given))
      .optional()
      .describe('Query parameters.'),
    list: locators.describe('The location of the models: texts, or objects.'),
    id: z.string().min(1).default('id').describe('The member of an object that has its name.'),
    ends: z.string().min(1).optional().describe('The member that has the day of its end, such as 2026-12-01.'),
    prefix: z.string().min(1).optional().describe('What stands before each name and is no part of it.'),
    constant: z.string().min(1).default('model').describe('The constant that has such a name.'),
  })
  .describe('Where the provider lists its models, for retake targets --check.');

const onePrice = z.strictObject({
  per: pricedUnit.describe('The unit of the price.'),
  usd: dollars.describe('US dollars for one, at most.'),
  most: z
    .union([z.number().positive(), z.string().min(1)])
    .transform((given, context) => compileValue(given, context))
    .optional()
    .describe(
      'The most units that one request is charged, or a template such as ${case.seconds | default(5)}. Absent: what the inputs say.',
    ),
  when: whenConstants,
});
const price = z
  .union([onePrice, z.array(onePrice).min(1)])
  .transform((given) => (Array.isArray(given) ? given : [given]))
  .describe('The price; of a list, the first that matches. If none matches, the price is unknown.');

const retry = z
  .strictObject({
    submit: z
      .enum(['never', 'idempotent'])
      .default('never')
      .describe('idempotent: two requests with the same key have the effect of one.'),
    key_header: headerName.optional().describe('idempotent: the header of the key, one for each call.'),
    poll: z
      .int()
      .min(0)
      .max(20)
      .default(5)
      .describe('How often a failed GET (poll, download) or idempotent submit is sent again.'),
  })
  .describe('Retries after a failure.');

/** A target file: each field compiled, before the checks across fields of `parseTarget`. */
export const targetSchema = z
  .strictObject({
    $schema: z.string().optional().describe('Where editors find the schema of this format.'),
    target: z.literal(TARGET_FORMAT).describe('The version of this format: 1.'),
    id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]*\/[a-z0-9][a-z0-9.-]*$/, 'must be provider/endpoint; write it in small letters')
      .describe('provider/endpoint.'),
    description: z.string().optional().describe('What the endpoint is.'),
    seen: z
      .strictObject({
        on: z.iso.date({ error: 'must be a day; write 2026-11-26' }).describe('The day.'),
        at: z.url({ protocol: /^https?$/, error: 'must be a URL; write https://...' }).describe('The document.'),
      })
      .optional()
      .describe('When the defaults of this file were last found in a document of the provider.'),
    kind: z.enum(TARGET_KINDS).describe('What the endpoint generates; judge: it compares two outputs.'),
    base_url: baseUrl.describe('An absolute URL, or embedded: for the reference service of the run.'),
    auth: auth.optional(),
    origins: origins.prefault({}),
    const: z.record(z.string(), z.json()).default({}).describe('Defaults for ${const.<name>}; a variant overrides.'),
    const_types: constTypes.default({}),
    models: models.optional(),
    inputs: z
      .object({ seed: seedInput.optional() })
      .catchall(otherInput)
      .default({})
      .describe('What the endpoint takes; checked before anything is sent.'),
    media: media.optional(),
    submit,
    sign: signSchema.optional(),
    wait: waitSchema.optional(),
    fetch: fetchSchema.default([]),
    result,
    fail: z.array(failRule).default([]).describe('Replies that are failures.'),
    meta: meta.prefault({}),
    price: price.default([]),
    retry: retry.prefault({}),
  })
  .describe('How one endpoint is called.');

export type DeclaredTarget = z.output<typeof targetSchema>;
export type SeedInput = z.output<typeof seedInput>;
/** What an endpoint accepts for one input of a case. */
export type InputRule = z.output<typeof otherInput>;
/** The type of a constant. Null, which leaves it out, is always allowed. */
export type ConstType = z.output<typeof constType>;
/** A reply that is a failure, whatever its status. The first rule that matches counts. */
export type FailRule = z.output<typeof failRule>;
export type Meta = z.output<typeof meta>;

/** For completion and checks in editors. */
export function targetJsonSchema(): Json {
  const schema = z.toJSONSchema(targetSchema, { io: 'input', target: 'draft-2020-12' }) as Json;
  return { title: 'Retake target', ...(schema as { readonly [key: string]: Json }) };
}
