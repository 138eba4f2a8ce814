import { groupBy } from '../../../analysis/grouping.ts';
import type { PlannedCase, Reach } from '../../../compare/gate/planning/planned-case.ts';
import { allowedWords, asLong, isLeast } from '../../../report/statements/verdict-statement.ts';
import { times } from '../../../report/words/measures/ratio-words.ts';
import { differenceWords } from '../../../report/words/measures/value-words.ts';
import { variantNames } from '../../../report/words/run/variant-names.ts';
import type { GateRule } from '../../../suite/format/rule.ts';
import { visibleLine } from '../../../text/visible.ts';
import { count, plural, share } from '../../../text/wording.ts';

const UNITS = { cells: 'cell pair', rounds: 'round', prompts: 'prompt', blocks: 'block', takes: 'take' } as const;

export function describeGate(cases: readonly PlannedCase[]): readonly string[] {
  if (cases.length === 0) return [];
  const groups = groupBy(cases, ({ ruleCase, unit, units, n, reach }) =>
    JSON.stringify([ruleCase.index, unit, units, n, reach]),
  );
  return ['', 'Gate:', ...[...groups.values()].map((group) => `  ${visibleLine(describeGroup(group, cases))}`)];
}

function describeGroup(group: readonly PlannedCase[], all: readonly PlannedCase[]): string {
  const [first] = group;
  if (first === undefined) throw new Error('a group without a case');
  const { ruleCase, unit, units, n, reach } = first;
  const ofRule = all.filter((each) => each.ruleCase.index === ruleCase.index).length;
  const who = variantNames(
    group.map((each) => each.ruleCase.variant.name),
    ofRule,
  );
  const each = group.length === 1 ? '' : ' each';
  const noun = ruleCase.baseline === null && units === 'cells' ? 'cell' : units === 'runs' ? null : UNITS[units];
  const standsOn = noun === null ? '' : `${plural(n, noun)}${each}`;
  const reached = units === 'runs' ? describeRuns(reach, n, ruleCase.rule) : describeReach(reach, n, ruleCase.rule);
  return `${allowedWords({ rule: ruleCase.rule, unit })} (${who}): ${standsOn}${reached}`;
}

function describeReach(reach: Reach, n: number, rule: GateRule): string {
  switch (reach.can) {
    case 'detect_change':
      return `, detects ${times(reach.ratio)}${asLong(rule)} with a power of 80 %; assumed: latencies vary by 15 %`;
    case 'detect_rise':
      return `, detects ${differenceWords(reach.rise, '1')} with a power of 80 %; assumed: the baseline has no such event`;
    case 'count_events': {
      const passes =
        reach.mostThatPass === null ? 'never passes' : `passes with up to ${plural(reach.mostThatPass, 'event')}`;
      return `, ${passes}, ${reach.fewestThatFail === null ? 'never fails' : `fails from ${count(reach.fewestThatFail)}`}`;
    }
    case 'find_event':
      return n === 0 ? '' : `, fails in ${share(reach.chance)} of runs if 1 of 200 takes has such an event`;
    case 'decide_runs':
    case 'unknown':
      return '';
  }
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
