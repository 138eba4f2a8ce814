import { z } from 'zod';
import { unitSchema } from '../analysis/unit.ts';
import { choice, count, part, type Recorded, shape, variantName } from '../kit/declare.ts';
import { json } from '../kit/json-value.ts';
import { kind } from '../plan/trial.ts';
import { GATE_VERDICTS, RUN_QUESTIONS } from '../record/codes.ts';
import { missingSchema } from '../record/run.ts';
import { gateRuleSchema } from '../suite/rule.ts';

const number = z.number().nullable();

const probability = z.number().min(0).max(1).nullable();

const detectableSchema = shape('Detectable', 'The smallest change that fails in 4 of 5 runs with so many units.', {
  effect: z.number().describe('A ratio, or a difference.'),
  spread: z.number().min(0).describe('The standard deviation of the units.'),
  assumed: z.boolean().describe('Whether that is assumed.'),
  passes: z
    .number()
    .optional()
    .describe('Of a rule against earlier runs: the limit, as a ratio, within which 4 of 5 unchanged runs pass.'),
});
export type Detectable = Recorded<typeof detectableSchema>;

const worstPlaceSchema = z
  .union([
    z.strictObject({ prompt: z.string().describe('The prompt.'), value: z.number().describe('Its change or value.') }),
    z.strictObject({ tag: z.string().describe('The tag.'), value: z.number().describe('Its change or value.') }),
  ])
  .meta({ id: 'WorstPlace', description: 'A prompt or tag, and its change or value.' });
export type WorstPlace = Recorded<typeof worstPlaceSchema>;

const unfitSchema = choice('Unfit', 'Why latencies are not to be used.', 'code', [
  part('This machine could not keep up.', { code: z.literal('not_kept_up') }),
  part('It passes on takes that waited for a rate limit, and the waits are not in what it bounds.', {
    code: z.literal('rate_limited'),
    takes: count.describe('Takes that waited.'),
    ofTakes: count.describe('Takes that count.'),
  }),
]);
export type Unfit = Recorded<typeof unfitSchema>;

const numbers = {
  index: count.describe("The rule's place in the suite, from 0."),
  rule: gateRuleSchema,
  variant: variantName,
  kind,
  against: z.string().nullable().describe('The variant it is compared with; null without one.'),
  letPass: z.boolean().describe('Not decided, and `on_inconclusive` lets it pass.'),
  lastRun: z
    .strictObject({
      run: z.string().describe('Its label, else its name.'),
      ratio: z.number().describe('This run / that run: the typical ratio over common prompts and seeds.'),
      ciLow: number.describe('Two-sided 95 %; null if there is none.'),
      ciHigh: number.describe('The upper end.'),
    })
    .exactOptional()
    .describe('Of a rule against earlier runs: this run beside the last comparable one; absent without one.'),
  evidence: z
    .strictObject({
      support: z.number().min(0).describe('For the claim.'),
      refute: z.number().min(0).describe('Against it.'),
    })
    .exactOptional()
    .describe(
      'Of a claim: after the last pair that counted; 20 decides it, of several claims more. Absent of other rules.',
    ),
  effect: z
    .enum(['ratio', 'difference', 'value'])
    .describe('What `estimate`, its interval and the bound are: a ratio, a difference, or the value itself.'),
  unit: unitSchema.describe('Of these; `1` of a ratio.'),
  estimate: number.describe('Null if there is none, or if it is only known to lie between two bounds.'),
  ciLow: number.describe(
    'Two-sided 95 %; null if the end is open or there is none. Without an estimate, the least it can be.',
  ),
  ciHigh: number.describe('The upper end.'),
  upperBound: number.describe(
    'One-sided: the value is at most this (`min` and `max_decrease`: at least). Null if nothing bounds it, and of ' +
      'what is counted exactly. Of money, with requests of unknown cost at their most (`min`: without them).',
  ),
  boundLevel: probability.describe(
    'The level of `upperBound`: 0.95, or 1 - `looks.alphas` of its look if the gate is looked at more than once; ' +
      '0.975 for an end of a two-sided interval. Null of what is counted.',
  ),
  p: probability.describe('That the limit holds, one-sided.'),
  pAdjusted: probability.describe('By Holm over all comparisons of the gate.'),
  n: count.describe('How many units.'),
  needs: count.nullable().describe('How many takes a bound needs, where there are fewer; else null.'),
  units: z.enum(['blocks', 'rounds', 'cells', 'takes', 'runs']).describe('What it is based on.'),
  missingPairs: count.describe('Blocks without a value on one side.'),
  belowNoiseFloor: z
    .boolean()
    .describe(
      'Whether the comparison over the same takes has the note `below_noise_floor`; false without one. It decides ' +
        'nothing.',
    ),
  withoutFlagged: z
    .strictObject({
      verdict: z.enum(['pass', 'fail', 'inconclusive', 'not_applicable']).describe('What it decides.'),
      estimate: number.describe('What is found; null if nothing.'),
    })
    .nullable()
    .describe('The rule without blocks that contain a flagged take; null if nothing was flagged.'),
  detectable: detectableSchema.nullable().describe('Null if it is not known.'),
  worst: z
    .array(worstPlaceSchema)
    .describe(
      'Up to three prompts and tags with the largest change for the worse; of `none`, `max` and `min`, prompts ' +
        'that are beyond the bound by themselves.',
    ),
  look: z
    .int()
    .min(1)
    .nullable()
    .describe(
      'The look that the numbers are of, from 1: that which decided the rule, else the last one; null if the gate ' +
        'is decided once.',
    ),
  unfit: z
    .array(unfitSchema)
    .describe('Why the latencies that it passes or fails on are not to be used; empty if nothing speaks against them.'),
};

