import { z } from 'zod';
import { amount, choice, count, milliseconds, part, type Recorded, shape } from '../kit/declare.ts';
import { jsonObject } from '../kit/json-value.ts';
import { LARGEST_SCORE, MOST_METRICS, SCORE_UNITS } from './score-label.ts';

export const score = z.number().min(-LARGEST_SCORE).max(LARGEST_SCORE);

const givenValueSchema = shape('GivenValue', 'A value that a scorer gives to each output.', {
  value: z.string().describe('Its name.'),
  better: z.enum(['lower', 'higher']).nullable().describe('Which is better; null if neither is.'),
  range: z
    .tuple([score, score])
    .nullable()
    .describe('The lowest and the highest possible value; null if not declared.'),
  unit: z.enum(SCORE_UNITS).describe('`score`: a number. `1`: a share.'),
  meaning: z.string().nullable().describe('What it means, for readers of the report: hostile text.'),
  label: z.string().exactOptional().describe('What a table for a paper calls it: hostile text.'),
});
export type GivenValue = Recorded<typeof givenValueSchema>;

const name = z.string().describe('Its name.');

const gives = z.array(givenValueSchema).min(1).max(MOST_METRICS).describe('Its values, in declared order.');

export const scorerSchema = choice('Scorer', 'What gives values to outputs, as the suite declares it.', 'use', [
  part('A program of the user.', {
    use: z.literal('command'),
    name,
    gives,
    command: z.array(z.string()).min(1).describe('The program and its arguments, `${env.X}` not replaced.'),
    env: z.array(z.string()).describe('Names of the environment variables that it gets in addition to PATH.'),
    timeoutMs: milliseconds.describe('The time limit of one output.'),
    frames: z.int().min(1).describe('How many frames of a video it gets.'),
    original: z.boolean().describe('Whether it also gets the file as the service sent it.'),
  }),
  part('Values from a file of the user.', { use: z.literal('file'), name, gives }),
  part('A model that is shown two outputs of one prompt and seed, in both orders, and says which is better.', {
    use: z.literal('judge'),
    name,
    target: z.string().describe('Its target, as the suite names it.'),
    const: jsonObject.describe('What it sets for its target, `${env.X}` not replaced.'),
    baseUrl: z.string().nullable().describe('The server that it is sent to; null: that of its target.'),
    question: z.string().describe('What it is asked, `${env.X}` not replaced.'),
    priceUsd: amount.nullable().describe('What one request costs at most, in US dollars; null: what its target says.'),
    limits: z
      .strictObject({
        requests: count.nullable().describe('How many requests it may send; null without a limit.'),
        usd: amount.nullable().describe('How many US dollars it may cost; null without a limit.'),
      })
      .describe('What it may use of a run; the rest is not scored.'),
  }),
]);
export type DeclaredScorer = Recorded<typeof scorerSchema>;
export type JudgeScorer = Extract<DeclaredScorer, { readonly use: 'judge' }>;
export type CommandScorer = Extract<DeclaredScorer, { readonly use: 'command' }>;
/** A scorer that gives values to single outputs. */
export type ValueScorer = Extract<DeclaredScorer, { readonly gives: readonly GivenValue[] }>;
