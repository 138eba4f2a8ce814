import { UNIT_NOUNS } from '../../../analysis/note.ts';
import { type PlannedCase, type Reach, type SpeedReach, speedReaches } from '../../../gate/planned-reach.ts';
import { rarelyPassWords, SLOW_DRIFT, varyWords } from '../../../gate/undecided-words.ts';
import { allowedWords, asLong, isOfDurations } from '../../../gate/verdict-statement.ts';
import { groupBy } from '../../../kit/grouping.ts';
import { kindOrVariantNames, shownName, variantNames } from '../../../kit/names.ts';
import { differenceWords, times } from '../../../kit/value-words.ts';
import { visibleLine } from '../../../kit/visible.ts';
import { count, listed, MOST_WHOLE, plural, significant, usd } from '../../../kit/wording.ts';
import type { CostEstimate, VariantEstimate } from '../../../plan/estimate.ts';
import { isMeasured } from '../../../plan/plan.ts';
import { painter, tableLines } from '../../../report/paint.ts';
import type { PreparedSuite } from '../../../run/prepare-suite.ts';
import { CONFIDENCE, fewestForInterval } from '../../../statistics/quantile.ts';
import { fewestForSignedRank } from '../../../statistics/signed-rank.ts';
import { isClaim } from '../../../suite/gate.ts';
import type { GateRule } from '../../../suite/rule.ts';
import { sweepSteps } from '../../../suite/sweep.ts';
import type { Variant } from '../../../targets/target.ts';

/** What a run measures of a variant: of a sweep, at each of its steps. */
export type VariantReach = VariantEstimate & {
  readonly takes: number;
  /** Percentiles of latency that have an interval. */
  readonly percents: readonly number[];
  /** Null where its speed is compared with no baseline variant. */
  readonly speed: SpeedReach | null;
};

export function variantReaches(
  { variants: estimates }: CostEstimate,
  { suite, variants, plan }: Planned,
): readonly VariantReach[] {
  const speeds = speedReaches(variants, { ...plan, load: suite.load });
  const measured = groupBy(
    plan.slices.flatMap(({ trials }) => trials.filter(isMeasured)),
    ({ variant }) => variant,
  );
  return estimates.map((estimate) => {
    const own = variants.find(
      ({ name, baseline, twinOf }) => name === estimate.variant && !baseline && twinOf === undefined,
    );
    const takes = (measured.get(estimate.variant)?.length ?? 0) / (sweepSteps(suite.load)?.length ?? 1);
    const percents = NEEDS.filter((need) => takes >= need.takes).map(({ percent }) => percent);
    const speed = speeds.find(({ kind }) => kind === own?.kind) ?? null;
    return { ...estimate, takes, percents, speed };
  });
}

type Planned = Pick<PreparedSuite, 'suite' | 'variants' | 'plan'>;

/** A row for each variant, and what its columns mean. Costs only where there are some. */
export function variantTable(reaches: readonly VariantReach[], steps: number, width: number): readonly string[] {
  const isCosted = reaches.some((reach) => 'unknown' in reach || reach.mostUsd > 0);
  const [units] = reaches.flatMap(({ speed }) => speed?.units ?? []);
  const columns: Readonly<Record<string, (reach: VariantReach) => string>> = {
    requests: ({ requests }) => count(requests),
    [steps === 1 ? 'takes' : 'takes a step']: ({ takes }) => count(takes),
    ...(isCosted ? { cost: (reach) => ('unknown' in reach ? 'unknown' : costRange(reach)) } : {}),
    intervals: ({ percents }) => percents.map((percent) => `p${percent}`).join(', ') || 'none',
    ...(units === undefined
      ? {}
      : {
          [unitNouns(units)]: ({ speed }) => (speed === null ? '' : `${count(speed.n)}, needs ${count(speed.fewest)}`),
        }),
  };
  const rows = reaches.map((reach) => ({
    name: visibleLine(shownName(reach.variant)),
    cells: Object.values(columns).map((cell) => ({ value: cell(reach), evidence: '' })),
  }));
  const table = tableLines('Variants', Object.keys(columns), rows, width, painter({ colour: false }));
  const overAll = `over all prompts of a variant${steps === 1 ? '' : ' at a step'}`;
  return [
    ...table.map((line) => line.trimEnd()),
    `  Intervals are of latency, ${overAll}: ${INTERVALS}`,
    ...(units === undefined
      ? []
      : [`  Fewer ${unitNouns(units)} than needed show no difference of speed from the baseline variant`]),
  ];
}

/** `pairs of takes`. */
function unitNouns(units: keyof typeof UNITS): string {
  return plural(2, UNITS[units]).slice('2 '.length);
}

const NEEDS = [50, 90, 95, 99].map((percent) => ({ percent, takes: fewestForInterval(percent, CONFIDENCE) }));

