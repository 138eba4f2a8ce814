import { z } from 'zod';
import { type Warning, warningSchema } from '../analysis/warning.ts';
import { type RuleResult, verdictSchema } from './verdict.ts';

const { what, unfit } = warningSchema.shape;
type KeptWarning = Pick<Warning, 'what' | 'unfit'>;

/** Warnings are made to be read: also one whose code this version does not have. */
const keptSchema = z.looseObject({
  rules: verdictSchema.shape.rules.catch([]),
  warnings: z.array(z.looseObject({ what, unfit }).nullable().catch(null)).catch([]),
});

/** Of a verdict.json; nothing of a part that is not as this version writes it, as warnings without words are not. */
export function keptIn(text: string): {
  readonly rules: readonly RuleResult[];
  readonly warnings: readonly KeptWarning[];
} {
  try {
    const { rules, warnings } = keptSchema.parse(JSON.parse(text));
    return { rules, warnings: warnings.flatMap((warning) => warning ?? []) };
  } catch {
    return { rules: [], warnings: [] };
  }
}
