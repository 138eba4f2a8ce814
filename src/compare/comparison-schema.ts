import { z } from 'zod';
import { better, unitSchema } from '../analysis/measures/measure-schema.ts';
import { schemaOf } from '../record/schemas/exact-schema.ts';
import { count } from '../record/schemas/field-schemas.ts';
import { KINDS } from '../suite/format/suite.ts';
import type { Comparison, Scope } from './comparison.ts';
import type { ComparisonNote } from './comparison-note.ts';
import { promptEffectSchema } from './effects/prompt-effect-schema.ts';

const number = z.number().nullable();
const probability = z.number().min(0).max(1).nullable();
const units = z.enum(['blocks', 'rounds', 'cells', 'prompts']);

const scopeSchema = schemaOf<Scope>('Scope')(
  z.union([
    z.strictObject({ of: units }),
    z.strictObject({ of: z.literal('prompt'), id: z.string() }),
    z.strictObject({ of: z.literal('tag'), tag: z.string() }),
  ]),
);

const comparisonNoteSchema = schemaOf<ComparisonNote>('ComparisonNote')(
  z.discriminatedUnion('code', [
    z.strictObject({
      code: z.enum([
        'no_pair',
        'candidate_timed_out',
        'baseline_timed_out',
        'ci_low_open',
        'ci_high_open',
        'contended',
        'sequential',
        'below_noise_floor',
        'flagged_disagree',
        'all_flagged',
      ]),
    }),
    z.strictObject({
      code: z.enum([
        'needs_blocks',
        'needs_cell_pairs',
        'needs_rounds',
        'needs_prompts',
        'rounds',
        'differs_by_prompt',
      ]),
      value: z.number(),
    }),
  ]),
);

/** An element of `comparisons` in analysis.json. */
export const comparisonSchema = schemaOf<Comparison>('Comparison')(
  z.strictObject({
    variant: z.string(),
    baseline: z.string(),
    baselineRun: z.string().nullable(),
    kind: z.enum(KINDS),
    scope: scopeSchema,
    step: z.int().min(1).nullable(),
    metric: z.string(),
    statistic: z.string(),
    unit: unitSchema,
    better,
    effect: z.enum(['ratio', 'difference']),
    value: number,
    ciLow: number,
    ciHigh: number,
    ciLevel: probability,
    method: z.enum(['walsh', 'tango_exact', 'tango', 'tango_clustered']),
    units,
    nUnits: count,
    cellPairs: count,
    cellPairsBetter: count,
    cellPairsWorse: count,
    unitValues: z.array(z.number()),
    blocks: count,
    missingBlocks: count,
    censoredBlocks: count,
    p: probability,
    pAdjusted: probability,
    valueUnflagged: number,
    finding: z.enum(['lower', 'higher', 'undecided', 'too_few']),
    promptEffect: promptEffectSchema.nullable(),
    notes: z.array(comparisonNoteSchema),
  }),
);