/** `p50 needs 6 takes, p90 29`. */
const INTERVALS = NEEDS.map(
  ({ percent, takes }, at) => `p${percent}${at === 0 ? ` needs ${takes} takes` : ` ${takes}`}`,
).join(', ');

/** `$1.20 to $2.40`, or one amount. */
export function costRange({ leastUsd, mostUsd }: Pick<CostEstimate, 'leastUsd' | 'mostUsd'>): string {
  return leastUsd === mostUsd ? usd(mostUsd) : `${usd(leastUsd)} to ${usd(mostUsd)}`;
}

const UNITS = { ...UNIT_NOUNS, takes: 'take' } as const;

export function describeGate(
  cases: readonly PlannedCase[],
  variants: readonly Pick<Variant, 'name' | 'kind'>[],
): readonly string[] {
  if (cases.length === 0) return [];
  const groups = groupBy(cases, (planned) =>
    JSON.stringify([planned.ruleCase.index, planned.unit, countedUnits(planned), reachWords(planned)]),
  );
  // A rule has one line, even if it can detect different things for different variants.
  const rules = groupBy([...groups.values()], ([first]) => first.ruleCase.index);
  const isAssumed = cases.some(({ reach }) => reach.can === 'detect_change');
  const isOfClaim = ([[first]]: readonly [LikeCases, ...LikeCases[]]) => isClaim(first.ruleCase);
  const [claims, gate] = [
    [...rules.values()].filter(isOfClaim),
    [...rules.values()].filter((rule) => !isOfClaim(rule)),
  ];
  const listedOf = (some: readonly (readonly [LikeCases, ...LikeCases[]])[]) =>
    some.flatMap((rule) => describeRule(rule, variants).map((line) => `  ${visibleLine(line)}`));
  return [
    ...(claims.length === 0 ? [] : ['', 'Claims:', ...listedOf(claims)]),
    ...(gate.length === 0 ? [] : ['', 'Gate:', ...listedOf(gate)]),
    ...(isAssumed ? ['  Each finds such a change in 80 of 100 runs, if values vary by 15 % between takes'] : []),
  ];
}

type LikeCases = readonly [PlannedCase, ...PlannedCase[]];

/** The rule, then a line for all variants of which it can find the same. */
function describeRule(
  groups: readonly [LikeCases, ...LikeCases[]],
  variants: readonly Pick<Variant, 'name' | 'kind'>[],
): readonly string[] {
  const [[first]] = groups;
  const all = groups.flat().length;
  const lines = groups.map((group) => `  ${describeGroup(group, all, variants)}`);
  return [allowedWords({ rule: first.ruleCase.rule, unit: first.unit }), ...lines];
}

/** @param ofRule number of cases of the rule */
function describeGroup(group: LikeCases, ofRule: number, variants: readonly Pick<Variant, 'name' | 'kind'>[]): string {
  const [first] = group;
  const names = group.map((plannedCase) => plannedCase.ruleCase.variant.name);
  const isWhole = names.length === variants.length || (names.length === ofRule && ofRule > MOST_WHOLE);
  const isOneKind = new Set(variants.map(({ kind }) => kind)).size === 1;
  const who =
    isWhole || isOneKind
      ? variantNames(names, isWhole ? names.length : variants.length)
      : kindOrVariantNames(names, variants);
  const units = countedUnits(first);
  const each = units !== null && group.length > 1 ? ' each' : '';
  return `${who}: ${[units === null ? [] : units + each, reachWords(first) ?? []].flat().join(', ')}`;
}

function countedUnits({ ruleCase, units, n }: PlannedCase): string | null {
  if (units === 'runs') return null;
  return plural(n, ruleCase.baseline === null && units === 'cells' ? 'prompt x seed' : UNITS[units]);
}

/** Null where it is not known. */
function reachWords({ ruleCase: { rule }, reach, n }: PlannedCase): string | null {
  switch (reach.can) {
    case 'detect_change':
      return `finds ${changeOf(rule, reach.ratio)} or more`;
    case 'detect_rise':
      return `finds a rise of ${differenceWords(reach.rise, '1').slice('+'.length)} or more if the baseline variant has none`;
    case 'count_events':
      return countWords(reach, n, rule);
    case 'find_event':
      return n === 0 ? null : `finds a fault of 1 in 200 takes ${chanceWords(reach.chance)}`;
    case 'decide_runs':
      return describeRuns(reach, n, rule);
    case 'decide_claim':
      return `4 of 5 runs are decided ${pairsWords(reach, n, rule)}, if times vary by 15 % between takes`;
    case 'support_claim':
      return supportWords(reach);
    case 'unknown':
      return null;
  }
}

