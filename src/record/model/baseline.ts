import { z } from 'zod';
import {
  count,
  instant,
  metricName,
  milliseconds,
  number,
  promptId,
  type Recorded,
  sha256,
  shape,
  statisticName,
  variantName,
} from '../../kit/declare.ts';
import { kind } from '../../plan/trial.ts';
import { runName } from './fields.ts';
import {
  machineSchema,
  promptSchema as runPromptSchema,
  runSuiteSchema,
  targetSchema as runTargetSchema,
  variantSchema as runVariantSchema,
} from './run.ts';
import { BASELINE_FORMAT } from './run-name.ts';

const outputSchema = shape('BaselineOutput', 'An output of a cell, by its digests.', {
  sha256: sha256.describe('SHA-256 of its bytes.'),
  pixelSha256: sha256.nullable().describe('SHA-256 of its pixels; null if it was not decoded.'),
  pdq: sha256.nullable().describe('Perceptual hash; null if it was not decoded.'),
  pdqQuality: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .describe('Quality of that hash, 0 to 100; null if it was not decoded.'),
  takes: count.describe('Takes that gave it.'),
});
export type BaselineOutput = Recorded<typeof outputSchema>;

const cellSchema = shape('BaselineCell', 'One prompt and seed of a variant.', {
  variant: variantName,
  kind,
  prompt: promptId,
  seed: count.describe('The seed.'),
  takes: count.describe('Measured takes, failed ones included.'),
  censored: count.describe('Takes that timed out.'),
  values: z
    .record(z.string(), number)
    .describe('The median over the takes, by metric; without a metric if most takes timed out.'),
  outputs: z.array(outputSchema).describe('The distinct outputs, most frequent first.'),
});
export type BaselineCell = Recorded<typeof cellSchema>;

const measureSchema = shape('BaselineMeasure', 'A number of the run, as measures.csv has it.', {
  variant: variantName,
  step: number.nullable().describe('The concurrency of a step of a sweep; else null.'),
  metric: metricName,
  statistic: statisticName,
  value: number.nullable().describe('Null if there is none.'),
  unit: z.string().describe('As in measures.csv.'),
  n: count.describe('How many the value is based on.'),
  ciLow: number.nullable().describe('The lower end of the interval; null without one.'),
  ciHigh: number.nullable().describe('The upper end.'),
});
export type BaselineMeasure = Recorded<typeof measureSchema>;

const targetSchema = runTargetSchema
  .pick({ id: true, digest: true, declared: true, storedBody: true, environment: true })
  .meta({
    id: 'BaselineTarget',
    description: 'A target as it was declared, with what is needed to send its requests again.',
  });

const variantSchema = runVariantSchema
  .pick({ name: true, kind: true, target: true, baseline: true, constants: true, baseUrl: true })
  .meta({ id: 'BaselineVariant', description: 'A variant when the baseline was measured.' });

const promptSchema = runPromptSchema
  .pick({ id: true, text: true, image: true, inputs: true })
  .meta({ id: 'BaselinePrompt', description: 'What a prompt asked for when the baseline was measured.' });
export type BaselinePrompt = Recorded<typeof promptSchema>;

export const baselineSchema = shape('Baseline', 'baseline.json: what later runs of the suite are compared with.', {
  format: z.literal(BASELINE_FORMAT).describe('The version of the file.'),
  run: runName.describe('The run that it was kept from.'),
  createdAt: instant.describe('When that run began: UTC, ISO 8601.'),
  retake: z.string().describe('The version of Retake that measured it.'),
  suite: runSuiteSchema
    .pick({ name: true, digest: true, declared: true, environment: true })
    .describe('As in run.json.'),
  targets: z.array(targetSchema).describe('As in run.json.'),
  machine: machineSchema,
  floorMs: milliseconds
    .nullable()
    .describe('The noise floor of that machine, in milliseconds; null if it was not calibrated.'),
  variants: z.array(variantSchema).describe('As in run.json, in short.'),
  prompts: z
    .array(promptSchema)
    .describe('As in run.json, in short: one that asks for something else now is not compared.'),
  measures: z
    .array(measureSchema)
    .describe('As in measures.csv, over all prompts: in the order of variants, then of metrics.'),
  cells: z
    .array(cellSchema)
    .describe('Prompts and seeds with at least one measured take; in the order of variants, prompts and seeds.'),
});
export type Baseline = Recorded<typeof baselineSchema>;
