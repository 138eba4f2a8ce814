import { z } from 'zod';
import { amount, choice, count, milliseconds, part, type Recorded, sha256, shape } from '../kit/declare.ts';
import { isHandedOver } from '../record/hand-over.ts';
import { runName, shardDifferenceSchema, shardIdentitySchema, shardNumber, vantageName } from '../record/run.ts';
import { isName } from './keys.ts';

/*
 * What workers and the coordinator say to each other, as JSON. Each message is a request that is answered. None holds a
 * request, URL, header, key or prompt; only pieces of files, which are raw bytes, hold what a record holds. Each text
 * has the shape of what it becomes, a name, a path or a word of a line: the other side may be hostile.
 */

const workerName = z.string().refine(isName).describe('The name of the worker.');
const session = z
  .string()
  .regex(/^\w[\w.-]{0,63}$/)
  .describe('Tells one process from others of the same name.');
const slice = count.describe('The number of a slice of the plan.');

const stopReason = z
  .string()
  .regex(/^[a-z_]{1,40}$/)
  .describe('The reason of the stop, as in the journal.');

const fileName = z.string().max(300).refine(isHandedOver).describe('The file, relative to the record.');

export const helloSchema = shape('Hello', 'A worker asks to join, until it is answered.', {
  name: workerName,
  session,
  vantage: vantageName.nullable().describe('Where its calls are sent from; null if it does not say.'),
  identity: shardIdentitySchema.describe('What must be equal in all shards of a run.'),
  floorMs: milliseconds.nullable().describe('The noise floor of its machine; null if it was not calibrated.'),
  roundTripMs: milliseconds.describe('From it to the NATS server and back.'),
});
export type Hello = Recorded<typeof helloSchema>;

export const helloReplySchema = choice('HelloReply', 'What the coordinator says to it.', 'answer', [
  part('It waits for a share.', { answer: z.literal('welcome'), fleet: session.describe('Of the coordinator.') }),
  part('It cannot be part of this run.', {
    answer: z.literal('refused'),
    code: z.enum(['differs', 'taken_name', 'full']).describe('`full`: all workers have joined.'),
    difference: shardDifferenceSchema.nullable().describe('How it differs from the coordinator; else null.'),
  }),
]);
export type HelloReply = Recorded<typeof helloReplySchema>;
export type RefusedHello = Extract<HelloReply, { readonly answer: 'refused' }>;

export const askSchema = choice('Ask', 'What the coordinator asks of a worker that joined.', 'ask', [
  part('Whether it can measure this share.', {
    ask: z.literal('offer'),
    fleet: session,
    run: runName.describe('The name of the run.'),
    index: shardNumber.describe('The number of the share, from 1.'),
    of: shardNumber.describe('How many shares there are.'),
  }).refine(({ index, of }) => index <= of),
  part('To open its record, and wait before its first slice.', { ask: z.literal('start'), fleet: session }),
  part('To send a slice.', { ask: z.literal('go'), fleet: session, slice }),
  part('To send no more requests.', {
    ask: z.literal('stop'),
    fleet: session,
    how: z.enum(['drain', 'abort']).describe('Whether requests in flight may end.'),
  }),
  part('To examine and report its shard: all have measured.', { ask: z.literal('examine'), fleet: session }),
  part('For a part of the list of its files.', {
    ask: z.literal('list'),
    fleet: session,
    from: count.describe('The number of the first file.'),
    leaveMedia: z.boolean().describe('Without media.'),
  }),
  part('For a piece of a file; the reply is its bytes.', {
    ask: z.literal('read'),
    fleet: session,
    name: fileName,
    from: count.describe('The offset.'),
  }),
  part('To end: nothing more is asked.', { ask: z.literal('leave'), fleet: session }),
]);
export type FleetAsk = Recorded<typeof askSchema>;
export type FleetShare = Pick<Extract<FleetAsk, { readonly ask: 'offer' }>, 'run' | 'index' | 'of'>;

export const answerSchema = choice('Answer', 'What a worker answers.', 'answer', [
  part('It did, or does, what was asked.', { answer: z.literal('done') }),
  part('It cannot.', {
    answer: z.literal('refused'),
    code: z
      .enum(['taken_folder', 'other_fleet', 'not_ready', 'share'])
      .describe('`other_fleet`: another coordinator was first. `share`: the plan cannot be split so.'),
  }),
  part('A part of the list of its files.', {
    answer: z.literal('files'),
    all: count.describe('How many files there are.'),
    files: z
      .array(z.strictObject({ name: fileName, bytes: count, sha256 }))
      .max(500)
      .describe('Its files, from the number asked for.'),
  }),
]);
export type FleetAnswer = Recorded<typeof answerSchema>;

const workerStateSchema = choice('WorkerState', 'How far a worker is.', 'at', [
  part('It has no share yet.', { at: z.literal('waiting') }),
  part('It waits before a slice.', { at: z.literal('ready'), slice }),
  part('It sends a slice.', { at: z.literal('measuring'), slice }),
  part('It has measured, and waits for the others.', { at: z.literal('measured'), stop: stopReason }),
  part('It examines and reports.', { at: z.literal('examining'), stop: stopReason }),
  part('It was interrupted, and hands nothing over.', { at: z.literal('left') }),
  part('Its record can be handed over.', { at: z.literal('ended'), stop: stopReason, exitCode: z.int().min(0).max(9) }),
]);
export type WorkerState = Recorded<typeof workerStateSchema>;

export const beatSchema = shape('Beat', 'A worker says how far it is: on each change, and in between.', {
  session,
  fleet: session.describe('Of the coordinator that it belongs to: another may have welcomed it too.'),
  number: count.describe('Ascending: a late beat changes nothing.'),
  state: workerStateSchema,
  sent: count.describe('Requests that were sent.'),
  failed: count.describe('Results that are failures.'),
  mostUsd: amount.describe('What these cost at most, in US dollars, where it is known.'),
});
export type Beat = Recorded<typeof beatSchema>;

export const beatReplySchema = shape('BeatReply', 'The coordinator is there.', {
  fleet: session.describe('Of the coordinator.'),
  stop: z.enum(['drain', 'abort']).nullable().describe('Whether and how to stop; null: go on.'),
});
export type BeatReply = Recorded<typeof beatReplySchema>;
