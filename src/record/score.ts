import { z } from 'zod';
import {
  amount,
  choice,
  count,
  errorCode,
  milliseconds,
  part,
  promptId,
  type Recorded,
  sha256,
  shape,
  variantName,
} from '../kit/declare.ts';
import { score, scorerSchema } from '../suite/scorer.ts';
import { CONTROLS, VOTE_CHOICES } from './codes.ts';

export const unscoredSchema = choice('UnscoredReason', 'Why an output has no value.', 'code', [
  part('A reason without further fields.', {
    code: z.enum([
      /** Deleted by `retake prune`. */
      'media_missing',
      'undecodable',
      /** The prompt lacks what the scorer needs. */
      'nothing_expected',
      /** The record lacks the input image of the prompt. */
      'input_missing',
      'died',
      'not_a_number',
      'out_of_range',
      /** The question. */
      'line_too_long',
      /** A judge answered twice in the wrong form. */
      'bad_reply',
      /** The judge's `limits`. */
      'limit_reached',
    ]),
  }),
  part('Of an older Retake: the program did not follow the protocol.', {
    code: z.enum([
      'no_first_line',
      'unknown_id',
      'answered_twice',
      'missing_value',
      'unknown_value',
      'not_utf8',
      'not_json',
      'not_an_answer',
    ]),
  }),
  part('The program does not start, does not follow the protocol, or ended three times in a row.', {
    code: z.literal('command_failed'),
    stderr: z
      .string()
      .max(2048)
      .exactOptional()
      .describe(
        'The end of its standard error and what it did wrong, without secrets; only the first of several lines has it: ' +
          'hostile text.',
      ),
  }),
  part('The answer took longer than its time limit.', {
    code: z.literal('timed_out'),
    limitMs: milliseconds.describe('The time limit.'),
  }),
  part('The program says so: `unscored`.', {
    code: z.literal('refused'),
    reason: z.string().max(64).describe('What it says: hostile text.'),
  }),
  part('The request to a judge failed.', {
    code: z.literal('call_failed'),
    outcome: z.string().describe('Its outcome, as that of a sample.'),
    error: errorCode,
  }),
]);
/** Why an output has no value. */
export type UnscoredReason = Recorded<typeof unscoredSchema>;

const scorer = z.string().describe('The name of the scorer.');

const by = sha256.describe('`by` of its `scorer` line.');

const key = sha256.describe('SHA-256 over what was scored and by what: what has the same key is scored once.');

const media = z
  .array(sha256)
  .min(1)
  .describe(
    'What was scored: the digest of its pixels, or of its bytes if it has no pixels. Of a judge the two that it ' +
      'saw, in their order; a worse copy has the digest of its output. Of `other_prompt` the copy is the output of ' +
      'another prompt; other scorers have it second.',
  );

/** Which of the two outputs of a judge is the worse copy. */
const copy = z.enum(['first', 'second']);
export type CopyPlace = z.output<typeof copy>;

export const scorerLineSchema = shape('ScorerLine', 'What gives values; the last one of a scorer counts.', {
  line: z.literal('scorer'),
  scorer,
  by: sha256.describe(
    'SHA-256 over `declared` (of a judge without its limits and its price), `files`, `version`, `weights` and `judge`.',
  ),
  declared: scorerSchema.describe('As declared by the suite, or as the file of values says.'),
  files: z
    .record(z.string(), sha256)
    .describe('SHA-256 of the files of its command line, of the file of values, or of the target of a judge.'),
  version: z.string().max(256).nullable().describe('As the program says when it starts; null if it says nothing.'),
  weights: z.string().max(256).nullable().describe('As the program says when it starts; null if it says nothing.'),
  judge: z
    .strictObject({
      target: z.string().describe('The id of its target.'),
      model: z.string().nullable().describe('The constant `model`; null without one.'),
      origin: z.string().describe('The origin of its server.'),
    })
    .exactOptional()
    .describe('What a judge is; absent for others.'),
});
export type ScorerLine = Recorded<typeof scorerLineSchema>;

