import type { PlannedCase, Reach } from '../../compare/gate/plan-gate.ts';
import { times } from '../../report/statements/comparison-statement.ts';
import { limitWords, ruleSubject } from '../../report/statements/verdict-statement.ts';
import { count, plural, share } from '../../text/quantity.ts';
import { visibleLine } from '../../text/visible.ts';

const UNITS = { cells: 'cell pair', rounds: 'round', prompts: 'prompt', blocks: 'block', takes: 'take' } as const;

/** The rules of a gate with what each could tell of each variant; nothing where there is none. */
export function describeGate(cases: readonly PlannedCase[]): readonly string[] {
  if (cases.length === 0) return [];
  return ['', 'Gate:', ...cases.map((each) => `  ${visibleLine(describeCase(each))}`)];
}

function describeCase({ ruleCase: { rule, variant, baseline }, units, unit, n, reach }: PlannedCase): string {
  const subject = ruleSubject({ rule, variant: variant.name, against: baseline?.name ?? null });
  return `${subject}: ${limitWords({ rule, unit })}; ${plural(n, UNITS[units])}${describeReach(reach, n)}`;
}

function describeReach(reach: Reach, n: number): string {
  switch (reach.can) {
    case 'detect_change':
      return `, finds ${times(reach.ratio)} in 4 of 5 runs (assumed: latencies vary by 15 %)`;
    case 'count_events': {
      const passes = reach.mostThatPass === null ? 'none pass' : `up to ${count(reach.mostThatPass)} events pass`;
      return `, ${passes}, ${reach.fewestThatFail === null ? 'none fail' : `${count(reach.fewestThatFail)} fail`}`;
    }
    case 'find_event':
      return n === 0 ? '' : `, fails in ${share(reach.chance)} of runs where 1 take in 200 has the event`;
    case 'unknown':
      return '';
  }
}
