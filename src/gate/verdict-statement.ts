import { NEW_AGAINST_IN_USE, NOT_KEPT_UP, TOO_SMALL, UNIT_NOUNS, waitedWords } from '../analysis/note.ts';
import { differenceWords, ratioInterval, threeDigits, times, timesBeside, valueWords } from '../kit/value-words.ts';
import {
  count,
  duration,
  durationUnit,
  listedInShort,
  plural,
  probability,
  share,
  shareAtMost,
} from '../kit/wording.ts';
import { POWER } from '../statistics/detectable-shift.ts';
import { sum } from '../statistics/mean.ts';
import { isClaim } from '../suite/gate.ts';
import type { GateRule } from '../suite/rule.ts';
import { SCORE_PREFIX } from '../suite/score-label.ts';
import { boundedEnds, isBeyond, isLow } from './allowed-range.ts';
import type { BoundWords } from './bounds/bound-kind.ts';
import { kindOf } from './bounds.ts';
import { claimSentence, evidenceWords } from './claim-words.ts';
import { comparesTwins } from './rule-case.ts';
import { inconclusiveWords, NEW_LEVEL, NOT_APPLICABLE_WORDS, rarelyPassWords, varyWords } from './undecided-words.ts';
import type { RuleResult, RuleVerdict, Verdict, WorstPlace } from './verdict.ts';

const GRAVITY: readonly RuleVerdict[] = ['fail', 'inconclusive', 'pass', 'not_applicable'];

/** What failed first, else in the order of the rules. */
export function resultsByGravity(results: readonly RuleResult[]): readonly RuleResult[] {
  return results.toSorted((a, b) => GRAVITY.indexOf(a.verdict) - GRAVITY.indexOf(b.verdict));
}

/** What is let pass was not judged, and a pass on latencies that are not to be used says so: neither is a plain pass. */
export function verdictWord(result: Pick<RuleResult, 'verdict' | 'letPass' | 'unfit' | 'rule'>): string {
  const { verdict, letPass, unfit } = result;
  const [passed, failed] = isClaim(result) ? ['SUPPORTED', 'REFUTED'] : ['PASS', 'FAIL'];
  switch (verdict) {
    case 'pass':
      return unfit.length > 0 ? `${passed}, UNFIT` : passed;
    case 'fail':
      return failed;
    case 'inconclusive':
      return letPass ? 'NOT JUDGED' : 'NOT DECIDED';
    case 'not_applicable':
      return 'LEFT OUT';
  }
}

/** What a rule is about: `latency.total, fast against standard`, `latency.total new against in use, fast`. */
export function ruleSubject(result: Pick<RuleResult, 'rule' | 'variant' | 'against'>): string {
  return `${metricWords(result.rule)}, ${result.variant}${againstWords([result])}`;
}

/** ` against standard`, where a variant of the suite is what all are compared with. */
export function againstWords(results: readonly Pick<RuleResult, 'rule' | 'against'>[]): string {
  const [name, ...others] = new Set(results.map(({ rule, against }) => (comparesTwins(rule) ? null : against)));
  return typeof name === 'string' && others.length === 0 ? ` against ${name}` : '';
}

/** The metric with its statistic, prompt and tag. */
export function metricWords(rule: GateRule): string {
  const { metric, statistic, overMs, prompts, tags, against } = rule;
  const parts = [
    metric,
    ...(statistic === null ? [] : [statistic]),
    ...(overMs === null ? [] : [`${kindOf(rule).allows.high === Infinity ? 'within' : 'over'} ${duration(overMs)}`]),
    ...(prompts === null ? [] : [`prompts ${listedInShort(prompts)}`]),
    ...(tags === null ? [] : [`tags ${listedInShort(tags)}`]),
    ...(against === 'history' ? ['against earlier runs'] : []),
    ...(comparesTwins(rule) ? [NEW_AGAINST_IN_USE] : []),
  ];
  return parts.join(' ');
}

