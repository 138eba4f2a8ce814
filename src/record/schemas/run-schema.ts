import { z } from 'zod';
import type { LevelLimits } from '../../media/compare/level.ts';
import type { PlannedLooks, PlannedPart } from '../../plan/parts.ts';
import type { SkippedProbe, SkippedProbeReason } from '../../plan/probes/skipped-probes.ts';
import { KINDS, type Limits, type Load, PROBES, type Price, REPORT_FORMATS } from '../../suite/format/suite.ts';
import {
  type LeftOut,
  type LeftOutReason,
  type Machine,
  type MergedShard,
  RUN_FORMAT,
  type Run,
  type RunAgainst,
  type RunMerged,
  type RunPlan,
  type RunProbes,
  type RunPrompt,
  type RunShard,
  type RunSuite,
  type RunTarget,
  type RunVariant,
} from '../model/run.ts';
import type { Spend } from '../model/spend.ts';
import { calibrationSchema } from './calibration-schema.ts';
import { packageFaultSchema } from './decode-fault-schema.ts';
import { schemaOf } from './exact-schema.ts';
import {
  amount,
  count,
  folderName,
  instant,
  json,
  jsonObject,
  milliseconds,
  number,
  runName,
  segment,
  sha256,
  shardNumber,
  suiteName,
} from './field-schemas.ts';
import { gateRuleSchema } from './gate-rule-schema.ts';
import { missingSchema } from './missing-schema.ts';
import { plannedWorkSchema } from './planned-work-schema.ts';

const share = z.number().min(0).max(1);

/** SHA-256 by the name of an environment variable. */
export const environment = z.record(z.string(), sha256);

const suiteSchema = schemaOf<RunSuite>('RunSuite')(
  z.strictObject({
    name: suiteName,
    description: z.string().nullable(),
    file: z.string(),
    digest: sha256,
    overrides: z.array(z.string()),
    declared: json,
    environment,
  }),
);

const targetSchema = schemaOf<RunTarget>('RunTarget')(
  z.strictObject({
    id: z.string(),
    file: z.string(),
    digest: sha256,
    declared: json,
    storedBody: json,
    environment,
  }),
);

const priceSchema = schemaOf<Price>('Price')(
  z.strictObject({ per: z.enum(['request', 'output', 'second', 'megapixel']), usd: amount }),
);

const levelLimitsSchema = schemaOf<LevelLimits>('LevelLimits')(
  z.strictObject({
    near: z.strictObject({ maxDifference: share, psnrDb: number }),
    similar: z.strictObject({ ssim: number, chroma: number, pdqDistance: number }),
    related: z.strictObject({ pdqDistance: number }),
  }),
);

export const variantSchema = schemaOf<RunVariant>('RunVariant')(
  z.strictObject({
    name: z.string(),
    twinOf: z.string().nullable(),
    kind: z.enum(KINDS),
    target: z.string(),
    baseline: z.boolean(),
    constants: jsonObject,
    baseUrl: z.string(),
    seedClaim: z.enum(['exact', 'similar', 'none']),
    sendsSeed: z.boolean(),
    seedOmitMeans: z.enum(['random', 'constant', 'unknown']),
    cancelsJobs: z.boolean().nullable(),
    timeoutMs: milliseconds,
    price: priceSchema.nullable(),
    plannedTrials: count,
    levels: levelLimitsSchema,
  }),
);

export const promptSchema = schemaOf<RunPrompt>('RunPrompt')(
  z.strictObject({
    id: z.string(),
    text: z.string(),
    tags: z.array(z.string()),
    kinds: z.array(z.enum(KINDS)),
    image: sha256.nullable(),
    inputs: jsonObject,
    expect: z.strictObject({ row: count, values: jsonObject }).exactOptional(),
  }),
);

const everyLoad = {
  concurrency: z.int().min(1),
  warmup: count,
  onThrottle: z.enum(['wait', 'fail', 'stop']),
  shuffle: count,
};

const loadSchema = schemaOf<Load>('Load')(
  z.discriminatedUnion('mode', [
    z.strictObject({
      ...everyLoad,
      mode: z.literal('closed'),
      order: z.enum(['paired', 'mixed', 'sequential']),
      steps: z.array(z.int().min(1)).nullable(),
    }),
    z.strictObject({
      ...everyLoad,
      mode: z.literal('open'),
      order: z.literal('sequential'),
      arrivals: z.enum(['poisson', 'constant']),
      stages: z.array(z.strictObject({ ratePerSecond: number, forMs: milliseconds.nullable() })),
    }),
  ]),
);

export const skippedProbeReasons = [
  z.strictObject({ code: z.enum(['no_seed', 'no_spare_seed', 'seed_required', 'concurrency_1', 'one_cell']) }),
  z.strictObject({ code: z.literal('too_few_seeds'), seeds: count }),
] as const;

const skippedProbeReasonSchema = schemaOf<SkippedProbeReason>('SkippedProbeReason')(
  z.discriminatedUnion('code', skippedProbeReasons),
);

