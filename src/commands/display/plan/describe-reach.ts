import { countUnits, type PlannedCase, type Reach } from '../../../analysis/gate/planning/planned-case.ts';
import { groupBy } from '../../../analysis/grouping.ts';
import { partsOfSlice } from '../../../analysis/measures/closed-throughput.ts';
import { fewestToTell } from '../../../analysis/pairs/families.ts';
import { unitKindOf } from '../../../analysis/pairs/units.ts';
import { KIND_NAMES, kindOrVariantNames, variantNames } from '../../../kit/names.ts';
import { differenceWords, times } from '../../../kit/value-words.ts';
import { visibleLine } from '../../../kit/visible.ts';
import { count, MOST_WHOLE, plural, share } from '../../../kit/wording.ts';
import { isMeasured, type Plan } from '../../../plan/plan.ts';
import { CALLS_PER_SLOT } from '../../../plan/sweep.ts';
import type { Trial } from '../../../plan/trial.ts';
import { allowedWords, asLong, isLeast } from '../../../report/statements/verdict-statement.ts';
import { FEWEST_UNITS } from '../../../statistics/samples/jackknife.ts';
import { fewestForInterval } from '../../../statistics/samples/quantile-interval.ts';
import type { ClosedLoad, Load, OpenLoad } from '../../../suite/format/load.ts';
import type { GateRule } from '../../../suite/format/rule.ts';
import type { Variant } from '../../../targets/model/target.ts';

const LEVEL = 0.95;

export function describeReaches(
  variants: readonly Variant[],
  measured: readonly Trial[],
  steps: number,
): readonly string[] {
  const takes = new Map(variants.map(({ name }) => [name, 0]));
  for (const { variant } of measured) takes.set(variant, (takes.get(variant) ?? 0) + 1);
  const groups = groupBy([...takes], ([, of]) => String(of));
  return [...groups.values()].map((group) => {
    const names = group.map(([name]) => name);
    return visibleLine(
      `  ${plannedNames(names, variants)}: ${latencyReach((group[0]?.[1] ?? 0) / steps, names.length > 1)}`,
    );
  });
}

/** Whole kinds by their name, where there are several. */
function plannedNames(names: readonly string[], variants: readonly Pick<Variant, 'name' | 'kind'>[]): string {
  return names.length === variants.length || new Set(variants.map(({ kind }) => kind)).size === 1
    ? variantNames(names, variants.length)
    : kindOrVariantNames(names, variants);
}

function latencyReach(takes: number, isEach: boolean): string {
  const quantiles = [50, 90, 95, 99];
  const reached = quantiles.filter((percent) => takes >= fewestForInterval(percent, LEVEL));
  const next = quantiles.find((percent) => takes < fewestForInterval(percent, LEVEL));
  const shown =
    reached.length === 0 ? 'no interval' : `intervals for ${reached.map((percent) => `p${percent}`).join(', ')}`;
  const missing = next === undefined ? '' : `; p${next} needs ${fewestForInterval(next, LEVEL)}`;
  return `${plural(takes, 'take')}${isEach ? ' each' : ''}, ${shown}${missing}`;
}

/**
 * `Comparison of speed: 12 rounds each; telling one of 10 candidates apart needs at least 9`, a line for each kind. Empty
 * where no repeat would show how much a variant drifts.
 */
