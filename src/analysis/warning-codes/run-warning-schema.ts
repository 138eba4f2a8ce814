import { z } from 'zod';
import { count } from '../../record/schemas/field-schemas.ts';
import { leftOutReasonSchema } from '../../record/schemas/run-schema.ts';
import { abandonmentSchema, stopSchema } from '../../record/schemas/stop-schema.ts';

const variants = z.array(z.string());
const shardNumber = z.int().min(1);
const everyWarning = { unfit: z.literal(true).exactOptional() };

/** The warnings of a run as a whole, by code; bound to their types with all others in warning-schema.ts. */
export const runWarnings = [
  z.strictObject({
    ...everyWarning,
    code: z.literal('incomplete'),
    stop: stopSchema.nullable(),
    abandoned: z.array(z.strictObject({ variant: z.string(), why: abandonmentSchema })),
    shards: z
      .strictObject({
        of: shardNumber,
        missing: z.array(shardNumber),
        stopped: z.array(z.strictObject({ index: shardNumber, stop: stopSchema.nullable() })),
      })
      .nullable(),
    missing: count,
    planned: count,
    missingProbes: count,
  }),
  z.strictObject({ ...everyWarning, code: z.literal('variants_left_out'), variants, reason: leftOutReasonSchema }),
  z.strictObject({
    ...everyWarning,
    code: z.literal('changed_environment'),
    baselineRun: z.string(),
    names: z.array(z.string()),
  }),
  z.strictObject({ ...everyWarning, code: z.literal('unanswered_requests'), requests: count }),
  z.strictObject({ ...everyWarning, code: z.literal('single_takes') }),
  z.strictObject({ ...everyWarning, code: z.literal('not_warmed_up') }),
  z.strictObject({ ...everyWarning, code: z.literal('warmup_failed'), variants }),
] as const;
