import { z } from 'zod';
import { amount, count, errorCode, message, milliseconds, variantName } from '../../shape/fields.ts';
import type { Recorded } from '../../shape/recorded.ts';

const unreachable = {
  origin: z.string().describe('Scheme, host and port.'),
  variable: z.string().nullable().describe('The environment variable of its base URL; null if it was written out.'),
  failure: z.string().describe('`connect_refused`, `connect_timeout`, `connect_failed` or `dns_failed`.'),
  waitedMs: milliseconds.describe('How long it was waited for; 0 if nothing had ever been reached there.'),
};

export const stopSchema = z
  .discriminatedUnion('reason', [
    z
      .strictObject({ reason: z.literal('finished') })
      .describe(
        'The whole plan was sent, except variants that were left out and parts that a decided gate ' + 'did not need.',
      ),
    z.strictObject({ reason: z.literal('interrupted') }).describe('The user stopped it.'),
    z
      .strictObject({
        reason: z.literal('failures'),
        failed: count.describe('Failed samples.'),
        samples: count.describe('Samples so far.'),
        limit: z.number().min(0).max(1).describe('The limit.'),
      })
      .describe('Failures were significantly above `limits.failures`.'),
    z
      .strictObject({ reason: z.literal('requests'), limit: count.describe('The limit.') })
      .describe('`limits.requests` was reached.'),
    z
      .strictObject({ reason: z.literal('usd'), limitUsd: amount.describe('The limit, in US dollars.') })
      .describe('`limits.usd` was reached.'),
    z.strictObject({ reason: z.literal('no_credit'), variant: variantName, message }).describe('The account is empty.'),
    z
      .strictObject({ reason: z.literal('throttled'), variant: variantName })
      .describe('A request was rate-limited, and `on_throttle` is `stop`.'),
    z
      .strictObject({ reason: z.literal('unreachable'), ...unreachable })
      .describe('No connection to a server could be opened.'),
    z
      .strictObject({
        reason: z.literal('disk'),
        path: z.string().nullable().describe('The file; null if the system names none.'),
        code: z.string().describe('Of the system, such as `ENOSPC`.'),
      })
      .describe('The record could not be written.'),
    z.strictObject({ reason: z.literal('descriptors') }).describe('The process had no file descriptor left.'),
    z
      .strictObject({
        reason: z.literal('service'),
        exitCode: z.int().nullable().describe('Its exit code; null if a signal ended it.'),
        signal: z.string().nullable().describe('The signal; null without one.'),
      })
      .describe('The reference service that was started for the run ended.'),
    z.strictObject({ reason: z.literal('defect'), message }).describe('Internal error in Retake.'),
  ])
  .meta({ id: 'Stop', description: 'Why measuring ended. Everything but `finished` leaves the run incomplete.' });
export type Stop = Recorded<typeof stopSchema>;

export const abandonmentSchema = z
  .discriminatedUnion('code', [
    z
      .strictObject({
        code: z.literal('refused_warmup'),
        httpStatus: z.int().describe('HTTP status of the reply.'),
        errorCode,
        message,
      })
      .describe('A warm-up was rejected with 401 or 403.'),
    z
      .strictObject({
        code: z.literal('rejected'),
        takes: count.describe('How many takes were rejected.'),
        httpStatus: z.int().nullable().describe('HTTP status of the reply.'),
        errorCode,
        message,
      })
      .describe('Its first takes, of two prompts or more, were all rejected with one code.'),
    z
      .strictObject({ code: z.literal('unreachable'), ...unreachable })
      .describe('No connection to a server could be opened.'),
  ])
  .meta({ id: 'Abandonment', description: 'Why a variant was abandoned: its further trials were not sent.' });
export type Abandonment = Recorded<typeof abandonmentSchema>;

export type FailuresExceeded = Omit<Extract<Stop, { reason: 'failures' }>, 'reason'>;
export type Unreachable = Omit<Extract<Stop, { reason: 'unreachable' }>, 'reason'>;
export type DiskFault = Omit<Extract<Stop, { reason: 'disk' }>, 'reason'>;
