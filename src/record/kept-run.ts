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
} from '../kit/declare.ts';
import { kind } from '../plan/trial.ts';
import { BASELINE_FORMAT, GATE_VERDICTS, HISTORY_FORMAT, MOST_LN, RUN_QUESTIONS } from './codes.ts';
import type { Fact } from './fact.ts';
import type {
  Attempt,
  Intent,
  LoadEnded,
  Look,
  Sample,
  SegmentEnded,
  SegmentStarted,
  VariantAbandoned,
} from './journal.ts';
import {
  machineSchema,
  type Run,
  runLabel,
  runName,
  promptSchema as runPromptSchema,
  runSuiteSchema,
  targetSchema as runTargetSchema,
  variantSchema as runVariantSchema,
} from './run.ts';
import type { ScoreLine, VoteLine } from './score.ts';

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
  models: z
    .array(z.string())
    .exactOptional()
    .describe('The models that the service says answered, sorted; absent if it says none.'),
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

const baselineVariantSchema = runVariantSchema
  .pick({ name: true, kind: true, target: true, baseline: true, constants: true, baseUrl: true })
  .meta({ id: 'BaselineVariant', description: 'A variant when the baseline was measured.' });

const promptSchema = runPromptSchema
  .pick({ id: true, text: true, media: true, inputs: true })
  .meta({ id: 'BaselinePrompt', description: 'What a prompt asked for when the baseline was measured.' });
export type BaselinePrompt = Recorded<typeof promptSchema>;

export const baselineSchema = shape('Baseline', 'baseline.json: what later runs of the suite are compared with.', {
  format: z.literal(BASELINE_FORMAT).describe('The version of the file.'),
  run: runName.describe('The run that it was kept from.'),
  label: runLabel.exactOptional().describe('The label of that run; absent without one.'),
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
  variants: z.array(baselineVariantSchema).describe('As in run.json, in short.'),
  prompts: z
    .array(promptSchema)
    .describe('As in run.json, in short: one that asks for something else now is not compared.'),
  measures: z
    .array(measureSchema)
    .describe('As in measures.csv, over all prompts: in the order of variants, then of metrics.'),
  cells: z
    .array(cellSchema)
    .describe('Prompts and seeds with at least one measured take; in the order of variants, prompts and seeds.'),
  historyFrom: z
    .strictObject({ run: runName.describe('The run.'), startedAt: instant.describe('When it began: UTC, ISO 8601.') })
    .exactOptional()
    .describe(
      'The first run that rules against earlier runs count, kept with --restart-history. Absent: they count all.',
    ),
});
export type Baseline = Recorded<typeof baselineSchema>;

const logarithm = z.number().min(-MOST_LN).max(MOST_LN);

const historyVariantSchema = shape('HistoryVariant', 'A variant in a run.', {
  variant: variantName,
  kind,
  comparableDigest: sha256.describe(
    'Equal in runs that sent the variant the same requests, under the same load, to the same base URL, from the ' +
      'same vantage, through the same proxy. A run with `--until-decided` that ended early has one of its own for its number of parts.',
  ),
  p50Ms: milliseconds.exactOptional().describe('p50 of its headline latency; absent without one, and of a sweep.'),
  cells: z
    .array(z.strictObject({ prompt: promptId, seed: count.nullable().describe('Null if none was sent.') }))
    .describe('Cells with a delivered take, in the order they were first sent.'),
  outputs: z
    .array(sha256.nullable())
    .exactOptional()
    .describe(
      'In a line of an older Retake: of each of `cells` the SHA-256 of its usual output; null if seeds are not sent.',
    ),
  lnValues: z
    .record(z.string(), z.array(logarithm.nullable()))
    .describe(
      'By metric, of each of `cells` the natural logarithm of the median over its takes; null without a value, or ' +
        'if most of its takes timed out. Only metrics that are compared by ratio; none in a sweep.',
    ),
  meanLn: z.record(z.string(), logarithm).describe('By metric, the mean of `lnValues`.'),
  rates: z
    .record(z.string(), number)
    .describe(
      'By metric, the share of takes: rates, and of `determinism.*` the takes that differ from the usual output of ' +
        'their cell.',
    ),
});
export type HistoryVariant = Recorded<typeof historyVariantSchema>;

