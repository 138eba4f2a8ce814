import { CONFIDENCE } from '../../../analysis/confidence.ts';
import type { Metric } from '../../../analysis/measures/metric.ts';
import type { Unit } from '../../../analysis/measures/unit.ts';
import { caseSeedOf } from '../../../plan/cell.ts';
import { takesOfCell } from '../../../plan/parts.ts';
import { isMeasured, type Plan } from '../../../plan/plan.ts';
import type { Trial } from '../../../plan/trial.ts';
import { detectableShift } from '../../../statistics/ranks/detectable-shift.ts';
import { fewestForSignedRank } from '../../../statistics/ranks/signed-rank-null.ts';
import { eventLimits } from '../../../statistics/rates/event-limits.ts';
import type { Load } from '../../../suite/format/load.ts';
import type { GateRule } from '../../../suite/format/rule.ts';
import { STABILITY_METRICS } from '../../baseline/stability.ts';
import { FEWEST_RUNS, type HistoryReach } from '../../history/decide-runs.ts';
import { unitKindOf } from '../../pairs/comparable.ts';
import type { UnitKind } from '../../pairs/units.ts';
import { alphasOf, ERROR_RATE } from '../alpha.ts';
import { comparesVariants, type GatedVariant, type RuleCase, ruleCases } from '../rule-cases.ts';
import { boundedOf } from '../rule-statistic.ts';
import { shortestLoadMs } from '../shortest-load.ts';
import { lookPartOf } from '../weighing/look-part.ts';
import { fewestWhere } from './fewest-where.ts';
import { reachOfRise } from './reach-of-rise.ts';
import type { RuleFault } from './rule-fault.ts';

/** What a gate is planned on. */
export interface PlannedGate {
  readonly rules: readonly GateRule[];
  /** Those that this machine measures. */
  readonly variants: readonly GatedVariant[];
  readonly prompts: readonly { readonly id: string; readonly tags: readonly string[] }[];
  readonly plan: Plan;
  readonly load: Load;
  readonly repeats: number;
  readonly metrics: readonly Metric[];
}

/** A rule held against one variant, before anything is sent. */
export interface PlannedCase {
  readonly ruleCase: RuleCase<GatedVariant>;
  readonly units: UnitKind | 'blocks' | 'takes' | 'runs';
  /** Of the metric. */
  readonly unit: Unit;
  readonly n: number;
  readonly reach: Reach;
}

/** What a rule can tell. */
export type Reach =
  /** The smallest change that fails in 4 of 5 runs: as a ratio, `spread` being the assumed standard deviation of a unit's ln ratio. */
  | { readonly can: 'detect_change'; readonly ratio: number; readonly spread: number }
  /** The smallest rise of a rate that fails in 4 of 5 runs if the baseline has no event; in shares. */
  | { readonly can: 'detect_rise'; readonly rise: number }
  /** Events among the takes: up to so many pass, from so many on it fails; null where none does. */
  | { readonly can: 'count_events'; readonly mostThatPass: number | null; readonly fewestThatFail: number | null }
  /** How likely it fails where each take has the event once in 200. */
  | { readonly can: 'find_event'; readonly chance: number }
  /** Decides a run by those before it, from so many on; null: those before it are fewer, or nobody looked for them. */
  | { readonly can: 'decide_runs'; readonly fewestEarlier: number; readonly earlier: HistoryReach | null }
  /** It depends on values that nobody knows yet. */
  | { readonly can: 'unknown' };

/** What every rule could tell of every variant, and the rules that this plan could never pass or never fail. */
export function planGate(gate: PlannedGate): {
  readonly cases: readonly PlannedCase[];
  readonly faults: readonly RuleFault[];
} {
  const cases = ruleCases(gate.rules, gate.variants, gate.prompts);
  const comparisons = cases.filter(({ rule }) => comparesVariants(rule)).length;
  // Of the last look, where the gate is looked at more than once: it stands on all units.
  const alpha = alphasOf(gate.plan.looks).at(-1) ?? ERROR_RATE;
  const planned = cases.map((ruleCase) => planCase(ruleCase, gate, { alpha, comparisons }));
  return {
    cases: planned.map(({ planned: each }) => each),
    faults: distinctFaults(planned.flatMap(({ fault }) => fault ?? [])),
  };
}

/** The error rate of every test, and how many comparisons share it. */
interface Family {
  readonly alpha: number;
  readonly comparisons: number;
}

interface Weighed {
  readonly planned: PlannedCase;
  readonly fault: RuleFault | null;
}

/** A change is called detectable where 4 of 5 runs find it. */
const POWER = 0.8;

