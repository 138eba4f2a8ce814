import type { VariantSummary } from '../analysis/summaries.ts';
import { groupBy } from '../kit/grouping.ts';
import { kindOrVariantNames, variantNames } from '../kit/names.ts';
import { ratioInterval, times, timesBeside } from '../kit/value-words.ts';
import { count, listed, listedInShort, plural } from '../kit/wording.ts';
import { isClaim } from '../suite/gate.ts';
import { excess, isLow } from './allowed-range.ts';
import { kindOf } from './bounds.ts';
import { evidenceWords } from './claim-words.ts';
import { inconclusiveWords, NOT_APPLICABLE_WORDS } from './undecided-words.ts';
import type { RuleResult, RuleVerdict, Verdict } from './verdict.ts';
import {
  againstWords,
  estimateWords,
  eventUnit,
  isOfDurations,
  limitWords,
  metricWords,
  placeName,
  placeWords,
  reachOfPass,
  resultsByGravity,
  ruleFinding,
  ruleSubject,
  type Tone,
  toneOf,
  verdictWord,
  waitWords,
} from './verdict-statement.ts';

const LET_PASS = 'does not fail (on_inconclusive: pass)';

/** A rule of the gate and what its results say together, in the direction of the rule. */
export interface VerdictLine {
  readonly verdict: RuleVerdict;
  readonly tone: Tone;
  readonly word: string;
  /** The metric, with what narrows the rule: `latency.total against standard`. */
  readonly subject: string;
  /** `at most 1.05x as long; slowest: fast, up to 0.49x`. */
  readonly finding: string;
  /** The same without where it is worst: a link may lead there. */
  readonly brief: string;
  readonly worst: RuleResult;
}

/** What failed first, a line for each rule and verdict. Evidence of each result is in `ruleFinding`. */
export function verdictLinesOf(results: readonly RuleResult[]): readonly VerdictLine[] {
  const groups = groupBy(resultsByGravity(results), (result) =>
    JSON.stringify([
      result.index,
      result.verdict,
      ...(result.verdict === 'inconclusive'
        ? [result.letPass, inconclusiveWords(result)]
        : result.unfit.map((reason) => reason.code)),
    ]),
  );
  return [...groups.values()].map((group) => {
    const [first] = group;
    const [worst = first, ...others] = group.toSorted(worstFirst);
    const brief = `${findingOf(first, [worst, ...others])}${waitWords(group)}`;
    const place =
      first.verdict === 'fail' && group.length === 1 && kindOf(first.rule).event === null ? placeWords(first) : '';
    return lineOf(first, metricWords(first.rule) + againstWords(group), { brief, place }, worst);
  });
}

function lineOf(
  result: RuleResult,
  subject: string,
  { brief, place }: { readonly brief: string; readonly place: string },
  worst = result,
): VerdictLine {
  const [tone, word] = [toneOf(result), verdictWord(result)];
  return { verdict: result.verdict, tone, word, subject, finding: brief + place, brief, worst };
}

/** What one result says, with its evidence. */
export function evidenceLine(result: RuleResult): VerdictLine {
  const brief = `${ruleFinding(result)}${result.letPass ? `; ${LET_PASS}` : ''}`;
  return lineOf(result, ruleSubject(result), { brief, place: '' });
}

/** A reader must not miss what failed, is undecided or rests on unfit latencies. */
export function isTold({ tone }: Pick<VerdictLine, 'tone'>): boolean {
  return tone === 'bad' || tone === 'warn';
}

/** @param group worst first */
function findingOf(first: RuleResult, group: readonly [RuleResult, ...RuleResult[]]): string {
  if (isClaim(first) && first.verdict !== 'not_applicable') {
    const why = first.verdict === 'inconclusive' ? `: ${inconclusiveWords(first)}` : '';
    return `${limitWords(first)}; ${evidenceWords(first)} after ${plural(first.n, 'pair')}${why}`;
  }
  switch (first.verdict) {
    case 'pass':
      return `${limitWords(first)}; ${passWords(group)}`;
    case 'fail':
      return `${limitWords(first)}; ${measuredWords(group)}`;
    case 'inconclusive':
      return `${limitWords(first)}; ${measuredWords(group)}: ${inconclusiveWords(first)}${first.letPass ? `; ${LET_PASS}` : ''}`;
    case 'not_applicable':
      return `${listedInShort(group.map(({ variant }) => variant))}: ${NOT_APPLICABLE_WORDS[first.code]}`;
  }
}

