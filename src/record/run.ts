import { z } from 'zod';
import {
  amount,
  choice,
  count,
  instant,
  milliseconds,
  part,
  type Recorded,
  sha256,
  shape,
  variantName,
} from '../kit/declare.ts';
import { json, jsonObject, NO_NAME } from '../kit/json-value.ts';
import { levelLimitsSchema } from '../media/difference.ts';
import { packageFaultSchema } from '../media/facts.ts';
import { looksSchema, skippedProbeSchema } from '../plan/recorded-plan.ts';
import { MOST_SHARDS } from '../plan/share.ts';
import { kind } from '../plan/trial.ts';
import { KINDS } from '../suite/kind.ts';
import { holdSchema, limitsSchema, loadSchema, priceSchema } from '../suite/load.ts';
import { gateRuleSchema } from '../suite/rule.ts';
import { MOST_METRICS } from '../suite/score-label.ts';
import { scorerSchema } from '../suite/scorer.ts';
import { PROBES } from '../suite/suite.ts';
import { retirementSchema } from '../targets/recorded.ts';
import { calibrationSchema } from './calibration.ts';
import { FOLDER_NAME, IDENTITY_KINDS, isRunName, MOST_SEGMENTS, RUN_FORMAT } from './codes.ts';

/* Fields that several files of a record have. No name can lead to another folder. */

export const segment = z.int().min(1).max(MOST_SEGMENTS).describe('The number of the process that measured, from 1.');

export const shardNumber = z.int().min(1).max(MOST_SHARDS);

const suiteName = z.string().regex(FOLDER_NAME, NO_NAME);

/** Refuses names of shards. */
export const runName = z.string().refine(isRunName, NO_NAME);

/** Where calls are sent from. */
export const vantageName = z.string().regex(FOLDER_NAME, NO_NAME);

const folderName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,119}$/, NO_NAME);

/** SHA-256 by the name of an environment variable. */
const environment = z.record(z.string(), sha256);

export const togetherSchema = shape('RunTogether', 'How far the workers of a fleet kept in step.', {
  slices: count.describe('Slices that were sent, each by all of its workers together.'),
  spreadMs: part('From the word to send a slice until its last worker had answered that it began, in milliseconds.', {
    p50: milliseconds.nullable().describe('The median over slices; null without a slice.'),
    most: milliseconds.nullable().describe('Of the slice with the most; null without a slice.'),
  }),
});
export type RunTogether = Recorded<typeof togetherSchema>;

/** A target, variant, variable, code or version from another machine, printed within a line. */
const word = z.string().regex(/^\w[\w.+@/-]{0,199}$/);

const identityKey = z.string().regex(new RegExp(`^(?:${IDENTITY_KINDS.join('|')})(?::\\w[\\w.+@/-]{0,199})?$`));

/** What all shards of a run have in common, by kind, and by name where a run has many: `target:openai`. */
export const shardIdentitySchema = z.record(identityKey, word.nullable());
export type ShardIdentity = Readonly<Record<string, string | null>>;

export const shardDifferenceSchema = shape('ShardDifference', 'How two shards of one run differ.', {
  code: z.enum(IDENTITY_KINDS).describe('In what.'),
  names: z.array(word).describe('Of targets, variables or variants that differ; else empty.'),
  values: z.tuple([word.nullable(), word.nullable()]).describe('Of the first; null without one.'),
});
export type ShardDifference = Recorded<typeof shardDifferenceSchema>;

export const spendSchema = shape('Spend', 'What requests may have been charged. Each attempt is a request.', {
  requests: count.describe('How many were sent; each attempt is one.'),
  usd: amount.describe(
    'The sum over those of known cost, in US dollars: what the service reports (`meta.cost_usd` of the target), ' +
      'else the declared price of what was delivered; a price per request is owed for every attempt, whatever its ' +
      'outcome.',
  ),
  unknownRequests: count.describe('How many have an unknown cost, such as a failure with a price per output.'),
  mostUsd: amount
    .nullable()
    .describe(
      '`usd` plus the unknown ones at the highest cost that the declared price allows; null if one has no upper bound.',
    ),
});
export type Spend = Recorded<typeof spendSchema>;

