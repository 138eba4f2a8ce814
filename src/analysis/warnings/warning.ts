import { z } from 'zod';
import { part, type Recorded } from '../../kit/declare.ts';
import type { Fault } from '../../kit/diagnostic.ts';
import { type DurationUnit, duration, rate } from '../../kit/wording.ts';
import type { PairFact } from '../../record/fact.ts';
import type { Run, RunPlan, RunPrompt } from '../../record/run.ts';
import type { DependenceFinding } from '../dependence.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import type { ProbeFindings } from '../probe.ts';
import type { Cell, FailureGroup, FlaggedSummary, RunSummary, VariantSummary } from '../summaries.ts';

export interface Evidence {
  readonly run: RunSummary;
  readonly plan: RunPlan;
  readonly variants: readonly VariantSummary[];
  readonly leftOut: Run['leftOut'];
  /** Polled variants whose target does not say how to cancel a job. */
  readonly noCancel: readonly string[];
  readonly prompts: readonly RunPrompt[];
  /** In sending order. */
  readonly trials: readonly EffectiveSample[];
  readonly trialsOf: (variant: string) => readonly EffectiveSample[];
  readonly warmups: readonly EffectiveSample[];
  readonly cells: readonly Cell[];
  readonly uncompared: readonly Extract<PairFact, { readonly compared: false }>[];
  readonly failures: readonly FailureGroup[];
  readonly flagged: readonly FlaggedSummary[];
  readonly probes: readonly ProbeFindings[];
  readonly dependences: readonly DependenceFinding[];
  /** Requests sent without a sample. */
  readonly unanswered: number;
}

/** Holds hostile text: names, prompts and messages. */
export interface WarningText extends Fault {
  readonly what: string;
  /** A shorter `what` for one line of a terminal. */
  readonly brief?: string;
}

/** One warning in one file. Several codes if one check decides between them. */
export interface WarningRule<Shape extends z.ZodType> {
  readonly shape: Shape;
  /** One per affected variant, or one, or none. */
  find(evidence: Evidence): readonly Recorded<Shape>[];
  words(warning: Recorded<Shape>): WarningText;
  /** One of each code. */
  readonly examples: readonly Recorded<Shape>[];
}

/** A warning's code, or the codes its rule decides between, and its fields. */
export function warningShape<const Code extends string, Fields extends z.core.$ZodLooseShape>(
  code: Code | readonly Code[],
  meaning: string,
  fields: Fields,
) {
  const codes: readonly Code[] = typeof code === 'string' ? [code] : code;
  return part(meaning, {
    unfit: z
      .enum(['latencies', 'comparison'])
      .exactOptional()
      .describe('What is not fit for use: latencies, or what compares variants and seeds; absent if neither.'),
    code: z.literal(codes),
    ...fields,
  });
}

type WarningWith<Code extends string, Fields extends z.core.$ZodLooseShape> = Recorded<
  ReturnType<typeof warningShape<Code, Fields>>
>;

interface CodedWarning<Code extends string, Fields extends z.core.$ZodLooseShape> {
  readonly code: Code;
  readonly meaning: string;
  readonly fields: Fields;
  find(evidence: Evidence): readonly Omit<WarningWith<NoInfer<Code>, NoInfer<Fields>>, 'code'>[];
  words(warning: WarningWith<NoInfer<Code>, NoInfer<Fields>>): WarningText;
  readonly example: Omit<WarningWith<NoInfer<Code>, NoInfer<Fields>>, 'code'>;
}

/** The rule of a warning with one code, which it adds to the fields that are found. */
export function warning<const Code extends string, Fields extends z.core.$ZodLooseShape>({
  code,
  meaning,
  fields,
  find,
  words,
  example,
}: CodedWarning<Code, Fields>): WarningRule<ReturnType<typeof warningShape<Code, Fields>>> {
  const coded = (found: object) => ({ code, ...found }) as WarningWith<Code, Fields>;
  return {
    shape: warningShape(code, meaning, fields),
    find: (evidence) => find(evidence).map(coded),
    words,
    examples: [coded(example)],
  };
}

export const variantList = z.array(z.string()).describe('The names of the variants.');

export const loadMode = z.enum(['closed', 'open']).describe('The mode of the load.');

export function variantsOf(samples: readonly EffectiveSample[]): readonly string[] {
  return [...new Set(samples.map(({ sample }) => sample.trial.variant))];
}

/** `8.00/s`, `30.0/min`, within a sentence. */
export function ratePer(perSecond: number, per: 's' | 'min'): string {
  return rate(perSecond, per).replace(' / ', '/');
}

/** Null: above the time limit. */
export function limitedDuration(ms: number | null, unit: DurationUnit): string {
  return ms === null ? 'above the time limit' : duration(ms, unit);
}
