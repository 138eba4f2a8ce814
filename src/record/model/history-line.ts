import { z } from 'zod';
import {
  count,
  instant,
  milliseconds,
  number,
  promptId,
  type Recorded,
  sha256,
  shape,
  variantName,
} from '../../kit/declare.ts';
import { kind } from '../../plan/trial.ts';
import { runName } from './fields.ts';
import { GATE_VERDICTS } from './gate-verdicts.ts';
import { HISTORY_FORMAT, MOST_LN } from './run-name.ts';

const logarithm = z.number().min(-MOST_LN).max(MOST_LN);

const variantSchema = shape('HistoryVariant', 'A variant in a run.', {
  variant: variantName,
  kind,
  comparableDigest: sha256.describe(
    'Equal in runs that sent the variant the same requests, under the same load, to the same base URL, from the ' +
      'same vantage, through the same proxy. A run with `--until-decided` that ended early has one of its own for its number of parts.',
  ),
  cells: z
    .array(z.strictObject({ prompt: promptId, seed: count.nullable().describe('Null if none was sent.') }))
    .describe('Cells with a delivered take, in the order they were first sent.'),
  outputs: z
    .array(sha256.nullable())
    .exactOptional()
    .describe(
      'Of each of `cells` the SHA-256 of its usual output; null if seeds are not sent. Absent in a line of an older ' +
        'Retake.',
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
export type HistoryVariant = Recorded<typeof variantSchema>;

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
        p50Ms: milliseconds.nullable().describe('The median of its headline latency in the run; null without one.'),
        similar: count.describe('How many of its outputs stay visually similar to those of the baseline variant.'),
        compared: count.describe('How many of its outputs were compared; 0 for the baseline variant.'),
      }),
    )
    .min(1)
    .describe('The baseline variant first, then at most three others.'),
});
export type ShownFirst = Recorded<typeof shownSchema>;

export const historySchema = shape(
  'HistoryLine',
  'One line of history.jsonl: what later runs of the suite read of a run.',
  {
    format: z.literal(HISTORY_FORMAT).describe('The version of the file.'),
    run: runName.describe('The run.'),
    startedAt: instant.describe('When it began: UTC, ISO 8601.'),
    suiteDigest: sha256.describe('`suite.digest` of its run.json.'),
    complete: z.boolean().describe('As in its verdict.json.'),
    verdict: z.enum(GATE_VERDICTS).describe('As in its verdict.json.'),
    floorMs: milliseconds
      .exactOptional()
      .describe('The noise floor of the machine that measured, in milliseconds; absent if it was not calibrated.'),
    shown: shownSchema
      .exactOptional()
      .describe('What its report shows first: the most changed outputs. Absent if nothing was delivered.'),
    variants: z.array(variantSchema).describe('One for each variant that was measured.'),
  },
);
export type HistoryLine = Recorded<typeof historySchema>;

export type HistoryCell = HistoryVariant['cells'][number];
