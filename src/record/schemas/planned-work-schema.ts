import { z } from 'zod';
import type { PlannedWork } from '../../plan/time-left/planned-work.ts';
import { schemaOf } from './exact-schema.ts';
import { milliseconds, number } from './field-schemas.ts';

const workOfVariant = {
  variant: z.string(),
  concurrency: z.int().min(1),
  measured: z.boolean(),
  trials: z.int().min(1),
};

/** What slices ask of one variant at one concurrency. */
export const plannedWorkSchema = schemaOf<PlannedWork>('PlannedWork')(
  z.discriminatedUnion('mode', [
    z.strictObject({ mode: z.literal('closed'), ...workOfVariant, waves: number }),
    z.strictObject({ mode: z.literal('open'), ...workOfVariant, lastStartMs: milliseconds }),
  ]),
);