/** `slowest: fast, up to 0.49x`, `none did (11 variants)`. */
function passWords(group: readonly [RuleResult, ...RuleResult[]]): string {
  const [first] = group;
  const who = group.length === 1 ? first.variant : plural(group.length, 'variant');
  const { event } = kindOf(first.rule);
  if (event !== null) return `${event.none} (${who})`;
  if (group.some(({ boundLevel, upperBound, estimate }) => (boundLevel === null ? estimate : upperBound) === null))
    return `${who} ${group.length === 1 ? 'passes' : 'pass'}`;
  return `${group.length === 1 ? '' : `${extremeWord(first)}: `}${first.variant}, ${reachOfPass(first)}`;
}

function extremeWord(result: RuleResult): string {
  if (isLow(kindOf(result.rule).allows, boundedValueOf(result) ?? 0)) return 'lowest';
  return isOfDurations(result.rule) ? 'slowest' : 'highest';
}

const MOST_NAMED = 3;

/** `fast 1.20x [1.12, 1.29]`, `standard 40.0 %, fast 33.3 % and 4 more`. */
function measuredWords(group: readonly RuleResult[]): string {
  const measured = group.map((result) => {
    const value = kindOf(result.rule).event === null ? shortValue(result, group.length === 1) : eventsWords(result);
    return value === '' ? result.variant : `${result.variant} ${value}`;
  });
  const more = measured.length - MOST_NAMED;
  return listed([...measured.slice(0, MOST_NAMED), ...(more > 0 ? [`${count(more)} more`] : [])]);
}

function shortValue(result: RuleResult, hasRoom: boolean): string {
  const { effect, estimate, ciLow, ciHigh } = result;
  const isOpen = !hasRoom || (ciLow === null && ciHigh === null);
  if (effect === 'ratio' && estimate !== null)
    return isOpen ? times(estimate) : `${timesBeside(estimate, ciLow, ciHigh)} ${ratioInterval(ciLow, ciHigh)}`;
  return estimateWords(hasRoom || estimate === null ? result : { ...result, ciLow: null, ciHigh: null });
}

/** `6 of 57 takes (fox, cat and lighthouse)`. */
export function eventsWords({ estimate, n, units, worst }: RuleResult): string {
  if (n === 0) return '';
  const events = `${count(Math.round((estimate ?? 0) * n))} of ${plural(n, eventUnit({ units }))}`;
  return worst.length === 0 ? events : `${events} (${listed(worst.map(placeName))})`;
}

/** Those without what the rule bounds come last. */
function worstFirst(a: RuleResult, b: RuleResult): number {
  const excessOf = (result: RuleResult) => {
    const value = boundedValueOf(result);
    return value === null ? -Number.MAX_VALUE : excess(kindOf(result.rule).allows, value);
  };
  return excessOf(b) - excessOf(a);
}

/** What a rule bounds: the bound of a result that passes, else its value. */
function boundedValueOf({ verdict, upperBound, estimate }: RuleResult): number | null {
  return verdict === 'pass' ? (upperBound ?? estimate) : estimate;
}

/**
 * Without a full stop; none without a gate. A variant that another is compared with is covered: the rule rests on its
 * takes. Metrics that some variants have no rule for count only where the gate passed.
 */
export function uncoveredSentences(
  { verdict, rules }: Pick<Verdict, 'verdict' | 'rules'>,
  variants: readonly Pick<VariantSummary, 'name' | 'kind' | 'twinOf'>[],
): readonly string[] {
  if (verdict === 'none') return [];
  const covered = coveredBy(rules);
  const names = variants.flatMap(({ name, twinOf }) => (twinOf === null && !covered.has(name) ? [name] : []));
  return [
    ...(names.length === 0 ? [] : [`Without a rule: ${variantNames(names, variants.length)}`]),
    ...(verdict.startsWith('pass') ? uncoveredMetrics(rules, variants) : []),
  ];
}

type Covering = Pick<RuleResult, 'rule' | 'variant' | 'against'>;

function coveredBy(results: readonly Pick<Covering, 'variant' | 'against'>[]): ReadonlySet<string> {
  return new Set(results.flatMap(({ variant, against }) => [variant, ...(against === null ? [] : [against])]));
}

/** Without a full stop: `No rule for latency.total and error_rate of text to video`. */
export function uncoveredMetrics(
  results: readonly Covering[],
  variants: readonly Pick<VariantSummary, 'name' | 'kind' | 'twinOf'>[],
): readonly string[] {
  const covered = coveredBy(results);
  const inSuite = variants.filter(({ name, twinOf }) => twinOf === null && covered.has(name));
  const left = [...groupBy(results, ({ rule }) => rule.metric)].map(([metric, about]) => {
    const reached = coveredBy(about);
    const without = inSuite.map(({ name }) => name).filter((name) => !reached.has(name));
    return { metric, names: kindOrVariantNames(without, inSuite) };
  });
  return [
    ...groupBy(
      left.filter(({ names }) => names !== ''),
      ({ names }) => names,
    ),
  ].map(([names, metrics]) => `No rule for ${listed(metrics.map(({ metric }) => metric))} of ${names}`);
}