function planCase(ruleCase: RuleCase<GatedVariant>, gate: PlannedGate, family: Family): Weighed {
  const { alpha, comparisons } = family;
  const { rule, index } = ruleCase;
  const { bound } = rule;
  const unit = unitOf(ruleCase, gate);
  const takes = takesOf(ruleCase, gate.plan);
  const refuse = (
    code: 'cannot_pass' | 'cannot_fail',
    units: Exclude<PlannedCase['units'], 'runs'>,
    n: number,
    needs: number | null,
  ) =>
    ({ index, key: bound.is, code, variant: ruleCase.variant.name, units, n, needs, comparisons }) satisfies RuleFault;
  if (STABILITY_METRICS.has(rule.metric)) return planStability(ruleCase, takes, alpha);
  if (rule.against === 'history') {
    const reach: Reach = { can: 'decide_runs', fewestEarlier: FEWEST_RUNS + 1, earlier: null };
    return { planned: { ruleCase, unit, units: 'runs', n: 0, reach }, fault: null };
  }
  switch (bound.is) {
    case 'max_increase':
    case 'max_decrease': {
      const units = rule.scope === 'prompts' ? 'prompts' : unitKindOf(gate.load);
      const n = countUnits(takes, units);
      const needs = fewestForSignedRank(alpha / comparisons);
      if (n < needs)
        return { planned: { ruleCase, unit, units, n, reach: UNKNOWN }, fault: refuse('cannot_fail', units, n, needs) };
      const reach = 'share' in bound ? detectable(bound, n, family, units, gate) : UNKNOWN;
      return { planned: { ruleCase, unit, units, n, reach }, fault: null };
    }
    case 'max_rise':
      return planRise(ruleCase, bound.share, takes, family, gate, refuse);
    case 'max':
    case 'min':
      return planBound(ruleCase, takes.length, alpha, gate, refuse);
    case 'none': {
      const chance = 1 - Math.exp(takes.length * Math.log1p(-EVENT_RATE));
      return {
        planned: { ruleCase, unit, units: 'takes', n: takes.length, reach: { can: 'find_event', chance } },
        fault: null,
      };
    }
  }
}

/** At best every cell still matches: a pass of `min` needs so many that its bound is within. */
function planStability(ruleCase: RuleCase<GatedVariant>, takes: readonly PlacedTrial[], alpha: number): Weighed {
  const { index, variant } = ruleCase;
  const { bound } = ruleCase.rule;
  const n = countUnits(takes, 'cells');
  const planned: PlannedCase = { ruleCase, unit: '1', units: 'cells', n, reach: UNKNOWN };
  if (bound.is !== 'min') return { planned, fault: null };
  const passes = (cells: number) => bound.value <= Math.exp(Math.log(alpha) / cells);
  if (passes(n)) return { planned, fault: null };
  const needs = fewestWhere(passes);
  return { planned, fault: { index, key: bound.is, code: 'too_few_cells', variant: variant.name, n, needs } };
}

function unitOf({ rule }: RuleCase<GatedVariant>, { metrics }: PlannedGate): Unit {
  return metrics.find(({ name }) => name === rule.metric)?.unit ?? '1';
}

/** How often an event is taken to happen where the chance of a fail is told. */
const EVENT_RATE = 0.005;

const UNKNOWN: Reach = { can: 'unknown' };

/** The measured trials of a case's variant, within its prompts. */
function takesOf({ variant, prompts }: RuleCase<GatedVariant>, { slices }: Plan): readonly PlacedTrial[] {
  return slices.flatMap(({ index, trials }) =>
    trials
      .filter((trial) => isMeasured(trial) && trial.variant === variant.name)
      .filter(({ prompt }) => prompts === null || prompts.has(prompt))
      .map((trial) => ({ trial, slice: index })),
  );
}

interface PlacedTrial {
  readonly trial: Trial;
  readonly slice: number;
}

function countUnits(takes: readonly PlacedTrial[], units: UnitKind): number {
  return new Set(takes.map(UNIT_KEYS[units])).size;
}

/** A round has one slice of each variant. */
const UNIT_KEYS: Readonly<Record<UnitKind, (take: PlacedTrial) => string>> = {
  blocks: ({ trial }) => trial.block,
  rounds: ({ slice }) => String(slice),
  cells: ({ trial }) => caseSeedOf(trial),
  prompts: ({ trial }) => trial.prompt,
};

/**
 * The standard deviation of a take's ln latency that plans assume where no earlier run tells it: that of a coefficient of variation
 * of 15 %, sqrt(ln(1 + 0.15^2)).
 */
const ASSUMED_SPREAD = Math.sqrt(Math.log1p(0.15 * 0.15));

/**
 * The change that fails in 4 of 5 runs, by the assumed spread: a block has the spread of two takes, any other unit that of the
 * median over its blocks (of two, half the variance; of more, pi / 2 of the mean's, which is exact for many and 5 % high for three).
 */
function detectable(
  bound: { readonly is: 'max_increase' | 'max_decrease'; readonly share: number },
  n: number,
  { alpha, comparisons }: Family,
  units: UnitKind,
  { repeats, load, plan }: PlannedGate,
): Reach {
  const blocks = {
    blocks: 1,
    rounds: Math.min(2 * load.concurrency, largestOf(plan)),
    cells: takesOfCell(repeats, plan.looks),
    prompts: takesOfCell(repeats, plan.looks),
  }[units];
  const inflation = blocks <= 2 ? 1 / blocks : Math.PI / 2 / blocks;
  const spread = Math.SQRT2 * ASSUMED_SPREAD * Math.sqrt(inflation);
  const shift = detectableShift(n, alpha / comparisons, POWER);
  if (shift === null) return UNKNOWN;
  const limit = bound.is === 'max_increase' ? Math.log1p(bound.share) : -Math.log1p(-bound.share);
  const change = limit + shift * spread;
  return { can: 'detect_change', ratio: Math.exp(bound.is === 'max_increase' ? change : -change), spread };
}

