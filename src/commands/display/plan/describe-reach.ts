import { UNIT_NOUNS } from '../../../analysis/note.ts';
import { latencyReach, type PlannedCase, type Reach, type SpeedReach } from '../../../gate/planned-reach.ts';
import { rarelyPassWords, SLOW_DRIFT, varyWords } from '../../../gate/undecided-words.ts';
import { allowedWords, asLong } from '../../../gate/verdict-statement.ts';
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

/** `Comparison of speed: 12 groups of pairs each; telling one of 10 candidates apart needs at least 9`; like kinds share a line. */
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
    return `Comparison of speed${whose}: ${plural(n, UNITS[units])}${candidates === 1 && group.length === 1 ? '' : ' each'}; telling ${whom} apart needs at least ${count(fewest)}`;
  });
}

const UNITS = { ...UNIT_NOUNS, takes: 'take' } as const;

export function describeGate(
  cases: readonly PlannedCase[],
  variants: readonly Pick<Variant, 'name' | 'kind'>[],
): readonly string[] {
  if (cases.length === 0) return [];
  const groups = groupBy(cases, ({ ruleCase, unit, units, n, reach }) =>
    JSON.stringify([ruleCase.index, unit, units, n, reach]),
  );
  // A rule has one line, even if it can detect different things for different variants.
  const rules = groupBy([...groups.values()], ([first]) => first.ruleCase.index);
  const isAssumed = cases.some(({ reach }) => reach.can === 'detect_change');
  return [
    '',
    'Gate:',
    ...[...rules.values()].map((rule) => `  ${visibleLine(describeRule(rule, variants))}`),
    ...(isAssumed ? ['  A rule finds such a change in 80 of 100 runs, if latencies vary by 15 %'] : []),
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
  const [{ ruleCase, units, n, reach }] = group;
  const names = group.map((plannedCase) => plannedCase.ruleCase.variant.name);
  const who =
    ofRule === names.length && ofRule > MOST_WHOLE ? variantNames(names, ofRule) : plannedNames(names, variants);
  const suffix = group.length === 1 ? '' : ' each';
  const noun = ruleCase.baseline === null && units === 'cells' ? 'prompt x seed' : { ...UNITS, runs: null }[units];
  const standsOn = noun === null ? '' : `${plural(n, noun)}${suffix}`;
  const reached = units === 'runs' ? describeRuns(reach, n, ruleCase.rule) : gateReach(reach, n, ruleCase.rule);
  return `${who}: ${standsOn}${reached}`;
}

function gateReach(reach: Reach, n: number, rule: GateRule): string {
  switch (reach.can) {
    case 'detect_change':
      return `, finds ${times(reach.ratio)}${asLong(rule)}`;
    case 'detect_rise':
      return `, finds ${differenceWords(reach.rise, '1')} if the baseline variant has no such event`;
    case 'count_events': {
      const { mostThatPass, fewestThatFail } = reach;
      if (reach.counted === 'events') return `, ${countedEvents(mostThatPass, fewestThatFail, n)}`;
      const [from, to] = [(mostThatPass ?? -1) + 1, (fewestThatFail ?? n + 1) - 1];
      const passes = mostThatPass === null ? 'never passes' : `passes ${counted(mostThatPass)}`;
      const between = from > to ? '' : `, is not decided from ${count(from)} to ${count(to)}`;
      return `, ${passes}${between}, ${fewestThatFail === null ? 'never fails' : `fails from ${count(fewestThatFail)} that are not`}`;
    }
    case 'find_event':
      return n === 0 ? '' : `, finds an event of 1 in 200 takes in ${significant(100 * reach.chance)} of 100 runs`;
    case 'decide_runs':
    case 'unknown':
      return '';
  }
}

function counted(n: number): string {
  return n === 0 ? 'only if all are' : `with up to ${count(n)} that ${n === 1 ? 'is' : 'are'} not`;
}

/** `0 events pass, 1 to 6 are inconclusive, 7 or more fail`. @param n takes */
function countedEvents(mostThatPass: number | null, fewestThatFail: number | null, n: number): string {
  const [from, to] = [(mostThatPass ?? -1) + 1, (fewestThatFail ?? n + 1) - 1];
  const between = from === to ? `${count(from)} is` : `${count(from)} to ${count(to)} are`;
  return [
    mostThatPass === null
      ? 'never passes'
      : `${mostThatPass === 0 ? '' : 'up to '}${plural(mostThatPass, 'event')} pass`,
    ...(from > to ? [] : [`${between} inconclusive`]),
    fewestThatFail === null ? 'never fails' : `${count(fewestThatFail)} or more fail`,
  ].join(', ');
}

/** `12 earlier runs vary by 6 %: finds 1.29x as long in the second such run, 4 times in 5`. */
function describeRuns(reach: Reach, n: number, rule: GateRule): string {
  if (reach.can !== 'decide_runs') return '';
  const { limit, earlier, fewestEarlier } = reach;
  const has = n === 0 ? '' : `, has ${count(n)}`;
  if (earlier === null)
    return `needs ${plural(fewestEarlier, 'comparable earlier run')}${has}${describeFirst(reach, rule)}`;
  const { runs, spread, detects, passes } = earlier;
  const isDecrease = limit.worse === 'decrease';
  const ratio = times(Math.exp(isDecrease ? -detects : detects));
  const rarely = rarelyPassWords(rule, Math.exp(isDecrease ? -passes : passes));
  const found = `finds ${ratio}${asLong(rule)} in the second such run, 4 times in 5`;
  return `${varyWords(runs, spread)}: ${found}${rarely === '' ? '' : `; ${rarely}, else they are not decided`}; ${SLOW_DRIFT}`;
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