const shownSchema = shape('ShownFirst', 'The outputs that the report of a run shows first.', {
  kind,
  prompt: promptId,
  seed: count.describe('The seed.'),
  outputs: z
    .array(
      z.strictObject({
        variant: variantName,
        baseline: z.boolean().describe('Whether it is the baseline variant.'),
        sha256: sha256.describe('The SHA-256 of its output.'),
        stored: sha256
          .exactOptional()
          .describe('That of the output that the stored baseline has in its place; absent if it did not change.'),
        similar: count.describe('How many of its outputs stay visually similar to those of the baseline variant.'),
        compared: count.describe('How many of its outputs were compared; 0 for the baseline variant.'),
      }),
    )
    .min(1)
    .describe('The variants that changed since the stored baseline first, then the baseline variant: at most four.'),
});
export type ShownFirst = Recorded<typeof shownSchema>;

const saidSchema = shape('SaidOfRun', 'What a list says of a run.', {
  question: z.enum(RUN_QUESTIONS).describe('As in its verdict.json.'),
  answer: z.string().describe('As in its verdict.json. Holds hostile text.'),
  doubts: z.array(z.string()).describe('Why what compares its variants is not fit for use, each reason once.'),
  latenciesUnfit: z.boolean().describe('Whether latencies of it are not fit for use.'),
  warnings: count.describe('How many warnings it has.'),
});

export const historySchema = shape(
  'HistoryLine',
  'One line of history.jsonl: what later runs of the suite read of a run.',
  {
    format: z.literal(HISTORY_FORMAT).describe('The version of the file.'),
    run: runName.describe('The run.'),
    label: runLabel.exactOptional().describe('What `--label` says of it; absent without one.'),
    startedAt: instant.describe('When it began: UTC, ISO 8601.'),
    suiteDigest: sha256.describe('`suite.digest` of its run.json.'),
    complete: z.boolean().describe('As in its verdict.json.'),
    verdict: z.enum(GATE_VERDICTS).describe('As in its verdict.json.'),
    notJudged: z
      .strictObject({
        rules: count.describe('Rules that decided nothing of some variant, which `on_inconclusive` let pass.'),
        of: count.describe('Rules that were not left out.'),
      })
      .exactOptional()
      .describe('Absent if every rule was decided, or in a line of an older Retake.'),
    ofClaims: z.literal(true).exactOptional().describe('Claims alone make its verdict; absent of any other run.'),
    said: saidSchema.exactOptional().describe('What a list says of the run. Absent in a line of an older Retake.'),
    floorMs: milliseconds
      .exactOptional()
      .describe('The noise floor of the machine that measured, in milliseconds; absent if it was not calibrated.'),
    shown: shownSchema
      .exactOptional()
      .describe('What its report shows first: the most changed outputs. Absent if nothing was delivered.'),
    variants: z.array(historyVariantSchema).describe('One for each variant that was measured.'),
  },
);
export type HistoryLine = Recorded<typeof historySchema>;

export type HistoryCell = HistoryVariant['cells'][number];

const LISTED = { run: true, label: true, startedAt: true, complete: true, verdict: true } as const;

/** The part of a line that a list of very many runs reads. */
export const listedLineSchema = historySchema
  .pick({ ...LISTED, notJudged: true, ofClaims: true, said: true, shown: true })
  .extend({
    variants: z.array(
      historyVariantSchema.pick({ variant: true, comparableDigest: true, p50Ms: true, meanLn: true }).strip(),
    ),
  })
  .strip();
export type ListedLine = Recorded<typeof listedLineSchema>;

/** A record read back whole. */
export interface StoredRun {
  readonly run: Run;
  /** `ended` is null if the process was killed. */
  readonly segments: readonly { readonly started: SegmentStarted; readonly ended: SegmentEnded | null }[];
  readonly intents: readonly Intent[];
  readonly attempts: readonly Attempt[];
  readonly abandoned: readonly VariantAbandoned[];
  /** Loads of a sweep that ended before all their trials were sent. */
  readonly endedLoads: readonly LoadEnded[];
  /** In order, each between two parts of the plan. */
  readonly looks: readonly Look[];
  /** In the order of their ends. */
  readonly samples: readonly Sample[];
  /** How many of `samples` were not journalled: the process ended before the request. */
  readonly unended: number;
  /** Samples of repeated trials, except the last: they cost, and are not analysed. */
  readonly replaced: readonly Sample[];
  readonly facts: readonly Fact[];
  /** In written order; empty if nothing was scored. */
  readonly scores: readonly ScoreLine[];
  /** In written order; empty if no ballot was drawn. */
  readonly votes: readonly VoteLine[];
  /** Unfinished last lines that were dropped. */
  readonly notices: readonly string[];
}