const outputScoreSchema = choice('OutputScore', 'What a scorer says of an output.', 'line', [
  part('The values of an output.', {
    line: z.literal('value'),
    scorer,
    by,
    key,
    prompt: promptId,
    media,
    values: z.record(z.string(), score).describe('By name.'),
  }),
  part('An output without values.', {
    line: z.literal('unscored'),
    scorer,
    by,
    key,
    prompt: promptId,
    media,
    why: unscoredSchema.describe('Why.'),
    control: z.enum(CONTROLS).exactOptional().describe('Of a judge that was shown a worse copy: what was done to it.'),
    copy: copy.exactOptional().describe('Of a judge that was shown a worse copy: its place.'),
  }),
  part('Which of two outputs a judge prefers.', {
    line: z.literal('preference'),
    scorer,
    by,
    key,
    prompt: promptId,
    media,
    control: z.enum(CONTROLS).nullable().describe('What was done to a worse copy; null if none was shown.'),
    copy: copy.nullable().describe('The place of that copy; null if none was shown.'),
    chosen: z.enum(['first', 'second', 'neither']).describe('The better one.'),
  }),
  part('An output beside a copy that is known to be worse.', {
    line: z.literal('control'),
    scorer,
    by,
    key,
    prompt: promptId,
    media,
    control: z.enum(CONTROLS).describe('What was done to the copy; `other_prompt`: it is an output of another prompt.'),
    found: z
      .record(z.string(), z.boolean())
      .nullable()
      .describe('Of each value with a direction, whether the copy is worse; null if one of the two has no value.'),
  }),
]);
/** What a scorer says of an output, or of an output beside its control. */
export type OutputScore = Recorded<typeof outputScoreSchema>;

const askedSchema = shape(
  'AskedLine',
  'A request to a judge, written before it is sent. It counts in the limits, and is sent again without an answer.',
  {
    line: z.literal('asked'),
    scorer,
    by,
    key,
    mostUsd: amount.nullable().describe('The most that it can cost, in US dollars; null if unknown.'),
  },
);
export type AskedLine = Recorded<typeof askedSchema>;

const chargedSchema = shape(
  'ChargedLine',
  'What the reply to the last request with this key says that it cost, also a reply that is no answer.',
  { line: z.literal('charged'), scorer, by, key, usd: amount.describe('In US dollars.') },
);
/** A request to a judge, or what it cost. */
export type RequestLine = AskedLine | Recorded<typeof chargedSchema>;

export const scoreLineSchema = choice(
  'ScoreLine',
  'One line of scores.jsonl: a scorer, what it says of outputs, a request to it, or what that cost. The last line of a ' +
    '`by`, prompt, media and control counts; of requests every one.',
  'line',
  [scorerLineSchema, outputScoreSchema, askedSchema, chargedSchema],
);
/** A line of scores.jsonl. */
export type ScoreLine = Recorded<typeof scoreLineSchema>;

/** 128 random bits that reveal nothing. */
const randomId = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits');

const ballotSideSchema = shape('BallotSide', 'One side of a ballot.', {
  variant: variantName,
  sha256: sha256.describe('The output: the name of its file in media/.'),
});

export const voteLineSchema = choice(
  'VoteLine',
  'One line of votes.jsonl: a ballot, or a vote on it. Ballots are drawn once, before the first vote.',
  'line',
  [
    part('A pair of outputs of one prompt and seed that voters see without names.', {
      line: z.literal('ballot'),
      ballot: randomId.describe('Its id: 128 random bits.'),
      prompt: promptId,
      seed: count.nullable().describe('The seed; null if requests have none.'),
      block: z.string().describe('The block (prompt, seed and repeat) that both outputs belong to.'),
      left: ballotSideSchema.describe('What is shown on the left.'),
      right: ballotSideSchema.describe('What is shown on the right.'),
      mirrors: randomId
        .nullable()
        .describe('The ballot that this one shows again with its sides exchanged; null for the first of a pair.'),
      scored: z.boolean().describe('Whether the run had scores when it was drawn.'),
    }),
    part('A vote; the last of a voter on a ballot counts.', {
      line: z.literal('vote'),
      ballot: randomId.describe('The id of its ballot.'),
      choice: z.enum(VOTE_CHOICES).describe('Which side is better; `neither`: equally good; `skip`: no answer.'),
      voter: randomId.describe('128 random bits that the page of the voter made: nothing else is kept of a voter.'),
    }),
  ],
);
/** A line of votes.jsonl. */
export type VoteLine = Recorded<typeof voteLineSchema>;
export type Ballot = Extract<VoteLine, { readonly line: 'ballot' }>;
export type Vote = Extract<VoteLine, { readonly line: 'vote' }>;