function largestOf({ slices }: Plan): number {
  return slices.reduce((most, { trials }) => Math.max(most, trials.length), 1);
}

type Refuse = (
  code: 'cannot_pass' | 'cannot_fail',
  units: Exclude<PlannedCase['units'], 'runs'>,
  n: number,
  needs: number | null,
) => RuleFault;

/** What a rule about a rise can tell; refused where no outcome could pass, or fail. */
function planRise(
  ruleCase: RuleCase<GatedVariant>,
  limit: number,
  takes: readonly PlacedTrial[],
  family: Family,
  gate: PlannedGate,
  refuse: Refuse,
): Weighed {
  const kind = unitKindOf(gate.load);
  const [units, n] =
    kind === 'rounds' ? (['rounds', countUnits(takes, kind)] as const) : (['blocks', takes.length] as const);
  const { never, needs, rise } = reachOfRise({ limit, kind, units: n, blocks: takes.length, power: POWER, ...family });
  const reach: Reach = rise === null ? UNKNOWN : { can: 'detect_rise', rise };
  const planned: PlannedCase = { ruleCase, unit: unitOf(ruleCase, gate), units, n, reach };
  return { planned, fault: never === null ? null : refuse(never, units, n, needs) };
}

function planBound(
  ruleCase: RuleCase<GatedVariant>,
  n: number,
  alpha: number,
  gate: PlannedGate,
  refuse: Refuse,
): Weighed {
  const { metrics } = gate;
  const unit = unitOf(ruleCase, gate);
  const { rule } = ruleCase;
  const { bound } = rule;
  if (bound.is !== 'max' && bound.is !== 'min') throw new Error(`${bound.is} is no bound of a value`);
  const metric = metrics.find(({ name }) => name === rule.metric);
  const planned: PlannedCase = { ruleCase, unit, units: 'takes', n, reach: UNKNOWN };
  const needsMs = metric === undefined ? null : shortestLoadMs(rule, metric, gate.load);
  const lastsMs = longestSliceMs(ruleCase, gate.plan);
  if (needsMs !== null && lastsMs < needsMs) {
    const { index, variant } = ruleCase;
    return { planned, fault: { index, key: bound.is, code: 'short_load', variant: variant.name, lastsMs, needsMs } };
  }
  const bounded = metric === undefined ? null : boundedOf(rule, metric);
  if (bounded?.by === 'takes') {
    const quantile = bounded.percent / 100;
    const below = bound.is === 'max' ? quantile : 1 - quantile;
    // Either verdict needs a bound on its side of the limit: that all takes are on the other must be unlikely.
    const isBounded = (share: number) => (takes: number) => Math.exp(takes * Math.log(share)) <= alpha;
    const [passes, fails] = [isBounded(below), isBounded(1 - below)];
    if (!passes(n)) return { planned, fault: refuse('cannot_pass', 'takes', n, fewestWhere(passes)) };
    return { planned, fault: fails(n) ? null : refuse('cannot_fail', 'takes', n, fewestWhere(fails)) };
  }
  if (bounded?.by !== 'events' || bounded.among !== 'takes' || bound.is !== 'max') return { planned, fault: null };
  const level = lookPartOf(rule, metrics) === 'each_look' ? 1 - alpha : CONFIDENCE;
  const limits = eventLimits(n, bound.value, level);
  const passes = (takes: number) => eventLimits(takes, bound.value, level).mostThatPass !== null;
  const fails = (takes: number) => eventLimits(takes, bound.value, level).fewestThatFail !== null;
  const counted: PlannedCase = { ...planned, reach: { can: 'count_events', ...limits } };
  if (!passes(n)) return { planned: counted, fault: refuse('cannot_pass', 'takes', n, fewestWhere(passes)) };
  return { planned: counted, fault: fails(n) ? null : refuse('cannot_fail', 'takes', n, fewestWhere(fails)) };
}

/** How long the open load of a case lasts, from the first call to the last. */
function longestSliceMs({ variant }: RuleCase<GatedVariant>, { slices }: Plan): number {
  const own = slices.flatMap(({ trials, pace }) =>
    pace.mode === 'open' && trials.some((trial) => trial.variant === variant.name) ? [pace.startsMs] : [],
  );
  return Math.max(0, ...own.map((startsMs) => (startsMs.at(-1) ?? 0) - (startsMs[0] ?? 0)));
}

/** One fault of a rule and kind, not one a variant. */
function distinctFaults(faults: readonly RuleFault[]): readonly RuleFault[] {
  return faults.filter(
    ({ index, code }, at) => faults.findIndex((other) => other.index === index && other.code === code) === at,
  );
}
