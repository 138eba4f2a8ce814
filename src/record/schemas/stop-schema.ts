import { z } from 'zod';
import type { Abandonment } from '../model/abandonment.ts';
import type { Stop } from '../model/stop.ts';
import { schemaOf } from './exact-schema.ts';
import { amount, count, milliseconds } from './field-schemas.ts';

const unreachable = {
  origin: z.string(),
  variable: z.string().nullable(),
  failure: z.string(),
  waitedMs: milliseconds,
};

export const stopSchema = schemaOf<Stop>('Stop')(
  z.discriminatedUnion('reason', [
    z.strictObject({ reason: z.literal('finished') }),
    z.strictObject({ reason: z.literal('interrupted') }),
    z.strictObject({ reason: z.literal('failures'), failed: count, samples: count, limit: z.number().min(0).max(1) }),
    z.strictObject({ reason: z.literal('requests'), limit: count }),
    z.strictObject({ reason: z.literal('usd'), limitUsd: amount }),
    z.strictObject({ reason: z.literal('no_credit'), variant: z.string(), message: z.string() }),
    z.strictObject({ reason: z.literal('throttled'), variant: z.string() }),
    z.strictObject({ reason: z.literal('unreachable'), ...unreachable }),
    z.strictObject({ reason: z.literal('disk'), path: z.string().nullable(), code: z.string() }),
    z.strictObject({ reason: z.literal('descriptors') }),
    z.strictObject({
      reason: z.literal('service'),
      exitCode: z.int().nullable(),
      signal: z.string().nullable(),
    }),
    z.strictObject({ reason: z.literal('defect'), message: z.string() }),
  ]),
);

export const abandonmentSchema = schemaOf<Abandonment>('Abandonment')(
  z.discriminatedUnion('code', [
    z.strictObject({
      code: z.literal('refused_warmup'),
      httpStatus: z.int(),
      errorCode: z.string(),
      message: z.string(),
    }),
    z.strictObject({
      code: z.literal('rejected'),
      takes: count,
      httpStatus: z.int().nullable(),
      errorCode: z.string(),
      message: z.string(),
    }),
    z.strictObject({ code: z.literal('unreachable'), ...unreachable }),
  ]),
);