const ruleResultSchema = choice('RuleResult', 'What a rule decides of a variant, and why.', 'verdict', [
  z.strictObject({
    ...numbers,
    verdict: z.literal('pass'),
    code: z.enum(['within_limit', 'no_event', 'within_history', 'claim_supported']),
  }),
  z.strictObject({
    ...numbers,
    verdict: z.literal('fail'),
    code: z.enum([
      'beyond_limit',
      'event_found',
      /** There are too few earlier runs; the whole interval of this one is beyond what the rule allows at first. */
      'beyond_at_first',
      /** So was the run before. */
      'beyond_at_first_again',
      'claim_refuted',
    ]),
  }),
  z.strictObject({
    ...numbers,
    verdict: z.literal('inconclusive'),
    code: z.enum([
      /** The estimate is within the limit, but three times the limit is not excluded. */
      'limit_not_excluded',
      /** The estimate is beyond the limit, but not significantly. */
      'not_significant',
      'spans_limit',
      /** Requests of unknown cost could put it beyond the limit. */
      'unknown_cost',
      'too_few_units',
      'no_interval',
      'nothing_to_count',
      /** Repeats are cached. */
      'not_testable',
      /** Open load lasted less than ten times the limit: too short to show how calls depend on each other. */
      'short_load',
      /** More than a fifth of the blocks lacks a value. */
      'too_many_missing',
      /** Passes only without the blocks that the candidate lost. */
      'lost_blocks',
      /** The verdict differs without flagged blocks. */
      'flagged_disagree',
      /** Polls are so far apart that they determine the latency. */
      'coarse_polls',
      'mixed_order',
      'sequential_order',
      /** The variant was abandoned during the run, or not measured. */
      'left_out',
      'no_baseline',
      'short_history',
      /** This run is beyond the limit, the one before is not. */
      'beyond_once',
      /** The bound of this run and the one before is above the limit, but neither is significantly beyond it. */
      'not_within_history',
      /** A cell of earlier runs has no value in this run or the one before. */
      'lost_cells',
      'no_common_cell',
      /** No cell of the stored baseline has at least two takes that are all equal. */
      'no_stable_cell',
      'no_model_reported',
      'no_media',
      /** Outputs have no score yet. */
      'not_scored',
      /** The scorer did not find copies known to be worse. */
      'control_failed',
      /** Too few outputs to test whether the scorer finds worse ones. */
      'too_few_for_control',
      /** No edit with a mask has the shape of its input. */
      'other_shape',
      /** A claim after the last pair that counted. */
      'claim_open',
      /** The first half of the pairs of a claim differs from the last. */
      'ratio_changed',
    ]),
  }),
  z.strictObject({ ...numbers, verdict: z.literal('not_applicable'), code: z.literal('optional_left_out') }),
]);
/** What a rule of the gate decides of a variant, and why. */
export type RuleResult = Recorded<typeof ruleResultSchema>;