/** `1.20x as long [1.12, 1.29], allowed at most 1.05x: beyond the limit, and not by chance (adjusted p 0.0004)`. */
export function ruleFinding(result: RuleResult): string {
  if (result.verdict === 'not_applicable') return NOT_APPLICABLE_WORDS[result.code];
  const why = `${whyWords(result)}${result.belowNoiseFloor && result.verdict !== 'pass' ? `; ${TOO_SMALL}` : ''}${unfitWords(result)}${placeWords(result)}`;
  if (result.estimate === null && result.ciLow === null && kindOf(result.rule).event === null)
    return boundWordsOf(result).isClause
      ? `no value, ${limitWords(result)}: ${why}`
      : `no value (limit: ${limitWords(result)}); ${why}`;
  const estimate = estimateWords(result);
  return `${estimate === '' ? '' : `${estimate}, `}${allowance(result)}: ${why}`;
}

/** A rule may allow more in its first runs. */
type AllowingResult = Pick<RuleResult, 'rule' | 'unit'> & { readonly code?: RuleResult['code'] };

/** `allowed at most 1.05x`, `no differing take is allowed`, `may decrease by at most 0.02`. */
export function allowance(result: AllowingResult): string {
  const { limit, isClause } = boundWordsOf(result);
  return isClause ? limit : `allowed ${limit}`;
}

function boundWordsOf({ rule, unit, code }: AllowingResult): BoundWords {
  const isAtFirst = code === 'beyond_at_first' || code === 'beyond_at_first_again';
  return kindOf(rule).words({ metric: rule.metric, unit, isAtFirst });
}

/** `1.20x as long [1.12, 1.29]`, `3 errors in 24 takes`; empty where there is none. */
export function estimateWords({ effect, unit, units, estimate, ciLow, ciHigh, rule, n }: RuleResult): string {
  const { event } = kindOf(rule);
  if (event !== null && n === 0) return '';
  if (event !== null)
    return `${plural(Math.round((estimate ?? 0) * n), event.noun)} in ${plural(n, eventUnit({ units }))}`;
  if (estimate === null) return betweenWords({ rule, effect, unit }, ciLow, ciHigh);
  if (effect === 'ratio') {
    const interval = ciLow === null && ciHigh === null ? '' : ` ${ratioInterval(ciLow, ciHigh)}`;
    return `${timesBeside(estimate, ciLow, ciHigh)}${asLong(rule)}${interval}`;
  }
  const print = (value: number) =>
    effect === 'value' ? valueBeside({ rule, effect, unit }, value) : differenceWords(value, unit);
  const interval = ciLow === null || ciHigh === null ? '' : ` [${print(ciLow)}, ${print(ciHigh)}]`;
  return `${print(estimate)}${interval}`;
}

/** Of a value that is only known to lie between two bounds; takes that timed out leave the upper one open. */
function betweenWords(of: ValueOf, low: number | null, high: number | null): string {
  if (low === null || high === null) return '';
  const print = (value: number) => valueBeside(of, value);
  return Number.isFinite(high) ? `between ${print(low)} and ${print(high)}` : `above ${print(low)}`;
}

/** Where a change that fails, or may fail, is largest. */
export function placeWords({ verdict, rule, effect, unit, worst: [worst] }: RuleResult): string {
  if (effect === 'value' || verdict === 'pass' || worst === undefined) return '';
  const most = effect === 'ratio' ? `${times(worst.value)}${asLong(rule)}` : differenceWords(worst.value, unit);
  return `; worst in ${placeName(worst)}: ${most}`;
}

/** The bound on what was not seen: `at most 11.8 % of further takes would differ`, or only `at most 1.02x`. */
function outlookWords(result: RuleResult): string {
  const { event } = kindOf(result.rule);
  return event === null ? boundOf(result) : `${boundOf(result)} ${event.outlook}`;
}

/** A stored baseline is compared cell by cell. */
export function eventUnit({ units }: Pick<RuleResult, 'units'>): string {
  return units === 'cells' ? 'prompt x seed' : 'take';
}