export function describeComparisons(
  variants: readonly Pick<Variant, 'name' | 'kind' | 'baseline' | 'twinOf'>[],
  { slices, load }: Pick<Plan, 'slices'> & { readonly load: Load },
): readonly string[] {
  if (load.mode === 'open' || (load.order === 'sequential' && load.concurrency > 1 && load.steps === null)) return [];
  const placed = slices.flatMap(({ index, trials }) =>
    trials.filter(isMeasured).map((trial) => ({ trial, slice: index })),
  );
  const units = unitKindOf(load);
  const steps = load.steps?.length ?? 1;
  const kinds = groupBy(variants, ({ kind }) => kind);
  return [...kinds].flatMap(([kind, own]) => {
    const candidates = own.filter(({ baseline, twinOf }) => !baseline && twinOf === undefined).map(({ name }) => name);
    if (candidates.length === 0) return [];
    const unitsOf = (name: string) =>
      countUnits(
        placed.filter(({ trial }) => trial.variant === name),
        units,
      ) / steps;
    const whose = kinds.size === 1 ? '' : ` of ${KIND_NAMES[kind].toLowerCase()}`;
    const whom = candidates.length < 3 ? 'variants' : `one of ${count(candidates.length)} candidates`;
    return `Comparison of speed${whose}: ${plural(Math.min(...candidates.map(unitsOf)), UNITS[units])}${candidates.length === 1 ? '' : ' each'}; telling ${whom} apart needs at least ${count(fewestToTell(candidates.length))}`;
  });
}

/** What the throughput of one variant at one concurrency will be, if no take fails. */
interface ThroughputReach {
  readonly variant: string;
  readonly concurrency: number;
  readonly slices: number;
  readonly fewestTakes: number;
  readonly mostTakes: number;
  /** `interval`: a value with an interval; `range`: only limits of the value. */
  readonly gives: 'interval' | 'value' | 'range' | 'nothing';
  /** What a value needs; null if there is one. */
  readonly valueNeeds: Needed | null;
  /** What an interval needs; null if there is one. */
  readonly intervalNeeds: Needed | null;
}

/** Takes of the variant at this concurrency, and the repeats for them; null if repeats do not help. */
interface Needed {
  readonly takes: number | null;
  readonly repeats: number | null;
}

type PlannedLoad = Pick<OpenLoad, 'mode'> | Pick<ClosedLoad, 'mode' | 'order' | 'concurrency' | 'steps'>;

interface PlannedSlices {
  readonly slices: readonly {
    readonly trials: readonly Pick<Trial, 'variant' | 'prompt' | 'seed' | 'phase' | 'step'>[];
  }[];
}

/** The smallest concurrency first. Empty for open load and mixed order, which have no slice per variant. */
export function throughputReaches(load: PlannedLoad, { slices }: PlannedSlices): readonly ThroughputReach[] {
  if (load.mode === 'open' || load.order === 'mixed') return [];
  const measured = slices.flatMap(({ trials }) => {
    const [first] = trials;
    return first === undefined || !trials.every(isMeasured)
      ? []
      : [{ variant: first.variant, step: first.step ?? load.concurrency, trials }];
  });
  const parts = [...groupBy(measured, ({ variant, step }) => `${step} ${variant}`).values()];
  return parts
    .flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const cells = new Set(own.flatMap(({ trials }) => trials.map(({ prompt, seed }) => `${prompt} ${seed}`))).size;
      const takes = own.map(({ trials }) => trials.length);
      return [{ variant: first.variant, ...reachOf(takes, first.step, cells, load.steps !== null) }];
    })
    .toSorted((a, b) => a.concurrency - b.concurrency);
}

function reachOf(
  takes: readonly number[],
  concurrency: number,
  cells: number,
  isSweep: boolean,
): Omit<ThroughputReach, 'variant'> {
  // One by one: a call takes at most some 100,000 arguments.
  const [fewestTakes, mostTakes] = takes.reduce(
    ([fewest, most], each) => [Math.min(fewest, each), Math.max(most, each)],
    [Number.POSITIVE_INFINITY, 0],
  );
  const sent = { concurrency, slices: takes.length, fewestTakes, mostTakes };
  if (concurrency === 1) {
    // Each call is a slice of its own.
    const enough = takes.reduce((sum, each) => sum + each, 0) >= FEWEST_UNITS;
    const intervalNeeds = enough ? null : { takes: FEWEST_UNITS, repeats: Math.ceil(FEWEST_UNITS / cells) };
    return { ...sent, gives: enough ? 'interval' : 'value', valueNeeds: null, intervalNeeds };
  }
  const parts = takes.reduce((sum, each) => sum + partsOfSlice(each, concurrency), 0);
  // Other load has a fixed number of slices, however many repeats there are.
  const needs = (slices: number): Needed => {
    const repeats = slices * Math.ceil((CALLS_PER_SLOT * concurrency) / cells);
    return isSweep ? { takes: repeats * cells, repeats } : { takes: null, repeats: null };
  };
  if (parts >= FEWEST_UNITS) return { ...sent, gives: 'interval', valueNeeds: null, intervalNeeds: null };
  const intervalNeeds = needs(FEWEST_UNITS);
  if (parts > 0) return { ...sent, gives: 'value', valueNeeds: null, intervalNeeds };
  return {
    ...sent,
    gives: takes.length >= FEWEST_UNITS ? 'range' : 'nothing',
    valueNeeds: needs(1),
    intervalNeeds,
  };
}