const looksSchema = shape('VerdictLooks', 'How a gate was decided that is looked at more than once.', {
  kind: z.enum(['confirm', 'until_decided']).describe('As in run.json.'),
  of: z.int().min(2).describe('Looks at most.'),
  made: z.int().min(1).describe('Looks that were made.'),
  alphas: z
    .array(z.number().min(0).max(1))
    .describe('Of every test at each look, made or not; 0 of one that comes after too few units to decide.'),
  early: z.boolean().describe('Whether parts were not sent because the gate was decided.'),
  caseSeeds: count.describe('Prompts with a seed that were measured.'),
  plannedCaseSeeds: count.describe('Those of the whole plan.'),
  takes: count.describe('Measured takes of all variants.'),
  plannedTakes: count.describe('Those of the whole plan.'),
});
export type VerdictLooks = Recorded<typeof looksSchema>;

const runState = z
  .enum(['failed', 'not_decided', 'not_judged', 'incomplete', 'passed_unfit', 'passed', 'no_rule'])
  .describe(
    '`not_judged`: a rule that decided nothing lets that pass; `passed_unfit`: it passes on latencies that are not to ' +
      'be used.',
  );
/** The gravest first. */
export const RUN_STATES = runState.options;
export type RunState = Recorded<typeof runState>;

const runQuestion = z
  .enum(RUN_QUESTIONS)
  .describe(
    '`claim`: is what the suite claims true; `changed`: since the stored baseline or earlier runs; `swap`: can one variant replace the other; `slower`: than earlier runs; ' +
      '`load`: which load holds; `worth`: what speed costs; `edits`: what one variant did to its input images; ' +
      '`alone`: how fast one variant is.',
  );
export type RunQuestion = Recorded<typeof runQuestion>;

const nextStep = z
  .strictObject({
    why: z.string().describe('What for.'),
    command: z.string().describe('The command.'),
  })
  .describe('What to do next; null where nothing is open.');
export type NextStep = Recorded<typeof nextStep>;

/** What a run answers: every report of it has these words. */
const answer = {
  question: runQuestion.exactOptional(),
  state: runState.exactOptional(),
  answer: z.string().exactOptional().describe('In a sentence.'),
  next: nextStep.nullable().exactOptional(),
};

export const verdictSchema = shape('Verdict', 'verdict.json: what the gate says of a run, rule by rule.', {
  format: z.literal(1).describe('The version of the file.'),
  run: z.string().describe('The run.'),
  baselineRun: z
    .string()
    .nullable()
    .describe(
      'The run of the stored baseline that stability was compared with, else of the one that was sent again; null ' +
        'without one.',
    ),
  baselineLabel: z.string().exactOptional().describe('The label of that run; absent without one.'),
  verdict: z
    .enum(GATE_VERDICTS)
    .describe('`pass_unfit`: it passes, a rule of it with `unfit`. `none`: the suite has no rule.'),
  exitCode: z
    .union([z.literal(0), z.literal(1), z.literal(3), z.literal(4)])
    .describe('Of `retake run` and `retake gate`: 3 for an incomplete run, else 1 (fail), 4 (not decided) or 0.'),
  complete: z.boolean().describe('Whether the run is complete.'),
  rules: z.array(ruleResultSchema).describe('One for each rule and variant.'),
  missing: z.array(missingSchema).describe('What one side does not have.'),
  looks: looksSchema.nullable().describe('Null if the gate is decided once.'),
  ...answer,
  warnings: z.array(json).exactOptional().describe('As in analysis.json.'),
});
/** What the gate says of a run, rule by rule: verdict.json. */
export type Verdict = Recorded<typeof verdictSchema>;

export type RuleVerdict = RuleResult['verdict'];
export type Decision = RuleResult extends infer R
  ? R extends RuleResult
    ? Pick<R, 'verdict' | 'code'>
    : never
  : never;
export type RuleNumbers = Omit<RuleResult, 'verdict' | 'code'>;
export type InconclusiveCode = Extract<RuleResult, { verdict: 'inconclusive' }>['code'];
export type NotApplicableCode = Extract<RuleResult, { verdict: 'not_applicable' }>['code'];
