import type { Analysis, Measure, VariantSummary } from '../../analysis/analysis.ts';
import { BLOCKED } from '../../analysis/effective-sample.ts';
import { groupBy } from '../../analysis/grouping.ts';
import { whyIncomplete } from '../../analysis/warning-codes/incomplete-run.ts';
import type { Kind } from '../../suite/format/kind.ts';
import { count, listed, plural } from '../../text/wording.ts';
import { lowerBoundOf, noteClauses } from '../words/measures/note-words.ts';
import { incompleteCause } from '../words/run/stop-words.ts';

/** Without a value or an interval, `notes` say why, the most important first. */
export interface Statement {
  readonly value: string | null;
  readonly interval: string | null;
  readonly notes: readonly string[];
  readonly n: number;
}

/** Finds a measure over all prompts; of a sweep also at a step. */
export type Measures = (variant: string, metric: string, statistic: string, step?: number | null) => Measure | null;

/** Every sentence asks for it, so its table is made once for each analysis. */
const finders = new WeakMap<Analysis['measures'], Measures>();

export function measuresOf({ measures }: Pick<Analysis, 'measures'>): Measures {
  const known = finders.get(measures);
  if (known !== undefined) return known;
  const made = finderOf(measures);
  finders.set(measures, made);
  return made;
}

function finderOf(measures: Analysis['measures']): Measures {
  const byName = new Map<string, Measure>();
  for (const measure of measures) {
    if (measure.prompt !== null) continue;
    byName.set(keyOf(measure.variant, measure.metric, measure.statistic, measure.step), measure);
  }
  return (variant, metric, statistic, step = null) => byName.get(keyOf(variant, metric, statistic, step)) ?? null;
}

function keyOf(...parts: readonly (string | number | null)[]): string {
  return JSON.stringify(parts);
}

const NOT_MEASURED: readonly string[] = ['not measured'];

/** `print` writes a value, `between` an interval, both in the measure's unit. */
export function statementOf(
  measure: Measure | null,
  print: (value: number) => string,
  between: (low: number, high: number) => string,
): Statement {
  if (measure === null) return { value: null, interval: null, notes: NOT_MEASURED, n: 0 };
  const { value, ciLow, ciHigh, n, notes } = measure;
  // A statistic among the time-outs has only a lower bound: `> 120 s`.
  const among = value === null ? lowerBoundOf(notes) : null;
  if (among !== null) return { value: among.bound, interval: null, notes: noteClauses(among.rest), n };
  return {
    value: value === null ? null : print(value),
    interval: value === null || ciLow === null || ciHigh === null ? null : between(ciLow, ciHigh),
    notes: value === null && notes.length === 0 ? NOT_MEASURED : noteClauses(notes),
    n,
  };
}

/** A complete run has a result for each planned take; failed takes count. */
export function completeness(analysis: Analysis): string {
  const { run } = analysis;
  if (!run.complete) return `Incomplete: ${whatIsComplete(analysis)}`;
  if (isWhole(analysis)) return `Complete: ${whatIsComplete(analysis)}`;
  return `Complete, but of ${plannedTakes(analysis)} ${listed(withoutDelivery(analysis))}`;
}

/** Without the word "complete" and without failures: `all 36 planned takes have a result`. */
export function whatIsComplete(analysis: Analysis): string {
  const { run, variants } = analysis;
  if (run.complete && droppedStarts(variants) > 0) {
    const planned = plannedCount(analysis);
    return `${count(planned - droppedStarts(variants))} of ${plural(planned, 'planned take')} were sent`;
  }
  if (run.complete) return `all ${plannedTakes(analysis)} have a result`;
  const missing = variants.reduce((sum, { missing, outcomes }) => sum + missing + (outcomes.cancelled ?? 0), 0);
  const why = incompleteCause(whyIncomplete({ run, variants }));
  const probes = run.missingProbes === 0 ? '' : ` and ${plural(run.missingProbes, 'probe')}`;
  return `${count(missing)} of ${plannedTakes(analysis)}${probes} have no result. Why: ${why}`;
}

/** `4 failed`, `1 was blocked`, `14 were dropped (never sent)`. */
function withoutDelivery({ failures, variants }: Pick<Analysis, 'failures' | 'variants'>): readonly string[] {
  const { failed, blocked } = undelivered(failures);
  const dropped = droppedStarts(variants);
  const were = (takes: number) => `${count(takes)} ${takes === 1 ? 'was' : 'were'}`;
  return [
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(blocked > 0 ? [`${were(blocked)} blocked`] : []),
    ...(dropped > 0 ? [`${were(dropped)} dropped (never sent)`] : []),
  ];
}

export function isWhole(analysis: Analysis): boolean {
  return analysis.run.complete && withoutDelivery(analysis).length === 0;
}

/** A blocked take was refused by moderation, or is blank. */
export function undelivered(failures: Analysis['failures']): { readonly failed: number; readonly blocked: number } {
  const all = failures.reduce((sum, { count: takes }) => sum + takes, 0);
  const blocked = failures.reduce((sum, { outcome, count: takes }) => sum + (BLOCKED.has(outcome) ? takes : 0), 0);
  return { failed: all - blocked, blocked };
}

export function droppedStarts(variants: readonly Pick<VariantSummary, 'outcomes'>[]): number {
  return variants.reduce((sum, { outcomes }) => sum + (outcomes.dropped ?? 0), 0);
}

function plannedCount({ variants }: Pick<Analysis, 'variants'>): number {
  return variants.reduce((sum, variant) => sum + variant.plannedTrials, 0);
}

/** `36 planned takes`; where the gate was decided early, `24 takes sent until the gate was decided`. */
function plannedTakes(analysis: Pick<Analysis, 'variants' | 'run'>): string {
  const { complete, plan } = analysis.run;
  const isCut = complete && plan.looks !== null && plan.looks.parts.length < plan.looks.of;
  const planned = plannedCount(analysis);
  return isCut ? `${plural(planned, 'take')} sent until the gate was decided` : plural(planned, 'planned take');
}

/** The kinds in the order of their first variant. */
export function byKind<Variant extends Pick<VariantSummary, 'kind'>>(
  variants: readonly Variant[],
): readonly (readonly [Kind, readonly Variant[]])[] {
  return [...groupBy(variants, ({ kind }) => kind)];
}
