import { z } from 'zod';
import {
  count,
  errorCode,
  httpStatus,
  instant,
  metricName,
  milliseconds,
  promptId,
  type Recorded,
  sha256,
  shape,
  statisticName,
  step,
  trialId,
  variantName,
} from '../kit/declare.ts';
import { differenceSchema } from '../media/difference.ts';
import { LAYERS, LEVELS } from '../media/level.ts';
import { kind } from '../plan/trial.ts';
import { unfitnessSchema } from '../record/calibration.ts';
import { undecodableSchema } from '../record/fact.ts';
import { abandonmentSchema, loopDelaySchema, stopSchema } from '../record/journal.ts';
import { machineSchema, runSchema, spendSchema, togetherSchema, variantSchema } from '../record/run.ts';
import { EFFECTIVE_OUTCOMES } from './effective-sample.ts';
import { betterSchema, methodSchema, noteSchema, unitSchema } from './unit.ts';

const shardSummarySchema = shape('ShardSummary', 'A shard of a merged run.', {
  index: z.int().min(1).describe('From 1.'),
  segments: z.array(z.int().min(1)).describe('Its processes, as samples name them.'),
  startedAt: instant.describe('UTC, ISO 8601.'),
  durationMs: milliseconds.nullable().describe('Null before anything was measured.'),
  stop: stopSchema.nullable().describe('Why measuring ended; null if its process was killed.'),
  concurrency: z.int().min(1).describe('Its part of the concurrency.'),
  warmupsLeftOut: count.describe('Its warm-up requests that the merged run leaves out.'),
  machine: machineSchema,
  floorMs: milliseconds.nullable().describe('The noise floor of its machine; null if it was not calibrated.'),
  unfit: z.array(unfitnessSchema).describe('What calibration found against its machine.'),
});

const shardsSchema = shape('ShardsSummary', 'The shards of a merged run.', {
  of: z.int().min(1).describe('How many shards the run has.'),
  missing: z.array(z.int().min(1)).describe('The numbers of those that were not merged.'),
  merged: z.array(shardSummarySchema).describe('Those that were merged.'),
  together: togetherSchema.exactOptional().describe('Of a fleet; absent where shards were merged by hand.'),
});
export type ShardsSummary = Recorded<typeof shardsSchema>;

const { id, vantage, shard, plan, hold, against, targets, machine, calibration, git } = runSchema.shape;

export const runSummarySchema = shape('RunSummary', 'A run: what it was, and how it ended.', {
  id,
  label: z.string().nullable().describe('What the user called it; null without a label.'),
  vantage,
  suite: z.string().describe('The name of the suite.'),
  description: z.string().nullable().describe('Null without one.'),
  startedAt: instant.describe('UTC, ISO 8601.'),
  durationMs: milliseconds
    .nullable()
    .describe(
      'From the first start to the last end of each segment, summed; null before anything was measured. Of a ' +
        'merged run that of the shard that took longest.',
    ),
  complete: z
    .boolean()
    .describe('Whether every planned trial, probes included, has its sample and none was cancelled.'),
  missingProbes: count.describe('Planned trials of probes that have no sample or were cancelled.'),
  stop: stopSchema
    .nullable()
    .describe(
      'Why measuring ended; null if the process was killed. Of a merged run that of the first shard that did not ' +
        'finish.',
    ),
  shard: shard
    .unwrap()
    .pick({ run: true, index: true, of: true })
    .nullable()
    .describe('Which part of a run this is; null for a whole run.'),
  shards: shardsSchema.nullable().describe('The shards of a merged run; null for any other.'),
  plan,
  hold,
  against,
  targets: z.array(targets.element.pick({ id: true, file: true, digest: true })).describe('The target files.'),
  machine,
  calibration,
  git,
  requestsSent: count.describe(
    'Attempts and warm-ups included; of a merged run without the warm-ups that it leaves out.',
  ),
  spend: spendSchema.nullable().describe('What the variants may have been charged, in all; null if no price is known.'),
  loopDelay: loopDelaySchema.nullable().describe('Of all segments the worst; null if it was not watched.'),
  orphans: count
    .nullable()
    .describe('Abandoned requests that may still have run at the service; null if they were not counted.'),
});
export type RunSummary = Recorded<typeof runSummarySchema>;

export const variantSummarySchema = variantSchema
  .safeExtend({
    outcomes: z
      .partialRecord(z.enum(EFFECTIVE_OUTCOMES), count)
      .describe('How many trials had each outcome, after examination.'),
    missing: count.describe('Planned trials that have no sample.'),
    spend: spendSchema
      .nullable()
      .describe(
        'What all its requests may have been charged, warm-ups and probes included; null if no price of the run is ' +
          'known.',
      ),
    abandoned: abandonmentSchema.nullable().describe('Why it was abandoned; null if it was not.'),
  })
  .meta({ id: 'VariantSummary', description: 'A variant, and what became of its planned trials (warm-ups left out).' });
/** A variant, and what became of its planned trials. */
export type VariantSummary = Recorded<typeof variantSummarySchema>;

const takeSchema = shape('Take', 'One of the repeats of a variant, prompt and seed.', {
  trial: trialId,
  repeat: z.int().min(1).describe('From 1.'),
  step,
  outcome: z.enum(EFFECTIVE_OUTCOMES).describe('After examination.'),
  sha256: sha256.nullable().describe('Of its output; null without one.'),
  mime: z.string().nullable().describe('Media type by its bytes; null if unknown.'),
  totalMs: milliseconds.nullable().describe('latency.total; null without one.'),
});
export type Take = Recorded<typeof takeSchema>;