export const missingSchema = shape('Missing', 'What one side of a comparison does not have.', {
  what: z
    .enum(['variant', 'prompt', 'seed', 'cell', 'suite_version', 'changed_prompt'])
    .describe(
      '`cell`: a single one, whose variant, prompt and seed the side has in others. `suite_version`: the stored ' +
        'baseline is of another version of the suite or of a target, not counting `gate`, `reports`, ' +
        '`description` and what is declared for scorers. `changed_prompt`: it asked for something else by this id, so that is not compared.',
    ),
  id: z
    .string()
    .describe("Its name; of a cell `variant/prompt/seed`; of `suite_version` the digest of the run's suite."),
  side: z.enum(['run', 'baseline']).describe('The side that does not have it.'),
});
export type Missing = Recorded<typeof missingSchema>;

export const runSuiteSchema = shape('RunSuite', 'The suite as it was declared.', {
  name: suiteName.describe('Its name.'),
  description: z.string().nullable().describe('Null without one.'),
  file: z.string().describe('Its file.'),
  digest: sha256.describe('SHA-256 of `declared`.'),
  overrides: z.array(z.string()).describe('The values of `--set`, in order.'),
  declared: json.describe('The document with `--set` applied, `${env.X}` not replaced.'),
  environment: environment.describe(
    'SHA-256 of each environment value used, by name; elsewhere a value of 8 characters or more stands as `$ENV_NAME`.',
  ),
});

export const targetSchema = shape('RunTarget', 'A target file as it was declared.', {
  id: z.string().describe('Its name, as variants give it.'),
  file: z.string().describe('Its file.'),
  digest: sha256.describe('SHA-256 of `declared`, with `storedBody` if there is one.'),
  declared: json.describe('The document, `${env.X}` not replaced.'),
  storedBody: json.describe('The document that `submit.body_file` names, before `set`; null without one.'),
  environment: environment.describe('SHA-256 of each environment value used, by name.'),
});

export const variantSchema = shape('RunVariant', 'A variant: a target with its constants.', {
  name: z.string().describe('Its name.'),
  twinOf: z
    .string()
    .nullable()
    .describe(
      'Of a variant of the stored baseline, such as `fast@baseline`, the variant that it is compared with; else null.',
    ),
  kind,
  target: z.string().describe('The id of its target.'),
  baseline: z.boolean().describe('Whether the others of its kind are compared with it.'),
  constants: jsonObject.describe('What it sets for its target.'),
  baseUrl: z.string().describe('Without user, password and query; `embedded:` for the reference service of the run.'),
  proxy: z.string().exactOptional().describe('Its proxy, without user and password; of shards all. Absent: none.'),
  seedClaim: z.enum(['exact', 'similar', 'none']).describe('What the target says that a seed means.'),
  sendsSeed: z
    .boolean()
    .describe(
      'Whether its requests contain the seed; without it, trials that differ in their seed alone are one request.',
    ),
  seedOmitMeans: z
    .enum(['random', 'constant', 'unknown'])
    .describe('What the target says that a request without a seed takes.'),
  retires: z
    .array(retirementSchema)
    .exactOptional()
    .describe('Which of its constants have a value that ends on a day; absent if none has.'),
  cancelsJobs: z
    .boolean()
    .nullable()
    .describe('Whether the target says how to cancel a job (`wait.cancel`); null if no job is polled.'),
  asks: count.exactOptional().describe('How many outputs a request asks for (`result.asks`); absent if not said.'),
  timeoutMs: milliseconds.describe('The time limit of a call.'),
  price: priceSchema.nullable().describe('The declared price; null without one.'),
  plannedTrials: count.describe('Measured trials in the plan, without warm-ups and probes.'),
  levels: levelLimitsSchema.describe('Where the levels between its outputs begin.'),
});
export type RunVariant = Recorded<typeof variantSchema>;

export const promptSchema = shape('RunPrompt', 'A prompt with its inputs.', {
  id: z.string().describe('Its id.'),
  text: z.string().describe('Its text.'),
  tags: z.array(z.string()).describe('What results are grouped by.'),
  kinds: z.array(z.enum(KINDS)).describe('The kinds of variants that get it.'),
  media: z
    .array(
      shape('RunInput', 'An input file of a prompt.', {
        role: z
          .enum(['image', 'mask'])
          .describe('image: what it changes or moves. mask: what of the first may change.'),
        sha256: sha256.describe('Of the file, which is in media/ if the run sent it.'),
        mime: z.string().describe('Its media type.'),
        bytes: count.describe('Its size in bytes.'),
        width: count.describe('In pixels, before the orientation that the file declares.'),
        height: count.describe('In pixels.'),
      }),
    )
    .describe('Its input images in the order that they are sent, then its mask.'),
  inputs: jsonObject.describe('Its inputs, by name.'),
  expect: z
    .strictObject({
      row: count.exactOptional().describe('The number of its row in a prompt file, from 1; absent without a file.'),
      values: jsonObject.describe('What `expect` of the prompt says, or the columns of the row that it names.'),
    })
    .exactOptional()
    .describe('What scorers need to know of its outputs; absent without `expect`.'),
});
export type RunPrompt = Recorded<typeof promptSchema>;