const skippedProbeSchema = schemaOf<SkippedProbe>('SkippedProbe')(
  z.strictObject({
    probe: z.enum(PROBES),
    variant: z.string(),
    whole: z.boolean(),
    reason: skippedProbeReasonSchema,
  }),
);

const probesSchema = schemaOf<RunProbes>('RunProbes')(
  z.strictObject({
    kinds: z.array(z.enum(PROBES)),
    trials: count,
    nonce: count,
    skippedProbes: z.array(skippedProbeSchema),
  }),
);

const partSchema = schemaOf<PlannedPart>('PlannedPart')(
  z.strictObject({ lastSlice: count, caseSeeds: count, trials: z.record(z.string(), count) }),
);

const looksSchema = schemaOf<PlannedLooks>('PlannedLooks')(
  z.strictObject({
    kind: z.enum(['confirm', 'until_decided']),
    of: z.int().min(2),
    unit: z.enum(['blocks', 'rounds']),
    units: z.array(count),
    parts: z.array(partSchema),
  }),
);

export const planSchema = schemaOf<RunPlan>('RunPlan')(
  z.strictObject({
    digest: sha256,
    requests: count,
    slices: count,
    largestSlice: count,
    seeds: z.array(count),
    repeats: z.int().min(1),
    load: loadSchema,
    probes: probesSchema.nullable(),
    looks: looksSchema.nullable(),
  }),
);

const limitsSchema = schemaOf<Limits>('Limits')(
  z.strictObject({
    timeoutMs: milliseconds.nullable(),
    requests: count.nullable(),
    usd: amount.nullable(),
    failures: share,
  }),
);

export const machineSchema = schemaOf<Machine>('Machine')(
  z.strictObject({
    retake: z.string(),
    node: z.string(),
    undici: z.string(),
    sharp: z.string(),
    nodeAv: z.string().nullable(),
    os: z.string(),
    arch: z.string(),
    cpu: z.string(),
    cores: count,
    memoryBytes: count,
  }),
);

export const leftOutReasonSchema = schemaOf<LeftOutReason>('LeftOutReason')(
  z.discriminatedUnion('code', [
    z.strictObject({ code: z.literal('no_video_package'), fault: packageFaultSchema }),
    z.strictObject({ code: z.literal('no_video_encoder'), encoder: z.string() }),
  ]),
);

export const againstSchema = schemaOf<RunAgainst>('RunAgainst')(
  z.strictObject({
    run: runName,
    createdAt: instant,
    digest: sha256,
    environment,
    changedEnvironment: z.array(z.string()),
    missing: z.array(missingSchema),
  }),
);

const leftOutSchema = schemaOf<LeftOut>('LeftOut')(
  z.strictObject({
    variant: z.string(),
    twinOf: z.string().nullable(),
    kind: z.enum(KINDS),
    reason: leftOutReasonSchema,
    optional: z.boolean(),
  }),
);

export const gitSchema = z.strictObject({ commit: z.string(), dirty: z.boolean() });

const shardSchema = schemaOf<RunShard>('RunShard')(
  z.strictObject({
    run: runName,
    index: shardNumber,
    of: shardNumber,
    whole: z.strictObject({ plan: planSchema, limits: limitsSchema, plannedTrials: z.record(z.string(), count) }),
  }),
);

export const spendSchema = schemaOf<Spend>('Spend')(
  z.strictObject({
    requests: count,
    usd: amount,
    unknownRequests: count,
    mostUsd: amount.nullable(),
  }),
);

const mergedShardSchema = schemaOf<MergedShard>('MergedShard')(
  z.strictObject({
    index: shardNumber,
    createdAt: instant,
    segments: z.array(segment),
    concurrency: z.int().min(1),
    machine: machineSchema,
    calibration: calibrationSchema.nullable(),
    warmupsLeftOut: count,
    spendLeftOut: z.record(z.string(), spendSchema),
  }),
);

const mergedSchema = schemaOf<RunMerged>('RunMerged')(
  z.strictObject({ of: shardNumber, shards: z.array(mergedShardSchema) }),
);

/** In characters; of a merged run as many for each of several labels. */
const LONGEST_LABEL = 10_000;

/** run.json. */
export const runSchema = schemaOf<Run>('Run')(
  z.strictObject({
    format: z.literal(RUN_FORMAT),
    id: folderName,
    createdAt: instant,
    label: z.string().min(1).max(LONGEST_LABEL).exactOptional(),
    suite: suiteSchema,
    targets: z.array(targetSchema),
    variants: z.array(variantSchema),
    against: againstSchema.nullable(),
    leftOut: z.array(leftOutSchema),
    prompts: z.array(promptSchema),
    plan: planSchema,
    work: z.array(plannedWorkSchema).exactOptional(),
    limits: limitsSchema,
    gate: z.array(gateRuleSchema),
    reports: z.array(z.enum(REPORT_FORMATS)),
    machine: machineSchema,
    calibration: calibrationSchema.nullable(),
    git: gitSchema.nullable(),
    shard: shardSchema.nullable(),
    merged: mergedSchema.nullable(),
  }),
);
