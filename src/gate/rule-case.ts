import type { Metric } from '../analysis/metric.ts';
import { STABILITY_METRICS } from '../analysis/stability.ts';
import type { VariantSummary } from '../analysis/summaries.ts';
import type { ComparableVariant } from '../record/compared-variants.ts';
import type { RunPrompt } from '../record/run.ts';
import type { Kind } from '../suite/kind.ts';
import type { Load } from '../suite/load.ts';
import type { GateRule, WrittenAs } from '../suite/rule.ts';

export type GatedVariant = ComparableVariant;

export interface RuleCase<V extends GatedVariant = VariantSummary> {
  /** Position of the rule in the suite, from 0. */
  readonly index: number;
  readonly rule: GateRule;
  readonly variant: V;
  /** The compared variant; null if the rule sets a bound of its own. */
  readonly baseline: V | null;
  /** Prompts of the rule; null: all. */
  readonly prompts: ReadonlySet<string> | null;
}

/** As a suite holds it, or a record. */
export interface GatedPrompt extends Pick<RunPrompt, 'id' | 'tags'> {
  readonly mask?: object | null;
  readonly media?: RunPrompt['media'];
}

export interface GatedSuite {
  readonly rules: readonly GateRule[];
  /** Includes variants that this machine leaves out. */
  readonly variants: readonly (GatedVariant & { readonly timeoutMs: number })[];
  readonly prompts: readonly (GatedPrompt & { readonly kinds: readonly Kind[] })[];
  readonly load: Load;
  readonly repeats: number;
  readonly metrics: readonly Metric[];
  /** How each bound was written; absent if unknown. */
  readonly writtenAs?: readonly (WrittenAs | null)[];
}

/** Whether a rule compares a variant with its twin of the stored baseline, sent again in the same run. */
export function comparesTwins(rule: Pick<GateRule, 'metric' | 'against'>): boolean {
  return rule.against === 'baseline' && !STABILITY_METRICS.has(rule.metric);
}

/** Whether a rule needs the outputs that a stored baseline keeps. */
export function needsKeptOutputs(rule: Pick<GateRule, 'metric' | 'against'>): boolean {
  return rule.against === 'baseline' && !comparesTwins(rule);
}
