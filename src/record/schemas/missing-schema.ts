import { z } from 'zod';
import type { Missing } from '../model/missing.ts';
import { schemaOf } from './exact-schema.ts';

/** What one side of a comparison does not have. */
export const missingSchema = schemaOf<Missing>('Missing')(
  z.strictObject({
    what: z.enum(['variant', 'prompt', 'seed', 'cell', 'suite_version', 'changed_prompt']),
    id: z.string(),
    side: z.enum(['run', 'baseline']),
  }),
);