const outputGroupSchema = shape('OutputGroup', 'An output of a cell, by its bytes.', {
  sha256: sha256.describe('SHA-256 of its bytes.'),
  takes: z.int().min(1).describe('Takes that gave it.'),
  level: z.enum(LEVELS).nullable().describe('Compared with the most frequent one; null if they were not compared.'),
  image: count.describe('The index of the first output group with the same pixels: its own, or an earlier one.'),
});
export type OutputGroup = Recorded<typeof outputGroupSchema>;

export const cellSchema = shape('Cell', 'Variant x prompt x seed: all its takes.', {
  variant: variantName,
  kind,
  prompt: promptId,
  seed: count.describe('The seed.'),
  takes: z.array(takeSchema).describe('In the order they were sent.'),
  outputGroups: z
    .array(outputGroupSchema)
    .describe('Distinct outputs of the takes that delivered, most frequent first.'),
  byte: z
    .enum(['same', 'differs', 'too_few_takes'])
    .describe('`same`: all takes have equal bytes. `too_few_takes`: fewer than two delivered. `differs`: else.'),
  level: z
    .enum(LEVELS)
    .nullable()
    .describe(
      'The lowest level among all pairs of takes; null for fewer than two takes, or if a pair was not compared.',
    ),
  layer: z.enum(LAYERS).nullable().describe('The outermost layer in which any two takes differ; null as above.'),
  farthest: differenceSchema
    .nullable()
    .describe(
      'Of the most frequent image and the one that differs most from it; null if all are one image, or not compared.',
    ),
});
/** Variant x prompt x seed: all its takes, and how equal their outputs are. */
export type Cell = Recorded<typeof cellSchema>;

export const failureSchema = shape(
  'FailureGroup',
  'Samples that failed in one way. Code and message are hostile text.',
  {
    variant: variantName,
    outcome: z.enum(EFFECTIVE_OUTCOMES).describe('After examination.'),
    code: errorCode,
    httpStatus,
    count: z.int().min(1).describe('How many samples.'),
    message: z.string().describe('The first message; may be empty.'),
    undecodable: undecodableSchema
      .nullable()
      .describe('Why the first of its outputs does not decode, of the code `undecodable`; else null.'),
    exampleTrial: z.string().describe('The trial of that message.'),
  },
);
/** Samples of a variant that failed in one way. */
export type FailureGroup = Recorded<typeof failureSchema>;

const medianSchema = shape(
  'MedianLatency',
  'A median with its 95 % interval. Null values are among time-outs, or need more samples.',
  {
    valueMs: milliseconds.nullable().describe('The median.'),
    lowMs: milliseconds.nullable().describe('The lower end.'),
    highMs: milliseconds.nullable().describe('The upper end.'),
    n: count.describe('Samples.'),
  },
);
export type MedianLatency = Recorded<typeof medianSchema>;

export const flaggedSchema = shape(
  'FlaggedSummary',
  'Flagged samples of a variant, and what they do to its median latency. They count in every other number.',
  {
    variant: variantName,
    step,
    flags: z.record(z.string(), count).describe('Samples with each flag; one may have several.'),
    samples: count.describe('Flagged samples.'),
    ofSamples: count.describe('All samples.'),
    blocks: count.describe('Blocks with a flagged sample.'),
    ofBlocks: count.describe('All blocks.'),
    withFlagged: medianSchema.describe('The median with them.'),
    withoutFlagged: medianSchema.describe('The median without them.'),
    agree: z.boolean().nullable().describe('Whether the two intervals overlap; null if one has no interval.'),
  },
);
export type FlaggedSummary = Recorded<typeof flaggedSchema>;

export const measuredMetricSchema = shape('MeasuredMetric', 'A metric that was measured.', {
  name: z.string().describe('Its name.'),
  meaning: z.string().describe('What it means.'),
  label: z.string().exactOptional().describe('What a table for a paper calls it; absent: its name.'),
  unit: unitSchema.describe('The unit of most of its statistics; a measure has its own.'),
  better: betterSchema.describe('Which is better; null if neither is.'),
});
export type MeasuredMetric = Recorded<typeof measuredMetricSchema>;

export const measureSchema = shape('Measure', 'One number with its unit, how many it is based on, and its interval.', {
  variant: variantName,
  kind,
  prompt: z.string().nullable().describe('Null: over all prompts.'),
  step,
  metric: metricName,
  statistic: statisticName,
  value: z.number().nullable().describe('Null if there is none: then `notes` says why.'),
  unit: unitSchema,
  better: betterSchema.describe('Which is better; null if neither is.'),
  n: z.number().min(0).describe('How many the value is based on.'),
  ciLow: z.number().nullable().describe('The lower end of the interval; null without one.'),
  ciHigh: z.number().nullable().describe('The upper end; null without one.'),
  ciLevel: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('0.95; null without an interval. A one-sided bound has 0 as its other end.'),
  method: methodSchema.describe('How value and interval were made.'),
  notes: z.array(noteSchema).describe('What must be known to read it; empty if nothing.'),
});
/** One number with its unit, how many it is based on, and its interval. */
export type Measure = Recorded<typeof measureSchema>;