export function describeThroughput(
  reaches: readonly ThroughputReach[],
  variants: readonly Pick<Variant, 'name'>[],
): readonly string[] {
  if (reaches.length === 0) return [];
  const alike = groupBy(reaches, (reach) => `${reach.concurrency} ${reachWords(reach)}`);
  const lines = [...alike.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const own = new Set([first, ...more].map(({ variant }) => variant));
    const names = variantNames(
      variants.map(({ name }) => name).filter((name) => own.has(name)),
      variants.length,
    );
    return [visibleLine(`${names} at concurrency ${count(first.concurrency)}: ${reachWords(first)}`)];
  });
  const title = 'Throughput, if no take fails:';
  return lines.length === 1 ? [`${title} ${lines.join('')}`] : [title, ...lines.map((line) => `  ${line}`)];
}

const GIVES: Readonly<Record<ThroughputReach['gives'], string>> = {
  interval: 'a value with an interval',
  value: 'a value',
  range: 'a range',
  nothing: 'nothing',
};

/** `2 slices of 180 takes: a value; an interval needs 84 repeats (1,008 takes)`. */
function reachWords(reach: ThroughputReach): string {
  const { concurrency, gives, slices, fewestTakes, mostTakes, valueNeeds, intervalNeeds } = reach;
  if (concurrency === 1) {
    const takes = intervalNeeds?.takes ?? null;
    return takes === null ? GIVES[gives] : `${GIVES[gives]}; an interval needs ${plural(takes, 'take')}`;
  }
  const takes =
    fewestTakes === mostTakes ? plural(mostTakes, 'take') : `${count(fewestTakes)} to ${plural(mostTakes, 'take')}`;
  const sent = `${plural(slices, 'slice')} of ${takes}: ${GIVES[gives]}`;
  if (valueNeeds !== null) {
    const more = intervalNeeds === null || intervalNeeds.takes === null ? '' : `, an interval ${needs(intervalNeeds)}`;
    return `${sent}; a value needs ${needs(valueNeeds)}${more}`;
  }
  return intervalNeeds === null ? sent : `${sent}; an interval needs ${needs(intervalNeeds)}`;
}

function needs({ takes, repeats }: Needed): string {
  return takes === null || repeats === null
    ? 'a sweep, as concurrency: [1, 2, 4]'
    : `${plural(repeats, 'repeat')} (${plural(takes, 'take')})`;
}

const UNITS = { cells: 'cell pair', rounds: 'round', prompts: 'prompt', blocks: 'block', takes: 'take' } as const;

export function describeGate(
  cases: readonly PlannedCase[],
  variants: readonly Pick<Variant, 'name' | 'kind'>[],
): readonly string[] {
  if (cases.length === 0) return [];
  const groups = groupBy(cases, ({ ruleCase, unit, units, n, reach }) =>
    JSON.stringify([ruleCase.index, unit, units, n, reach]),
  );
  // A rule has one line, whatever it can find for which variants.
  const rules = groupBy([...groups.values()], (group) => String(group[0]?.ruleCase.index));
  const isAssumed = cases.some(({ reach }) => reach.can === 'detect_change');
  return [
    '',
    'Gate:',
    ...[...rules.values()].map((own) => `  ${visibleLine(describeRule(own, variants))}`),
    ...(isAssumed ? ['  A change that a rule detects is found in 80 % of runs, if latencies vary by 15 %'] : []),
  ];
}

