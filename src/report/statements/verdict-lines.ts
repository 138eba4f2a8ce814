import type { VariantSummary } from '../../analysis/analysis.ts';
import { groupBy } from '../../analysis/grouping.ts';
import type { Warning } from '../../analysis/warning-codes/coded-warning.ts';
import type { RuleResult, RuleVerdict, Verdict } from '../../compare/gate/verdict.ts';
import { listed, listedInShort, MOST_WHOLE } from '../../text/wording.ts';
import { NOT_APPLICABLE_WORDS } from '../words/gate-words.ts';
import { KIND_NAMES, variantNames } from '../words/names.ts';
import { byKind } from './statement.ts';
import {
  exclusionWords,
  isLeast,
  isOfDurations,
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

/** Null without a gate too. A variant that another is compared with is covered: the rule rests on its takes. */
function uncoveredSentence(
  { verdict, rules }: Pick<Verdict, 'verdict' | 'rules'>,
  variants: readonly { readonly name: string }[],
): string | null {
  if (verdict === 'none') return null;
  const covered = coveredBy(rules);
  const names = variants.map(({ name }) => name).filter((name) => !covered.has(name));
  if (names.length === 0) return null;
  return `Without a rule: ${variantNames(names, variants.length)}`;
}

/** Without a full stop. Metrics that some variants have no rule for count only where the gate passed. */
export function uncoveredSentences(
  verdict: Pick<Verdict, 'verdict' | 'rules'>,
  variants: readonly Pick<VariantSummary, 'name' | 'kind' | 'twinOf'>[],
): readonly string[] {
  const sentence = uncoveredSentence(verdict, variants);
  return [
    ...(sentence === null ? [] : [sentence]),
    ...(verdict.verdict === 'pass' ? uncoveredMetrics(verdict.rules, variants) : []),
  ];
}

type Covering = Pick<RuleResult, 'rule' | 'variant' | 'against'>;

/** Variants with results, and those that they are compared with. */
function coveredBy(results: readonly Pick<Covering, 'variant' | 'against'>[]): ReadonlySet<string> {
  return new Set(results.flatMap(({ variant, against }) => [variant, ...(against === null ? [] : [against])]));
}

/** Without a full stop: `No rule for latency.total and error_rate of text to video`. */
export function uncoveredMetrics(
  results: readonly Covering[],
  variants: readonly Pick<VariantSummary, 'name' | 'kind' | 'twinOf'>[],
): readonly string[] {
  const covered = coveredBy(results);
  const own = variants.filter(({ name, twinOf }) => twinOf === null && covered.has(name));
  const left = [...groupBy(results, ({ rule }) => rule.metric)].map(([metric, about]) => {
    return { metric, names: whoWords(own, coveredBy(about)) };
  });
  return [
    ...groupBy(
      left.filter(({ names }) => names !== ''),
      ({ names }) => names,
    ),
  ].map(([names, metrics]) => `No rule for ${listed(metrics.map(({ metric }) => metric))} of ${names}`);
}

/** Names a kind where all its variants lack a rule. */
function whoWords(variants: readonly Pick<VariantSummary, 'name' | 'kind'>[], covered: ReadonlySet<string>): string {
  const left = variants.map(({ name }) => name).filter((name) => !covered.has(name));
  const names = byKind(variants).flatMap(([kind, all]) => {
    const own = all.map(({ name }) => name).filter((name) => !covered.has(name));
    return own.length === all.length && all.length > 1 ? [KIND_NAMES[kind].toLowerCase()] : own;
  });
  return names.length > MOST_WHOLE ? listedInShort(left) : listed(names);
}

/** Where too many takes were timestamped late; null where every rule decides the same without them. */
export function voidVerdictSentence({ rules }: Pick<Verdict, 'rules'>, warnings: readonly Warning[]): string | null {
  const late = new Set(
    warnings.flatMap((warning) =>
      warning.code === 'too_many_late_stamps' ? warning.variants.map(({ variant }) => variant) : [],
    ),
  );
  const isVoid = ({ rule, variant, against, verdict, withoutFlagged }: RuleResult): boolean =>
    (verdict === 'pass' || verdict === 'fail') &&
    isOfDurations(rule) &&
    (late.has(variant) || (against !== null && late.has(against))) &&
    withoutFlagged !== null &&
    withoutFlagged.verdict !== verdict;
  const variants = [...new Set(rules.filter(isVoid).map(({ variant }) => variant))];
  return variants.length === 0
    ? null
    : `Do not rely on rules for latency of ${listedInShort(variants)}: without the takes that were timestamped late they are not decided`;
}
