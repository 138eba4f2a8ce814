import { z } from 'zod';
import { WARNING_SHAPES, type Warning } from '../analysis/warnings.ts';
import { type RuleResult, verdictSchema } from './verdict.ts';

const keptSchema = z.looseObject({
  rules: verdictSchema.shape.rules,
  warnings: z.array(z.discriminatedUnion('code', WARNING_SHAPES)),
});

/** Of a verdict.json; nothing where the file, or a part of it, is not as this version writes it. */
export function keptIn(text: string): { readonly rules: readonly RuleResult[]; readonly warnings: readonly Warning[] } {
  try {
    return keptSchema.parse(JSON.parse(text));
  } catch {
    return { rules: [], warnings: [] };
  }
}
