import { z } from 'zod';
import { unitSchema } from '../../analysis/measures/measure-schema.ts';
import { schemaOf } from '../../record/schemas/exact-schema.ts';
import { count } from '../../record/schemas/field-schemas.ts';
import { gateRuleSchema } from '../../record/schemas/gate-rule-schema.ts';
import { jsonSchemaOf } from '../../record/schemas/json-schema.ts';
import { missingSchema } from '../../record/schemas/missing-schema.ts';
import { KINDS } from '../../suite/format/suite.ts';
import { promptEffectSchema } from '../effects/prompt-effect-schema.ts';
import {
  type Detectable,
  type RuleResult,
  VERDICT_FORMAT,
  type Verdict,
  type VerdictLooks,
  type WorstPlace,
} from './verdict.ts';

const number = z.number().nullable();
const probability = z.number().min(0).max(1).nullable();

const detectableSchema = schemaOf<Detectable>('Detectable')(
  z.strictObject({ effect: z.number(), spread: z.number().min(0), assumed: z.boolean() }),
);

const worstPlaceSchema = schemaOf<WorstPlace>('WorstPlace')(
  z.union([
    z.strictObject({ prompt: z.string(), value: z.number() }),
    z.strictObject({ tag: z.string(), value: z.number() }),
  ]),
);

/** What every result has, whatever was decided. */
const numbers = {
  index: count,
  rule: gateRuleSchema,
  variant: z.string(),
  kind: z.enum(KINDS),
  against: z.string().nullable(),
  letPass: z.boolean(),
  effect: z.enum(['ratio', 'difference', 'value']),
  unit: unitSchema,
  estimate: number,
  ciLow: number,
  ciHigh: number,
  upperBound: number,
  boundLevel: probability,
  p: probability,
  pAdjusted: probability,
  n: count,
  units: z.enum(['blocks', 'rounds', 'cells', 'prompts', 'takes', 'runs']),
  missingPairs: count,
  belowNoiseFloor: z.boolean(),
  withoutFlagged: z
    .strictObject({ verdict: z.enum(['pass', 'fail', 'inconclusive', 'not_applicable']), estimate: number })
    .nullable(),
  detectable: detectableSchema.nullable(),
  promptEffect: promptEffectSchema.nullable(),
  worst: z.array(worstPlaceSchema),
  look: z.int().min(1).nullable(),
};

const ruleResultSchema = schemaOf<RuleResult>('RuleResult')(
  z.discriminatedUnion('verdict', [
    z.strictObject({
      ...numbers,
      verdict: z.literal('pass'),
      code: z.enum(['within_limit', 'no_event', 'within_history']),
    }),
    z.strictObject({ ...numbers, verdict: z.literal('fail'), code: z.enum(['beyond_limit', 'event_found']) }),
    z.strictObject({
      ...numbers,
      verdict: z.literal('inconclusive'),
      code: z.enum([
        'limit_not_excluded',
        'not_significant',
        'spans_limit',
        'unknown_cost',
        'too_few_units',
        'no_interval',
        'nothing_to_count',
        'not_testable',
        'short_load',
        'too_many_missing',
        'lost_blocks',
        'flagged_disagree',
        'coarse_polls',
        'mixed_order',
        'sequential_order',
        'left_out',
        'no_baseline',
        'short_history',
        'beyond_once',
        'not_within_history',
        'lost_cells',
        'no_common_cell',
        'no_stable_cell',
        'no_media',
      ]),
    }),
    z.strictObject({ ...numbers, verdict: z.literal('not_applicable'), code: z.literal('optional_left_out') }),
  ]),
);

const looksSchema = schemaOf<VerdictLooks>('VerdictLooks')(
  z.strictObject({
    kind: z.enum(['confirm', 'until_decided']),
    of: z.int().min(2),
    made: z.int().min(1),
    alphas: z.array(z.number().min(0).max(1)),
    early: z.boolean(),
    caseSeeds: count,
    plannedCaseSeeds: count,
    takes: count,
    plannedTakes: count,
  }),
);

/** verdict.json. */
export const verdictSchema = schemaOf<Verdict>('Verdict')(
  z.strictObject({
    format: z.literal(VERDICT_FORMAT),
    run: z.string(),
    baselineRun: z.string().nullable(),
    verdict: z.enum(['pass', 'fail', 'inconclusive', 'none']),
    exitCode: z.union([z.literal(0), z.literal(1), z.literal(3), z.literal(4)]),
    complete: z.boolean(),
    rules: z.array(ruleResultSchema),
    missing: z.array(missingSchema),
    looks: looksSchema.nullable(),
  }),
);

/** The JSON Schema of verdict.json; suites/verdict.schema.json holds it. */
export function verdictJsonSchema(): object {
  return jsonSchemaOf(verdictSchema, 'Retake verdict', 'verdict.json: what the gate says of a run, rule by rule.');
}
