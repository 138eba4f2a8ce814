import { z } from 'zod';
import {
  amount,
  choice,
  count,
  errorCode,
  message,
  milliseconds,
  part,
  type Recorded,
  variantName,
} from '../../kit/declare.ts';

const unreachable = {
  origin: z.string().describe('Scheme, host and port; of the proxy that failed.'),
  variable: z.string().nullable().describe('The environment variable that names it; null if it was written out.'),
  failure: z.string().describe('`dns_failed`, `connect_refused`, `proxy_auth`, or another of a connection or proxy.'),
  waitedMs: milliseconds.describe('How long it was waited for; 0 if nothing had ever been reached there.'),
};

export const stopSchema = choice(
  'Stop',
  'Why measuring ended. Everything but `finished` leaves the run incomplete.',
  'reason',
  [
    part('The whole plan was sent, except variants that were left out and parts that a decided gate did not need.', {
      reason: z.literal('finished'),
    }),
    part('The user stopped it.', { reason: z.literal('interrupted') }),
    part('Failures were significantly above `limits.failures`.', {
      reason: z.literal('failures'),
      failed: count.describe('Failed samples.'),
      samples: count.describe('Samples so far.'),
      limit: z.number().min(0).max(1).describe('The limit.'),
    }),
    part('`limits.requests` was reached.', { reason: z.literal('requests'), limit: count.describe('The limit.') }),
    part('`limits.usd` was reached.', {
      reason: z.literal('usd'),
      limitUsd: amount.describe('The limit, in US dollars.'),
    }),
    part('The account is empty.', { reason: z.literal('no_credit'), variant: variantName, message }),
    part('A request was rate-limited, and `on_throttle` is `stop`.', {
      reason: z.literal('throttled'),
      variant: variantName,
    }),
    part('No connection to a server could be opened.', { reason: z.literal('unreachable'), ...unreachable }),
    part('The record could not be written.', {
      reason: z.literal('disk'),
      path: z.string().nullable().describe('The file; null if the system names none.'),
      code: z.string().describe('Of the system, such as `ENOSPC`.'),
    }),
    part('The process had no file descriptor left.', { reason: z.literal('descriptors') }),
    part('The reference service that was started for the run ended.', {
      reason: z.literal('service'),
      exitCode: z.int().nullable().describe('Its exit code; null if a signal ended it.'),
      signal: z.string().nullable().describe('The signal; null without one.'),
    }),
    part('The coordinator of the fleet ended it, or did not answer.', {
      reason: z.literal('fleet'),
      code: z
        .enum(['told', 'unanswered'])
        .describe('`told`: the coordinator said so. `unanswered`: it did not answer for 20 s.'),
    }),
    part('Internal error in Retake.', { reason: z.literal('defect'), message }),
  ],
);
export type Stop = Recorded<typeof stopSchema>;

export const abandonmentSchema = choice(
  'Abandonment',
  'Why a variant was abandoned: its further trials were not sent.',
  'code',
  [
    part('A warm-up was rejected with 401 or 403.', {
      code: z.literal('refused_warmup'),
      httpStatus: z.int().describe('HTTP status of the reply.'),
      errorCode,
      message,
    }),
    part('Its first takes, of two prompts or more, were all rejected with one code.', {
      code: z.literal('rejected'),
      takes: count.describe('How many takes were rejected.'),
      httpStatus: z.int().nullable().describe('HTTP status of the reply.'),
      errorCode,
      message,
    }),
    part('No connection to a server could be opened.', { code: z.literal('unreachable'), ...unreachable }),
  ],
);
export type Abandonment = Recorded<typeof abandonmentSchema>;

export type FleetStop = Omit<Extract<Stop, { reason: 'fleet' }>, 'reason'>;
export type FailuresExceeded = Omit<Extract<Stop, { reason: 'failures' }>, 'reason'>;
export type Unreachable = Omit<Extract<Stop, { reason: 'unreachable' }>, 'reason'>;
export type DiskFault = Omit<Extract<Stop, { reason: 'disk' }>, 'reason'>;
