import { UNIT_NOUNS } from '../../../analysis/note.ts';
import { latencyReach, type PlannedCase, type Reach, type SpeedReach } from '../../../gate/planned-reach.ts';
import { rarelyPassWords, SLOW_DRIFT, varyWords } from '../../../gate/undecided-words.ts';
import { allowedWords, asLong, isOfDurations } from '../../../gate/verdict-statement.ts';
import { groupBy } from '../../../kit/grouping.ts';
import { KIND_NAMES, kindOrVariantNames, variantNames } from '../../../kit/names.ts';
import { differenceWords, times } from '../../../kit/value-words.ts';
import { visibleLine } from '../../../kit/visible.ts';
import { count, listed, MOST_WHOLE, plural, significant } from '../../../kit/wording.ts';
import type { Trial } from '../../../plan/trial.ts';
import { CONFIDENCE } from '../../../statistics/quantile.ts';
import { fewestForSignedRank } from '../../../statistics/signed-rank.ts';
import type { GateRule } from '../../../suite/rule.ts';
import type { Variant } from '../../../targets/target.ts';

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
    const [[, ofEach]] = group;
    return visibleLine(`  ${plannedNames(names, variants)}: ${latencyWords(ofEach / steps, names.length > 1)}`);
  });
}

/** Names kinds in place of variants if there are several kinds. */
function plannedNames(names: readonly string[], variants: readonly Pick<Variant, 'name' | 'kind'>[]): string {
  return names.length === variants.length || new Set(variants.map(({ kind }) => kind)).size === 1
    ? variantNames(names, variants.length)
    : kindOrVariantNames(names, variants);
}

function latencyWords(takes: number, isEach: boolean): string {
  const { percents, next } = latencyReach(takes);
  const shown =
    percents.length === 0 ? 'no interval' : `intervals for ${percents.map((percent) => `p${percent}`).join(', ')}`;
  const missing = next === null ? '' : `; p${next.percent} needs ${next.takes}`;
  return `${plural(takes, 'take')}${isEach ? ' each' : ''}, ${shown}${missing}`;
}

/** `Comparison of speed: 12 groups of pairs each; needs at least 9 to tell one of 10 candidates apart`; like kinds share a line. */
export function describeComparisons(
  reaches: readonly SpeedReach[],
  variants: readonly Pick<Variant, 'kind'>[],
): readonly string[] {
  const isLone = new Set(variants.map(({ kind }) => kind)).size === 1;
  const alike = groupBy(reaches, ({ kind: _, ...reach }) => JSON.stringify(reach));
  return [...alike.values()].map((group) => {
    const [{ candidates, units, n, fewest }] = group;
    const whose = isLone ? '' : ` of ${listed(group.map(({ kind }) => KIND_NAMES[kind].toLowerCase()))}`;
    const whom = candidates === 1 ? 'variants' : `one of ${count(candidates)} candidates`;
    return `Comparison of speed${whose}: ${plural(n, UNITS[units])}${candidates === 1 && group.length === 1 ? '' : ' each'}; needs at least ${count(fewest)} to tell ${whom} apart`;
  });
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
  return [
    '',
    'Gate:',
    ...[...rules.values()].map((rule) => `  ${visibleLine(describeRule(rule, variants))}`),
    ...(isAssumed ? ['  Each finds such a change in 80 of 100 runs, if values vary by 15 % between takes'] : []),
  ];
}

type LikeCases = readonly [PlannedCase, ...PlannedCase[]];

function describeRule(
  groups: readonly [LikeCases, ...LikeCases[]],
  variants: readonly Pick<Variant, 'name' | 'kind'>[],
): string {
  const [[first]] = groups;
  const all = groups.flat().length;
  const clauses = groups.map((group) => describeGroup(group, all, variants));
  return `${allowedWords({ rule: first.ruleCase.rule, unit: first.unit })}: ${clauses.join('; ')}`;
}

/** @param ofRule number of cases of the rule */
function describeGroup(group: LikeCases, ofRule: number, variants: readonly Pick<Variant, 'name' | 'kind'>[]): string {
  const [first] = group;
  const names = group.map((plannedCase) => plannedCase.ruleCase.variant.name);
  const who =
    ofRule === names.length && ofRule > MOST_WHOLE ? variantNames(names, ofRule) : plannedNames(names, variants);
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
    case 'unknown':
      return null;
  }
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
