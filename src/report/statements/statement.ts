import type { Analysis, Measure, VariantSummary } from '../../analysis/analysis.ts';
import { groupBy } from '../../analysis/grouping.ts';
import { whyIncomplete } from '../../analysis/warning-codes/incomplete-run.ts';
import type { Kind } from '../../suite/format/suite.ts';
import { count, plural } from '../../text/quantity.ts';
import { lowerBoundOf, noteClauses } from '../words/measures/note-words.ts';
import { incompleteCause } from '../words/run/stop-words.ts';

/** A number with its evidence. Where there is no value or no interval, `notes` say why, the first what matters most. */
export interface Statement {
  readonly value: string | null;
  readonly interval: string | null;
  readonly notes: readonly string[];
  readonly n: number;
}

/** Finds a measure over all prompts by variant, metric and statistic; of a sweep also at a step. */
export type Measures = (variant: string, metric: string, statistic: string, step?: number | null) => Measure | null;

export function measuresOf(analysis: Pick<Analysis, 'measures'>): Measures {
  const byName = new Map<string, Measure>();
  for (const measure of analysis.measures) {
    if (measure.prompt !== null) continue;
    byName.set(keyOf(measure.variant, measure.metric, measure.statistic, measure.step), measure);
  }
  return (variant, metric, statistic, step = null) => byName.get(keyOf(variant, metric, statistic, step)) ?? null;
}

function keyOf(...parts: readonly (string | number | null)[]): string {
  return JSON.stringify(parts);
}

const NOT_MEASURED: readonly string[] = ['not measured'];

/** A measure in words; `print` writes a value, `between` an interval, both in the measure's unit. */
export function statementOf(
  measure: Measure | null,
  print: (value: number) => string,
  between: (low: number, high: number) => string,
): Statement {
  if (measure === null) return { value: null, interval: null, notes: NOT_MEASURED, n: 0 };
  const { value, ciLow, ciHigh, n, notes } = measure;
  // A statistic that lands among the time-outs has only a lower bound: `> 120 s`.
  const among = value === null ? lowerBoundOf(notes) : null;
  if (among !== null) return { value: among.bound, interval: null, notes: noteClauses(among.rest), n };
  return {
    value: value === null ? null : print(value),
    interval: value === null || ciLow === null || ciHigh === null ? null : between(ciLow, ciHigh),
    notes: value === null && notes.length === 0 ? NOT_MEASURED : noteClauses(notes),
    n,
  };
}

/** Complete or not and why, in one sentence. */
export function completeness(analysis: Analysis): string {
  return `${analysis.run.complete ? 'Complete' : 'Incomplete'}: ${whatIsComplete(analysis)}`;
}

/** The same without the word: `all 36 planned takes have a result`. */
export function whatIsComplete({ run, variants }: Analysis): string {
  const planned = variants.reduce((sum, variant) => sum + variant.plannedTrials, 0);
  const missing = variants.reduce((sum, { missing, outcomes }) => sum + missing + (outcomes.cancelled ?? 0), 0);
  const { looks } = run.plan;
  if (run.complete && looks !== null && looks.parts.length < looks.of) {
    return `all ${plural(planned, 'take')} sent until the gate was decided have a result`;
  }
  const dropped = variants.reduce((sum, { outcomes }) => sum + (outcomes.dropped ?? 0), 0);
  if (run.complete && dropped > 0)
    return `of ${plural(planned, 'planned take')} ${count(dropped)} were dropped, never sent`;
  if (run.complete) return `all ${plural(planned, 'planned take')} have a result`;
  const why = incompleteCause(whyIncomplete({ run, variants }));
  const probes = run.missingProbes === 0 ? '' : ` and ${plural(run.missingProbes, 'probe')}`;
  return `${count(missing)} of ${plural(planned, 'planned take')}${probes} have no result. Why: ${why}`;
}

/** The kinds that occur, in the order of their first variant, each with its variants. */
export function byKind<Variant extends Pick<VariantSummary, 'kind'>>(
  variants: readonly Variant[],
): readonly (readonly [Kind, readonly Variant[]])[] {
  return [...groupBy(variants, ({ kind }) => kind)];
}
