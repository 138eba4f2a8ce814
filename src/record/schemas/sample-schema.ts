import { z } from 'zod';
import { MOST_COST_USD } from '../../targets/model/target.ts';
import type { Marks } from '../../targets/transport/marks.ts';
import type { Connection, Output, Reported, Sample, SampleError } from '../model/sample.ts';
import { schemaOf } from './exact-schema.ts';
import { amount, count, instant, milliseconds, segment, sha256 } from './field-schemas.ts';
import { trialSchema } from './trial-schema.ts';

const mark = milliseconds.exactOptional();

const marksSchema = schemaOf<Marks>('Marks')(
  z.strictObject({
    scheduledMs: mark,
    startedMs: milliseconds,
    connectedMs: mark,
    sentMs: mark,
    headersMs: mark,
    acceptedMs: mark,
    refusedMs: mark,
    runningMs: mark,
    lastQueuedMs: mark,
    lastPendingMs: mark,
    readyMs: mark,
    firstByteMs: mark,
    doneMs: mark,
  }),
);

const reportedSchema = schemaOf<Reported>('Reported')(
  z.strictObject({
    requestId: z.string().nullable(),
    seedEcho: z.string().nullable(),
    serverMs: milliseconds.nullable(),
    costUsd: z.number().min(0).max(MOST_COST_USD).nullable(),
    cached: z.boolean().nullable(),
  }),
);

const connectionSchema = schemaOf<Connection>('Connection')(
  z.strictObject({
    dnsMs: milliseconds.nullable(),
    tcpMs: milliseconds.nullable(),
    tlsMs: milliseconds.nullable(),
  }),
);

const outputSchema = schemaOf<Output>('Output')(
  z.strictObject({
    sha256,
    bytes: count,
    mime: z.string().nullable(),
    declaredMime: z.string().nullable(),
    units: amount.exactOptional(),
  }),
);

const errorSchema = schemaOf<SampleError>('SampleError')(z.strictObject({ code: z.string(), message: z.string() }));

const everySample = {
  trial: trialSchema,
  slice: count,
  segment,
  scheduledAt: instant,
  endedMs: milliseconds,
  attempts: count,
  throttleWaitMs: milliseconds,
  polls: count,
  downloads: count,
  httpStatus: z.int().nullable(),
  reported: reportedSchema,
  connection: connectionSchema.nullable(),
  flags: z.array(z.string()),
};

const whatReturned = {
  marks: marksSchema.safeExtend({
    acceptedMs: milliseconds,
    readyMs: milliseconds,
    firstByteMs: milliseconds,
    doneMs: milliseconds,
  }),
  outputs: z.tuple([outputSchema], outputSchema),
};

export const sampleSchema = schemaOf<Sample>('Sample')(
  z.discriminatedUnion('outcome', [
    z.strictObject({ ...everySample, ...whatReturned, outcome: z.literal('ok'), error: z.null() }),
    z.strictObject({ ...everySample, ...whatReturned, outcome: z.literal('invalid_media'), error: errorSchema }),
    z.strictObject({
      ...everySample,
      outcome: z.enum([
        'moderated',
        'throttled',
        'no_credit',
        'rejected',
        'error',
        'timed_out',
        'unknown_charged',
        'cancelled',
        'defect',
      ]),
      marks: marksSchema,
      error: errorSchema,
    }),
    z.strictObject({
      ...everySample,
      outcome: z.literal('dropped'),
      marks: z.strictObject({ scheduledMs: milliseconds }),
      error: errorSchema,
    }),
  ]),
);
