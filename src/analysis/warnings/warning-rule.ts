import type { Fault } from '../../kit/diagnostic.ts';
import type { Json } from '../../kit/json.ts';
import type { PairFact } from '../../record/fact.ts';
import type { Run, RunPlan, RunPrompt } from '../../record/run.ts';
import type { DependenceFinding } from '../dependence.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import type { ProbeFinding } from '../probe.ts';
import type { Cell, FailureGroup, FlaggedSummary, RunSummary, VariantSummary } from '../summaries.ts';
import type { TakeIndex } from '../take-index.ts';

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
  readonly trialsOf: TakeIndex<EffectiveSample>['ofVariant'];
  readonly bySteps: TakeIndex<EffectiveSample>['bySteps'];
  readonly warmups: readonly EffectiveSample[];
  readonly cells: readonly Cell[];
  readonly uncompared: readonly Extract<PairFact, { readonly compared: false }>[];
  readonly failures: readonly FailureGroup[];
  readonly flagged: readonly FlaggedSummary[];
  readonly probes: readonly ProbeFinding[];
  readonly dependences: readonly DependenceFinding[];
  /** Requests sent without a sample. */
  readonly unanswered: number;
}

/** A warning but for its code. Words and facts hold hostile text: names, prompts and messages. */
export interface Warned extends Fault {
  /** None: it is about the whole run. */
  readonly variants: readonly string[];
  /** What of which variants is not fit for use, and why in short; absent if the numbers are. */
  readonly unfit?: {
    readonly of: 'latencies' | 'comparison';
    readonly variants: readonly string[];
    readonly because: string;
  };
  /** For scripts. */
  readonly facts: Readonly<Record<string, Json>>;
  readonly what: string;
  /** A shorter `what` for one line of a terminal. */
  readonly brief?: string;
}

/** One code: what it means in general, and what is found of it. */
export interface WarningRule<Code extends string = string> {
  readonly code: Code;
  readonly meaning: string;
  /** One per affected variant, or one, or none. */
  find(evidence: Evidence): readonly Warned[];
}

/** The rules of a file, the most serious first. Keeps the types of their codes. */
export function rules<const Code extends string>(...all: readonly WarningRule<Code>[]): readonly WarningRule<Code>[] {
  return all;
}

/** What probes found that needs a remedy, in their words. @param because why comparisons are void */
export function probed<const Code extends string>(
  found: ProbeFinding['code'],
  rule: Pick<WarningRule<Code>, 'code' | 'meaning'>,
  because?: string,
): WarningRule<Code> {
  return {
    ...rule,
    find: ({ probes }) =>
      probes.flatMap(({ variant, question, code, sentence, evidence, remedy }): Warned[] => {
        if (code !== found || remedy === null) return [];
        const variants = [variant];
        return [
          {
            variants,
            ...(because === undefined ? {} : { unfit: { of: 'comparison', variants, because } }),
            facts: { question },
            what: `${variant}: ${sentence}`,
            cause: evidence,
            remedy,
          },
        ];
      }),
  };
}

export function variantsOf(samples: readonly EffectiveSample[]): readonly string[] {
  return [...new Set(samples.map(({ sample }) => sample.trial.variant))];
}