export function placeName(place: WorstPlace): string {
  return 'prompt' in place ? place.prompt : `tag ${place.tag}`;
}

/** `at most 1.05x as long`, `at most 20 s`; of a score `may decrease by at most 0.02`. */
export function limitWords(result: AllowingResult): string {
  const { limit, isRatio } = boundWordsOf(result);
  return isRatio ? `${limit}${asLong(result.rule)}` : limit;
}

/** A ratio of latencies is variant / baseline. */
export function asLong(rule: Pick<GateRule, 'metric'>): string {
  return isOfDurations(rule) ? ' as long' : '';
}

export function isOfDurations({ metric }: Pick<GateRule, 'metric'>): boolean {
  return metric.startsWith('latency.');
}

/** `latency.total may increase by at most 5 %`; of a claim what it says. */
export function allowedWords(result: Pick<RuleResult, 'rule' | 'unit'>): string {
  if (isClaim(result)) return claimSentence(result.rule);
  return `${metricWords(result.rule)} ${boundWordsOf(result).clause}`;
}

function whyWords(result: RuleResult): string {
  const { code, rule, pAdjusted, upperBound, boundLevel, n, worst } = result;
  switch (code) {
    case 'beyond_limit':
      if (rule.against === 'history')
        return 'this run and the one before are beyond it and beyond what earlier runs vary by';
      if (boundLevel === null) return 'beyond the limit by what is counted';
      return `beyond the limit, and not by chance${pAdjusted === null ? '' : ` (adjusted p ${probability(pAdjusted)})`}`;
    case 'claim_supported':
    case 'claim_refuted':
      return evidenceWords(result);
    case 'beyond_at_first':
      return `beyond the limit, and not by chance, compared with ${plural(n, 'earlier run')}`;
    case 'beyond_at_first_again':
      return `beyond the limit, and not by chance, compared with ${plural(n, 'earlier run')}; so was the run before; ${NEW_LEVEL}`;
    case 'event_found':
      return worst.length === 0 ? 'found' : `found in ${worst.map(placeName).join(', ')}`;
    case 'no_event':
      return upperBound === null ? 'none found' : `none found; ${reachWords(result)}`;
    case 'within_limit':
      if (upperBound === null) return boundLevel === null ? 'within it, counted exactly' : 'within the limit';
      if (boundLevel === null) return `within it, whatever the unknown costs are: ${boundOf(result)}`;
      return isShownWithin(result)
        ? `within it; one-sided ${levelWords(result)} bound: ${boundOf(result)}`
        : `${noSignWords(result)} (one-sided ${levelWords(result)} bound)`;
    case 'unknown_cost':
      return `${inconclusiveWords({ ...result, code })}${upperBound === null ? '' : `: ${boundOf(result)}`}`;
    case 'spans_limit':
    case 'not_within_history':
      return `${inconclusiveWords({ ...result, code })}${spreadWords(result)}${upperBound === null ? '' : `; ${boundOf(result)} (one-sided ${levelWords(result)} bound)`}`;
    case 'within_history':
      return `this run and the one before are within it of ${plural(n, 'earlier run')}; ${boundOf(result)} (one-sided ${levelWords(result)} bound)`;
    case 'optional_left_out':
      return NOT_APPLICABLE_WORDS[code];
    default:
      return `${inconclusiveWords({ ...result, code })}${detectableWords(result)}`;
  }
}

/** `; 12 earlier runs vary by 3 %: below max_increase: 8% unchanged runs are mostly not decided`; empty where the limit is wider. */
function spreadWords({ rule, detectable, n }: RuleResult): string {
  const rarely = rarelyPassWords(rule, detectable?.passes ?? null);
  return detectable === null || rarely === '' ? '' : `; ${varyWords(n, detectable.spread)}: ${rarely}`;
}

/** `at most 12.3 % (one-sided 95 % bound)`; of what is counted, `exactly 12 %`. */
function reachWords(result: RuleResult): string {
  const { boundLevel, estimate } = result;
  if (boundLevel === null) return `exactly ${printed(result, estimate ?? 0)}`;
  return `${outlookWords(result)} (one-sided ${levelWords(result)} bound)`;
}