const probesSchema = shape('RunProbes', 'The probes of a plan.', {
  kinds: z.array(z.enum(PROBES)).describe('In the order they are sent.'),
  trials: count.describe('How many trials.'),
  nonce: count.describe("The seeds of the cache probe follow from it; it is not part of the plan's digest."),
  skippedProbes: z.array(skippedProbeSchema).describe('What was asked for and left out.'),
});
export type RunProbes = Recorded<typeof probesSchema>;

export const planSchema = shape(
  'RunPlan',
  'The plan in short. The suite always expands to the same plan; `digest` proves it.',
  {
    digest: sha256.describe('SHA-256 over its trials in order.'),
    requests: count.describe('Requests in all, warm-ups and probes included.'),
    slices: count.describe('How many slices.'),
    largestSlice: count.describe('Trials in the largest slice: more are never in flight.'),
    seeds: z.array(count).describe('As in the suite.'),
    repeats: z.int().min(1).describe('Takes of each prompt and seed.'),
    load: loadSchema.describe('As in the suite.'),
    probes: probesSchema.nullable().describe('Null without probes.'),
    looks: looksSchema.nullable().describe('Null if the gate is decided once.'),
  },
);
export type RunPlan = Recorded<typeof planSchema>;

export const machineSchema = shape('Machine', 'The machine that measured.', {
  retake: z.string().describe('Version of Retake.'),
  node: z.string().describe('Version of Node.'),
  undici: z.string().describe('Version of undici.'),
  sharp: z.string().describe('Version of sharp.'),
  nodeAv: z.string().nullable().describe('Version of node-av; null if video is not decoded.'),
  os: z.string().describe('The system.'),
  arch: z.string().describe('The architecture of the processor.'),
  cpu: z.string().describe('The processor.'),
  cores: count.describe('Its cores.'),
  memoryBytes: count.describe('The memory.'),
});
export type Machine = Recorded<typeof machineSchema>;

export const leftOutReasonSchema = choice(
  'LeftOutReason',
  'Why the reference service cannot make what a variant asks for.',
  'code',
  [
    part('The package that encodes video cannot be used.', {
      code: z.literal('no_video_package'),
      fault: packageFaultSchema,
    }),
    part('The package has no encoder for it.', {
      code: z.literal('no_video_encoder'),
      encoder: z.string().describe('The encoder.'),
    }),
  ],
);
export type LeftOutReason = Recorded<typeof leftOutReasonSchema>;

export const againstSchema = shape('RunAgainst', 'The stored baseline whose variants were sent again.', {
  run: runName.describe('The run that it was kept from.'),
  createdAt: instant.describe('When that run began: UTC, ISO 8601.'),
  digest: sha256.describe("SHA-256 of the file's content."),
  environment: environment.describe('SHA-256 of each environment value that its suite and targets have now, by name.'),
  changedEnvironment: z
    .array(z.string())
    .describe('The variables that had another value when the baseline was measured.'),
  missing: z.array(missingSchema).describe('What one side does not have.'),
});
export type RunAgainst = Recorded<typeof againstSchema>;

const leftOutSchema = shape('LeftOut', 'A variant that this machine could not measure.', {
  variant: variantName,
  twinOf: z.string().nullable().describe('As in `variants`.'),
  kind,
  reason: leftOutReasonSchema,
  optional: z.boolean().describe('Whether the suite marks it as optional.'),
});
export type LeftOut = Recorded<typeof leftOutSchema>;

export const gitSchema = z.strictObject({
  commit: z.string().describe('Its commit.'),
  dirty: z.boolean().describe('Whether the suite, a target, a prompt file or an input image differs from that commit.'),
});

const shardSchema = shape(
  'RunShard',
  'A shard of a run. Its record has its own plan, limits and planned trials: its requests, its part of the ' +
    'concurrency and of the limits. `plan.digest` is always that of the whole plan.',
  {
    run: runName.describe('The name of the run.'),
    index: shardNumber.describe('From 1.'),
    of: shardNumber.describe('How many shards the run has.'),
    whole: part('What the record of the whole run has.', {
      plan: planSchema.describe('Its plan.'),
      limits: limitsSchema.describe('Its limits.'),
      plannedTrials: z.record(z.string(), count).describe('Its planned trials, by variant.'),
    }),
  },
);
export type RunShard = Recorded<typeof shardSchema>;

