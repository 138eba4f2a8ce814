import { groupBy } from '../../analysis/grouping.ts';
import type { RuleResult, RuleVerdict } from '../../compare/gate/verdict.ts';
import { NOT_APPLICABLE_WORDS } from '../words/gate/reason-words.ts';
import { variantNames } from '../words/run/variant-names.ts';
import {
  exclusionWords,
  isLeast,
  isOfEvents,
  limitWords,
  metricWords,
  reachWords,
  resultsByGravity,
  ruleFinding,
  ruleSubject,
  verdictWord,
} from './verdict-statement.ts';

const LET_PASS = 'inconclusive, but this rule lets that pass (on_inconclusive: pass)';

/** One result, or results of one rule that say the same. */
export interface VerdictLine {
  readonly verdict: RuleVerdict;
  readonly word: string;
  readonly subject: string;
  readonly finding: string;
}

/**
 * What failed first. Each failed or undecided result has its own line; results that pass a rule share one, as do those
 * that it does not apply to, and those without a value for the same reason.
 */
export function verdictLinesOf(results: readonly RuleResult[]): readonly VerdictLine[] {
  const groups = groupBy(resultsByGravity(results), groupKey);
  return [...groups.values()].map((group) => {
    const [first] = group;
    if (first === undefined) throw new Error('a group without a result');
    const shared = { verdict: first.verdict, word: verdictWord(first) };
    const [subject, finding] =
      group.length === 1
        ? [ruleSubject(first), ruleFinding(first)]
        : [metricWords(first.rule), groupFinding(first, group, results)];
    return { ...shared, subject, finding: first.letPass ? `${finding}; ${LET_PASS}` : finding };
  });
}

function groupKey(result: RuleResult): string {
  const { index, verdict, variant, code, letPass } = result;
  if (verdict === 'pass' || verdict === 'not_applicable') return JSON.stringify([index, verdict]);
  const isWithoutValue =
    verdict === 'inconclusive' && ((result.estimate === null && result.ciLow === null) || result.n === 0);
  return JSON.stringify(isWithoutValue ? [index, verdict, letPass, { code }] : [index, verdict, letPass, variant]);
}

function groupFinding(first: RuleResult, group: readonly RuleResult[], all: readonly RuleResult[]): string {
  const ofRule = all.filter(({ index }) => index === first.index).length;
  const who = variantNames(
    group.map(({ variant }) => variant),
    ofRule,
  );
  if (first.verdict === 'not_applicable') return `${who}: ${NOT_APPLICABLE_WORDS[first.code]}`;
  if (first.verdict === 'inconclusive') return `${who}: ${ruleFinding(first)}`;
  const bound = outermost(group);
  const isEvent = isOfEvents(first.rule);
  const passes = isEvent ? `${limitWords(first)}; none found: ${who}` : `allowed ${limitWords(first)}; ${who} pass`;
  if (bound === null) return passes;
  return isEvent
    ? `${passes}; highest bound: ${bound.variant}, ${reachWords(bound)}`
    : `${passes}; closest to the limit: ${bound.variant}, ${reachWords(bound)}${exclusionWords(bound)}`;
}

/** The result with the most extreme one-sided bound or counted value; null where one has neither. */
function outermost(group: readonly RuleResult[]): RuleResult | null {
  const reached = group.flatMap((result) => {
    const reach = result.boundLevel === null ? result.estimate : result.upperBound;
    return reach === null ? [] : [{ result, reach }];
  });
  if (reached.length < group.length) return null;
  const side = group.some(({ rule }) => isLeast(rule)) ? -1 : 1;
  const [first] = reached.toSorted((a, b) => side * (b.reach - a.reach));
  return first?.result ?? null;
}