/** `at most 12.3 %`; of a change of a score `decreases by at most 0.004`. */
function boundOf(result: RuleResult, most = 'at most', least = 'at least'): string {
  const { rule, upperBound, effect, unit } = result;
  const value = upperBound ?? 0;
  const { allows, event } = kindOf(rule);
  const isLeast = isLow(allows, value);
  if (event === null && boundWordsOf(result).isClause) {
    const isFall = value < 0 || (value === 0 && isLeast);
    const size = differenceWords(Math.abs(value), unit).replace('+', '');
    return `${isFall ? 'decreases' : 'increases'} by ${isFall === isLeast ? most : 'at least'} ${size}`;
  }
  if (isLeast) return `${least} ${printed(result, value)}`;
  // An upper bound is never rounded down.
  const isShare = event !== null || (effect === 'value' && unit === '1');
  return `${most} ${isShare ? shareAtMost(value) : printed(result, value)}`;
}

/** Whether the bound of a result that passes is within the limit; a change passes too where a multiple is excluded. */
export function isShownWithin({ rule, upperBound }: Pick<RuleResult, 'rule' | 'upperBound'>): boolean {
  const { usesEstimate, allows } = kindOf(rule);
  return !usesEstimate || upperBound === null || !isBeyond(allows, upperBound);
}

/** How far a result that passes reaches: `up to 0.49x`, `0 of 24 (up to 11.8 %)`, or `noSignWords`. */
export function reachOfPass(result: RuleResult): string {
  if (result.boundLevel === null && result.upperBound === null) return estimateWords(result);
  const counted = countedWords(result);
  if (!isShownWithin(result)) return noSignWords(result);
  const bound = boundOf(result, 'up to', 'down to');
  return counted === null ? bound : `${counted} (${bound})`;
}

/** `0 of 24`; null where the value is no share of what is counted. */
function countedWords({ rule: { metric }, effect, unit, estimate, n }: RuleResult): string | null {
  if (effect !== 'value' || unit !== '1' || estimate === null || metric.startsWith(SCORE_PREFIX)) return null;
  const found = Math.round(estimate * n);
  return Math.abs(found - estimate * n) < 1e-6 ? `${count(found)} of ${count(n)}` : null;
}

/**
 * Why a change passes whose bound is above the limit: `not slower as far as can be seen; at worst 1.13x`, `no net loss as
 * far as can be seen; more than 22.1 points is ruled out`.
 */
function noSignWords(result: RuleResult): string {
  const { rule, effect, unit, upperBound, ciLow, ciHigh } = result;
  const { change = 'change' } = boundWordsOf(result);
  const same = effect === 'ratio' ? 1 : 0;
  const isFound =
    kindOf(rule).allows.high === Infinity ? ciHigh !== null && ciHigh < same : ciLow !== null && ciLow > same;
  const none = isOfDurations(rule) && change === 'increase' ? 'not slower' : `no ${change}`;
  const size = differenceWords(Math.abs(upperBound ?? 0), unit).replace('+', '');
  const bound = effect === 'ratio' ? `at worst ${times(upperBound ?? 0)}` : `more than ${size} is ruled out`;
  return `${isFound ? `${change} within the limit` : `${none} as far as can be seen`}; ${bound}`;
}

function levelWords({ boundLevel }: Pick<RuleResult, 'boundLevel'>): string {
  return `${threeDigits(100 * (boundLevel ?? 1))} %`;
}

type ValueOf = Pick<RuleResult, 'rule' | 'effect' | 'unit'>;

function printed(of: ValueOf, value: number): string {
  if (of.effect === 'ratio') return times(value);
  return of.effect === 'value' ? valueBeside(of, value) : differenceWords(value, of.unit);
}

