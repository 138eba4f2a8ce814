import { z } from 'zod';
import { LAYERS } from '../media/compare/layer.ts';
import { LEVELS } from '../media/compare/level.ts';
import { calibrationSchema, unfitnessSchema } from '../record/schemas/calibration-schema.ts';
import { undecodableSchema } from '../record/schemas/decode-fault-schema.ts';
import { schemaOf } from '../record/schemas/exact-schema.ts';
import { differenceSchema } from '../record/schemas/fact-schema.ts';
import { count, instant, milliseconds, sha256 } from '../record/schemas/field-schemas.ts';
import { loopDelaySchema } from '../record/schemas/journal-schema.ts';
import {
  againstSchema,
  gitSchema,
  machineSchema,
  planSchema,
  promptSchema,
  spendSchema,
  variantSchema,
} from '../record/schemas/run-schema.ts';
import { abandonmentSchema, stopSchema } from '../record/schemas/stop-schema.ts';
import { KINDS } from '../suite/format/suite.ts';
import {
  ANALYSIS_FORMAT,
  type Analysis,
  type Cell,
  type FailureGroup,
  type FlaggedSummary,
  type MedianLatency,
  type OutputGroup,
  type RunSummary,
  type ShardSummary,
  type ShardsSummary,
  type Take,
  type VariantSummary,
} from './analysis.ts';
import { EFFECTIVE_OUTCOMES } from './effective-outcomes.ts';
import { measuredMetricSchema, measureSchema } from './measures/measure-schema.ts';
import { probeFindingsSchema } from './probes/probe-finding-schema.ts';
import { warningSchema } from './warning-codes/warning-schema.ts';

/** Of a sweep, how many were in flight; null outside one. */
const step = z.int().min(1).nullable();

const shardSummarySchema = schemaOf<ShardSummary>('ShardSummary')(
  z.strictObject({
    index: z.int().min(1),
    segments: z.array(z.int().min(1)),
    startedAt: instant,
    durationMs: milliseconds.nullable(),
    stop: stopSchema.nullable(),
    concurrency: z.int().min(1),
    warmupsLeftOut: count,
    machine: machineSchema,
    floorMs: milliseconds.nullable(),
    unfit: z.array(unfitnessSchema),
  }),
);

const shardsSchema = schemaOf<ShardsSummary>('ShardsSummary')(
  z.strictObject({
    of: z.int().min(1),
    missing: z.array(z.int().min(1)),
    merged: z.array(shardSummarySchema),
  }),
);

const runSummarySchema = schemaOf<RunSummary>('RunSummary')(
  z.strictObject({
    id: z.string(),
    label: z.string().nullable(),
    suite: z.string(),
    description: z.string().nullable(),
    startedAt: instant,
    durationMs: milliseconds.nullable(),
    complete: z.boolean(),
    missingProbes: count,
    stop: stopSchema.nullable(),
    shard: z.strictObject({ run: z.string(), index: z.int().min(1), of: z.int().min(1) }).nullable(),
    shards: shardsSchema.nullable(),
    plan: planSchema,
    against: againstSchema.nullable(),
    targets: z.array(z.strictObject({ id: z.string(), file: z.string(), digest: sha256 })),
    machine: machineSchema,
    calibration: calibrationSchema.nullable(),
    git: gitSchema.nullable(),
    requestsSent: count,
    spend: spendSchema.nullable(),
    loopDelay: loopDelaySchema.nullable(),
    orphans: count.nullable(),
  }),
);

const variantSummarySchema = schemaOf<VariantSummary>('VariantSummary')(
  variantSchema.safeExtend({
    outcomes: z.partialRecord(z.enum(EFFECTIVE_OUTCOMES), count),
    missing: count,
    spend: spendSchema.nullable(),
    abandoned: abandonmentSchema.nullable(),
  }),
);

const takeSchema = schemaOf<Take>('Take')(
  z.strictObject({
    trial: z.string(),
    repeat: z.int().min(1),
    step,
    outcome: z.enum(EFFECTIVE_OUTCOMES),
    sha256: sha256.nullable(),
    mime: z.string().nullable(),
    totalMs: milliseconds.nullable(),
  }),
);

const outputGroupSchema = schemaOf<OutputGroup>('OutputGroup')(
  z.strictObject({ sha256, takes: z.int().min(1), level: z.enum(LEVELS).nullable(), image: count }),
);

const cellSchema = schemaOf<Cell>('Cell')(
  z.strictObject({
    variant: z.string(),
    kind: z.enum(KINDS),
    prompt: z.string(),
    seed: count,
    takes: z.array(takeSchema),
    outputGroups: z.array(outputGroupSchema),
    byte: z.enum(['same', 'differs', 'too_few_takes']),
    level: z.enum(LEVELS).nullable(),
    layer: z.enum(LAYERS).nullable(),
    farthest: differenceSchema.nullable(),
  }),
);

const failureSchema = schemaOf<FailureGroup>('FailureGroup')(
  z.strictObject({
    variant: z.string(),
    outcome: z.enum(EFFECTIVE_OUTCOMES),
    code: z.string(),
    httpStatus: z.int().nullable(),
    count: z.int().min(1),
    message: z.string(),
    undecodable: undecodableSchema.nullable(),
    exampleTrial: z.string(),
  }),
);

const medianSchema = schemaOf<MedianLatency>('MedianLatency')(
  z.strictObject({
    valueMs: milliseconds.nullable(),
    lowMs: milliseconds.nullable(),
    highMs: milliseconds.nullable(),
    n: count,
  }),
);

const flaggedSchema = schemaOf<FlaggedSummary>('FlaggedSummary')(
  z.strictObject({
    variant: z.string(),
    step,
    flags: z.record(z.string(), count),
    samples: count,
    ofSamples: count,
    blocks: count,
    ofBlocks: count,
    withFlagged: medianSchema,
    withoutFlagged: medianSchema,
    agree: z.boolean().nullable(),
  }),
);

/** analysis.json but for its comparisons. */
export const analysisSchema = schemaOf<Analysis>('Analysis')(
  z.strictObject({
    format: z.literal(ANALYSIS_FORMAT),
    run: runSummarySchema,
    variants: z.array(variantSummarySchema),
    prompts: z.array(promptSchema),
    metrics: z.array(measuredMetricSchema),
    measures: z.array(measureSchema),
    cells: z.array(cellSchema),
    failures: z.array(failureSchema),
    flagged: z.array(flaggedSchema),
    probes: z.array(probeFindingsSchema),
    warnings: z.array(warningSchema),
  }),
);