const mergedShardSchema = shape('MergedShard', 'A shard that was merged.', {
  index: shardNumber.describe('From 1.'),
  createdAt: instant.describe('When it was created: UTC, ISO 8601.'),
  segments: z.array(segment).describe('Its processes, by their numbers in the merged journal.'),
  concurrency: z.int().min(1).describe('Its part of the concurrency.'),
  machine: machineSchema,
  calibration: calibrationSchema.nullable().describe('Null if it was interrupted while calibrating.'),
  warmupsLeftOut: count.describe(
    'Its warm-up requests that the merged record does not contain: those of one shard are kept.',
  ),
  spendLeftOut: z.record(z.string(), spendSchema).describe('What these may have been charged, by variant.'),
});
export type MergedShard = Recorded<typeof mergedShardSchema>;

const mergedSchema = shape('RunMerged', 'What a merged run was made from.', {
  of: shardNumber.describe('How many shards the run has.'),
  shards: z.array(mergedShardSchema).describe('Those that were merged, by index.'),
  together: togetherSchema.exactOptional().describe('Of a fleet; absent where shards were merged by hand.'),
});
export type RunMerged = Recorded<typeof mergedSchema>;

/** In characters; a merged run may have as many for each label. */
const LONGEST_LABEL = 10_000;
export const runLabel = z.string().min(1).max(LONGEST_LABEL);

export const runSchema = shape(
  'Run',
  'run.json: everything about a run that was known before it began. It contains no secret.',
  {
    format: z.literal(RUN_FORMAT).describe('The version of the file. A newer one is refused.'),
    id: folderName.describe(
      'The name of the run: time and random digits, such as `20261120T154500Z-7f3a`, or what --run says.',
    ),
    createdAt: instant.describe('When it was created: UTC, ISO 8601. Of a merged run the earliest.'),
    label: runLabel
      .exactOptional()
      .describe(
        'What `--label` says of the run, such as a build; absent without it. Of a merged run those of ' +
          'its shards, with commas between them. It changes no comparison.',
      ),
    vantage: vantageName
      .exactOptional()
      .describe(
        'Where calls were sent from, as `--vantage` says; absent without it. Runs with another vantage, or without one, ' +
          'are not comparable in history.',
      ),
    suite: runSuiteSchema,
    published: sha256
      .exactOptional()
      .describe(
        'Of a suite with claims: the digest that `retake plan` prints before the run, over suite, plan, targets, input ' +
          'images and servers; absent of any other.',
      ),
    targets: z.array(targetSchema).describe('The target files.'),
    variants: z.array(variantSchema).describe('What is compared.'),
    against: againstSchema
      .nullable()
      .describe('The stored baseline whose variants were sent again (`--against`); null without it.'),
    leftOut: z
      .array(leftOutSchema)
      .describe('Variants that this machine could not measure, such as video of the embedded service without node-av.'),
    prompts: z.array(promptSchema).describe('The prompts.'),
    plan: planSchema.describe('The plan in short.'),
    hold: holdSchema
      .exactOptional()
      .describe('What each load of a sweep must hold; absent where the suite asks for nothing.'),
    limits: limitsSchema.describe('As in the suite.'),
    gate: z.array(gateRuleSchema).describe('The rules of the suite in order, defaults filled in.'),
    scorers: z
      .array(scorerSchema)
      .min(1)
      .max(MOST_METRICS)
      .exactOptional()
      .describe('What gives values to outputs, as the suite declares it; absent without one.'),
    reports: z.array(z.string()).describe('As in the suite; a format that Retake does not write is skipped.'),
    machine: machineSchema.describe('Of a merged run that of the first shard.'),
    calibration: calibrationSchema
      .nullable()
      .describe(
        'What the machine adds to latencies; null if the run was interrupted while calibrating. Of a merged run ' +
          'that of the shard with the largest noise floor.',
      ),
    git: gitSchema
      .nullable()
      .describe('The checkout with the suite; null outside one, and if the shards of a merged run differ.'),
    shard: shardSchema.nullable().describe('Which part of a run this is; null for a whole run.'),
    merged: mergedSchema.nullable().describe('What `retake merge` made it from; null for any other run.'),
  },
);
/** Everything about a run that is known before it begins: run.json. */
export type Run = Recorded<typeof runSchema>;

export type Checkout = Recorded<typeof gitSchema>;