/** A duration has the unit of the limit beside it. */
function valueBeside({ rule, effect, unit }: ValueOf, value: number): string {
  if (unit !== 'ms' || effect !== 'value') return valueWords(value, unit);
  const { allows } = kindOf(rule);
  return duration(value, durationUnit(boundedEnds(allows).map((end) => allows[end])));
}

/** What so many units can detect, where that is why nothing is decided. */
function detectableWords({ code, rule, detectable, effect, unit, n, units }: RuleResult): string {
  if (detectable === null || (code !== 'limit_not_excluded' && code !== 'not_significant')) return '';
  const noun = units === 'takes' ? 'take' : units === 'runs' ? 'run' : UNIT_NOUNS[units];
  const size =
    effect === 'ratio' ? `${times(detectable.effect)}${asLong(rule)}` : differenceWords(detectable.effect, unit);
  return `; ${plural(n, noun)} detect ${size} with a power of ${share(POWER)}`;
}

/** How many rules apply, and how many of them fail, else are undecided, or pass for each variant, on fit latencies or not. */
export function tallyOf({ rules }: Pick<Verdict, 'rules'>) {
  const applied = rules.filter((rule) => rule.verdict !== 'not_applicable');
  const indices = (results: readonly RuleResult[]) => new Set(results.map(({ index }) => index));
  const rulesOf = (results: readonly RuleResult[]) => indices(results).size;
  const failed = indices(applied.filter(({ verdict }) => verdict === 'fail'));
  return {
    rules: rulesOf(applied),
    failedRules: failed.size,
    undecidedRules: rulesOf(applied.filter(({ verdict, index }) => verdict === 'inconclusive' && !failed.has(index))),
    letPassRules: rulesOf(applied.filter(({ letPass, index }) => letPass && !failed.has(index))),
    passedRules: rulesOf(applied) - rulesOf(applied.filter(({ verdict }) => verdict !== 'pass')),
  };
}

/** Whether something is as it should be, needs care, or is not to be used; null says nothing. */
export type Tone = 'good' | 'warn' | 'bad' | null;

interface GateState {
  readonly words: string;
  readonly tone: Tone;
}

/** What a gate says of a run, and in which colour: the same on every page, terminal, summary and list. */
export const GATE_STATES: Readonly<Record<Verdict['verdict'], GateState>> = {
  pass: { words: 'passed', tone: 'good' },
  pass_unfit: { words: 'passed, latencies unfit', tone: 'warn' },
  fail: { words: 'failed', tone: 'bad' },
  inconclusive: { words: 'not decided', tone: 'warn' },
  none: { words: 'no gate', tone: null },
};

export function gateWords(verdict: Verdict['verdict']): string {
  return verdict === 'none' ? 'No gate' : `Gate ${GATE_STATES[verdict].words}`;
}

const TONES = { pass: 'good', fail: 'bad', inconclusive: 'warn', not_applicable: null } as const;

/** A pass that rests on unfit latencies needs care. */
export function toneOf({ verdict, unfit }: Pick<RuleResult, 'verdict' | 'unfit'>): Tone {
  return verdict === 'pass' && unfit.length > 0 ? 'warn' : TONES[verdict];
}

/** `; this machine could not keep up; 12 of 40 takes waited for a rate limit, ...`; empty where nothing is unfit. */
function unfitWords(result: Pick<RuleResult, 'unfit'>): string {
  const isLate = result.unfit.some(({ code }) => code === 'not_kept_up');
  return `${isLate ? `; ${NOT_KEPT_UP}` : ''}${waitWords([result])}`;
}

/** That alone: of a machine that could not keep up a warning says more beside each list of rules. */
export function waitWords(results: readonly Pick<RuleResult, 'unfit'>[]): string {
  const reasons = results.flatMap(({ unfit }) => unfit);
  const waits = reasons.flatMap((reason) => (reason.code === 'rate_limited' ? [reason] : []));
  const [takes, of] = [sum(waits.map((reason) => reason.takes)), sum(waits.map(({ ofTakes }) => ofTakes))];
  return takes > 0 ? `; ${waitedWords(takes, of)}` : '';
}