/** `within 17 pairs at a true ratio of 0.40x, within 95 at 0.55x (refuted), not within 200 at 0.45x`. */
function pairsWords(
  { ratios }: Extract<Reach, { readonly can: 'decide_claim' }>,
  all: number,
  { bound }: GateRule,
): string {
  const most = 'most' in bound ? bound.most : Infinity;
  const groups = groupBy(ratios, ({ pairs }) => `${pairs === null ? 'not ' : ''}within ${count(pairs ?? all)}`);
  const parts = [...groups].map(([pairs, alike], at) => {
    const where = listed(alike.map(({ ratio }) => `${times(ratio)}${ratio > most ? ' (refuted)' : ''}`));
    return at === 0 ? `${pairs} pairs at a true ratio of ${where}` : `${pairs} at ${where}`;
  });
  return parts.join(', ');
}

/** `supported after 90 pairs if no take fails, and in 32 of 100 runs if both fail in 2.00 % of takes`. */
function supportWords({ fewest, rate, supported }: Extract<Reach, { readonly can: 'support_claim' }>): string {
  const atBest = fewest === null ? 'in no run' : `after ${plural(fewest, 'pair')} if no take fails`;
  const often = `in ${Math.round(100 * supported)} of 100 runs if both fail in ${significant(100 * rate)} % of takes`;
  return `supported ${atBest}, and ${often}`;
}

/** `a slowdown of 23 %`, rounded up; `2.40x as long`. */
function changeOf(rule: GateRule, ratio: number): string {
  if (ratio >= 2) return `${times(ratio)}${asLong(rule)}`;
  const change = ratio < 1 ? 'a decrease' : isOfDurations(rule) ? 'a slowdown' : 'an increase';
  return `${change} of ${Math.ceil(100 * Math.abs(ratio - 1))} %`;
}

/** What one take of many does: a smaller chance is told as one of so many runs. */
function chanceWords(chance: number): string {
  return chance < 0.2 ? `only in 1 run of ${Math.round(1 / chance)}` : `in ${significant(100 * chance)} of 100 runs`;
}

const EVENT_NOUNS: Readonly<Record<string, string>> = {
  error_rate: 'failure',
  block_rate: 'blocked take',
  slow_rate: 'slow take',
};

/** `0 failures pass, 1 to 6 are too few to tell, 7 or more fail`. @param n takes */
function countWords(
  { counted, mostThatPass, fewestThatFail }: Extract<Reach, { readonly can: 'count_events' }>,
  n: number,
  { metric }: GateRule,
): string {
  const [from, to] = [(mostThatPass ?? -1) + 1, (fewestThatFail ?? n + 1) - 1];
  const most = mostThatPass ?? 0;
  const noun = counted === 'others' ? 'exception' : (EVENT_NOUNS[metric] ?? 'event');
  const what = `${most === 0 ? '' : 'up to '}${plural(most, noun)}`;
  return [
    mostThatPass === null ? 'never passes' : `${what} pass${most === 1 ? 'es' : ''}`,
    ...(from > to
      ? []
      : [`${from === to ? `${count(from)} is` : `${count(from)} to ${count(to)} are`} too few to tell`]),
    fewestThatFail === null ? 'never fails' : `${count(fewestThatFail)} or more fail`,
  ].join(', ');
}

/** `12 earlier runs vary by 6 %: finds a slowdown of 29 % in the second such run, 4 times in 5`. */
function describeRuns(reach: Extract<Reach, { readonly can: 'decide_runs' }>, n: number, rule: GateRule): string {
  const { limit, earlier, fewestEarlier } = reach;
  const has = n === 0 ? '' : `, has ${count(n)}`;
  if (earlier === null)
    return `needs ${plural(fewestEarlier, 'comparable earlier run')}${has}${describeFirst(reach, rule)}`;
  const { runs, spread, detects, passes } = earlier;
  const isDecrease = limit.worse === 'decrease';
  const found = `finds ${changeOf(rule, Math.exp(isDecrease ? -detects : detects))} in the second such run, 4 times in 5`;
  const rarely = rarelyPassWords(rule, Math.exp(isDecrease ? -passes : passes));
  return [`${varyWords(runs, spread)}: ${found}`, ...(rarely === '' ? [] : [rarely]), SLOW_DRIFT].join('; ');
}

/** `; until then fails beyond 1.50x as long`; why it cannot, where there are too few prompts x seeds. */
function describeFirst({ limit, cells }: Extract<Reach, { readonly can: 'decide_runs' }>, rule: GateRule): string {
  const { atFirst, worse } = limit;
  if (atFirst === null) return '';
  const fewest = fewestForSignedRank((1 - CONFIDENCE) / 2);
  if (cells < fewest)
    return `; at_first needs ${plural(fewest, 'prompt x seed')}, has ${count(cells)}: until then it decides nothing`;
  return `; until then fails beyond ${times(worse === 'increase' ? 1 + atFirst : 1 - atFirst)}${asLong(rule)}`;
}