function describeRule(
  groups: readonly (readonly PlannedCase[])[],
  variants: readonly Pick<Variant, 'name' | 'kind'>[],
): string {
  const [first] = groups.flat();
  if (first === undefined) throw new Error('a rule without a case');
  const all = groups.flat().length;
  const said = groups.map((group) => describeGroup(group, all, variants));
  return `${allowedWords({ rule: first.ruleCase.rule, unit: first.unit })}: ${said.join('; ')}`;
}

/** @param ofRule the cases of the rule */
function describeGroup(
  group: readonly PlannedCase[],
  ofRule: number,
  variants: readonly Pick<Variant, 'name' | 'kind'>[],
): string {
  const [first] = group;
  if (first === undefined) throw new Error('a group without a case');
  const { ruleCase, units, n, reach } = first;
  const names = group.map((each) => each.ruleCase.variant.name);
  const who =
    ofRule === names.length && ofRule > MOST_WHOLE ? variantNames(names, ofRule) : plannedNames(names, variants);
  const each = group.length === 1 ? '' : ' each';
  const noun = ruleCase.baseline === null && units === 'cells' ? 'cell' : units === 'runs' ? null : UNITS[units];
  const standsOn = noun === null ? '' : `${plural(n, noun)}${each}`;
  const reached = units === 'runs' ? describeRuns(reach, n, ruleCase.rule) : gateReach(reach, n, ruleCase.rule);
  return `${who}: ${standsOn}${reached}`;
}

function gateReach(reach: Reach, n: number, rule: GateRule): string {
  switch (reach.can) {
    case 'detect_change':
      return `, detects ${times(reach.ratio)}${asLong(rule)}`;
    case 'detect_rise':
      return `, detects ${differenceWords(reach.rise, '1')} in 80 % of runs if the baseline has no such event`;
    case 'count_events': {
      const passes = reach.mostThatPass === null ? 'never passes' : `passes ${counted(reach.mostThatPass, reach)}`;
      return `, ${passes}, ${reach.fewestThatFail === null ? 'never fails' : `fails from ${count(reach.fewestThatFail)}${reach.counted === 'events' ? '' : ' that are not'}`}`;
    }
    case 'find_event':
      return n === 0 ? '' : `, fails in ${share(reach.chance)} of runs if 1 of 200 takes has such an event`;
    case 'decide_runs':
    case 'unknown':
      return '';
  }
}

function counted(n: number, { counted: what }: Extract<Reach, { readonly can: 'count_events' }>): string {
  if (n === 0) return what === 'events' ? 'without an event' : 'only if all are';
  return `with up to ${what === 'events' ? plural(n, 'event') : `${count(n)} that ${n === 1 ? 'is' : 'are'} not`}`;
}

/** `12 earlier runs vary by 6 %: finds 1.29x as long in the second such run, 4 times in 5`. */
function describeRuns(reach: Reach, n: number, rule: GateRule): string {
  if (reach.can !== 'decide_runs') return '';
  const { earlier, fewestEarlier } = reach;
  const has = n === 0 ? '' : `, has ${count(n)}`;
  if (earlier === null) return `needs ${plural(fewestEarlier, 'comparable earlier run')}${has}`;
  const { runs, spread, detects, passes } = earlier;
  const isDecrease = isLeast(rule);
  const ratio = times(Math.exp(isDecrease ? -detects : detects));
  const limit = isDecrease ? -Math.expm1(-passes) : Math.expm1(passes);
  const allowed = 'share' in rule.bound ? rule.bound.share : Infinity;
  // Rounded up: within the percentage that is printed they pass.
  const rarely =
    limit <= allowed
      ? ''
      : `; unchanged runs mostly pass only from ${rule.bound.is}: ${Math.ceil(100 * limit)}% on, else they are inconclusive`;
  return `${plural(runs, 'earlier run')} vary by ${share(spread)}: finds ${ratio}${asLong(rule)} in the second such run, 4 times in 5${rarely}`;
}
