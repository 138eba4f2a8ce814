import type { Analysis, Cell, Measure, VariantSummary } from '../analysis/analysis.ts';
import { UNTESTABLE } from '../analysis/served-from-cache.ts';
import type { Kind } from '../suite/suite.ts';
import { count, plural, share, shareAtMost, shareInterval } from './quantity.ts';

/** A number with its evidence. Where there is no value or no interval, `note` says why. */
export interface Statement {
  readonly value: string | null;
  readonly interval: string | null;
  readonly note: string;
  readonly n: number;
}

/** Finds a measure over all prompts by variant, metric and statistic; of a sweep also at a step. */
export type Measures = (variant: string, metric: string, statistic: string, step?: number | null) => Measure | null;

export function measuresOf(analysis: Analysis): Measures {
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

/** A measure in words; `print` writes a value, `between` an interval, both in the measure's unit. */
export function statementOf(
  measure: Measure | null,
  print: (value: number) => string,
  between: (low: number, high: number) => string,
): Statement {
  if (measure === null) return { value: null, interval: null, note: 'not measured', n: 0 };
  const { value, ciLow, ciHigh, n, note } = measure;
  // A statistic that lands among the time-outs has no value but a floor: `> 120 s`.
  const [floor, ...rest] = note.split('; ');
  if (value === null && floor?.startsWith('> ')) return { value: floor, interval: null, note: rest.join('; '), n };
  return {
    value: value === null ? null : print(value),
    interval: value === null || ciLow === null || ciHigh === null ? null : between(ciLow, ciHigh),
    note: value === null && note === '' ? 'not measured' : note,
    n,
  };
}

/** What the takes of a variant's cells say about their bytes, in this run. */
export interface SameBytes {
  /** Cells whose takes are all equal, of those with at least two takes. */
  readonly same: number;
  readonly testable: number;
  readonly tooFew: number;
  /** Short: `36 of 36 cells`. Null where no cell has two takes. */
  readonly value: string | null;
  /** The bound that belongs to it, or how many takes depart. */
  readonly bound: string;
  /** The bound in short, for narrow places: `≤ 4.1 %`; without the sign, the share of takes that depart. */
  readonly shortBound: string;
}

/** Equality to the byte over a variant's cells, with the bound of a further take where none departed. */
export function sameBytes(variant: VariantSummary, cells: readonly Cell[], measures: Measures): SameBytes {
  const own = cells.filter((cell) => cell.variant === variant.name);
  const tooFew = own.filter((cell) => cell.byte === 'too few').length;
  const counts = { ...countCells(own, measures(variant.name, 'determinism.byte', 'unstable')), tooFew };
  const { same, testable } = counts;
  if (measures(variant.name, 'determinism.byte', 'departure')?.note === UNTESTABLE) {
    return { ...counts, value: null, bound: 'repeats come from a cache', shortBound: 'cached' };
  }
  if (testable === 0) {
    return { ...counts, value: null, bound: 'no cell has two takes that were delivered', shortBound: 'too few takes' };
  }
  const value = `${count(same)} of ${plural(testable, 'cell')}`;
  const departure = measures(variant.name, 'determinism.byte', 'departure');
  const unstable = measures(variant.name, 'determinism.byte', 'unstable');
  return { ...counts, value, ...boundOf(departure, unstable, same === testable) };
}

/** Open load may outlast the plan's seeds: then the measure knows of more cells than the plan has. */
function countCells(own: readonly Cell[], unstable: Measure | null): Pick<SameBytes, 'same' | 'testable'> {
  if (unstable !== null && unstable.value !== null) {
    return { same: unstable.n - Math.round(unstable.value * unstable.n), testable: unstable.n };
  }
  const testable = own.filter((cell) => cell.byte !== 'too few');
  return { same: testable.filter((cell) => cell.byte === 'same').length, testable: testable.length };
}

function boundOf(
  departure: Measure | null,
  unstable: Measure | null,
  allSame: boolean,
): Pick<SameBytes, 'bound' | 'shortBound'> {
  if (departure === null || departure.value === null) {
    const bound = departure?.note || 'no bound: departures not measured';
    return { bound, shortBound: 'no bound' };
  }
  const { value, ciHigh, n } = departure;
  if (!allSame || value > 0) {
    const takes = `${share(value)} of takes depart from their cell's usual output (n = ${count(n)})`;
    const cells = unstable === null ? '' : `; ${shareOfCells(unstable)}`;
    const bound = takes + cells;
    return { bound, shortBound: share(value) };
  }
  if (ciHigh === null) return { bound: departure.note || `no bound (n = ${count(n)})`, shortBound: 'no bound' };
  const most = shareAtMost(ciHigh);
  return {
    bound: `a further take departs in at most ${most} (one-sided 95 %, n = ${count(n)})`,
    shortBound: `≤ ${most}`,
  };
}

function shareOfCells({ value, ciLow, ciHigh }: Measure): string {
  if (value === null || ciLow === null || ciHigh === null) return 'no interval over cells';
  return `${share(value)} of cells [${shareInterval(ciLow, ciHigh)}]`;
}

/** Complete or not and why, in one sentence. */
export function completeness({ run, variants }: Analysis): string {
  const planned = variants.reduce((sum, variant) => sum + variant.plannedTrials, 0);
  const missing = variants.reduce((sum, { missing, outcomes }) => sum + missing + (outcomes.cancelled ?? 0), 0);
  if (run.complete) return `Complete: all ${plural(planned, 'planned take')} have a result`;
  const why = run.stop === null ? 'the process ended before it could say why' : run.stop.message || run.stop.reason;
  const probes = run.missingProbes === 0 ? '' : `, nor ${plural(run.missingProbes, 'probe')}`;
  return `Incomplete: ${count(missing)} of ${plural(planned, 'planned take')} have no result${probes}. Why: ${why}`;
}

/** Until a suite declares a gate there is nothing to judge by. */
export const NO_GATE = 'No gate declared: nothing was judged';

/** The kinds that occur, in the order of their first variant, each with its variants. */
export function byKind(variants: readonly VariantSummary[]): readonly (readonly [Kind, readonly VariantSummary[]])[] {
  const kinds = new Map<Kind, VariantSummary[]>();
  for (const variant of variants) {
    const known = kinds.get(variant.kind);
    if (known === undefined) kinds.set(variant.kind, [variant]);
    else known.push(variant);
  }
  return [...kinds];
}
