import type { Analysis } from '../analysis/analysis.ts';
import { count, plural } from '../kit/wording.ts';
import type { HistoryLine } from '../record/kept-run.ts';
import { isClaim } from '../suite/gate.ts';
import { ruleNoun } from './claim-words.ts';
import type { RuleResult, RunState, Verdict } from './verdict.ts';
import { GATE_STATES, gateWords, type Tone, tallyOf } from './verdict-statement.ts';

type StatedRun = Pick<Verdict, 'verdict' | 'complete'> & { readonly rules: readonly JudgedRule[] };
type JudgedRule = Pick<RuleResult, 'index' | 'verdict' | 'letPass' | 'rule'>;

/** What rules say together: one fail fails; then one undecided rule that may not be let pass leaves the gate undecided. */
export function verdictOf(results: readonly RuleResult[]): Verdict['verdict'] {
  const counted = results.filter(({ verdict }) => verdict !== 'not_applicable');
  if (counted.some(({ verdict }) => verdict === 'fail')) return 'fail';
  if (counted.some(({ verdict, letPass }) => verdict === 'inconclusive' && !letPass)) return 'inconclusive';
  if (counted.some(({ unfit }) => unfit.length > 0)) return 'pass_unfit';
  return counted.length === 0 ? 'none' : 'pass';
}

/** What a gate decided of a run. One that is incomplete decides nothing. */
export function runState({ verdict, complete, rules }: StatedRun): RunState {
  if (!complete) return 'incomplete';
  switch (verdict) {
    case 'none':
      return 'no_rule';
    case 'fail':
      return 'failed';
    case 'inconclusive':
      return 'not_decided';
    case 'pass_unfit':
      return 'passed_unfit';
    case 'pass':
      return notJudgedOf(rules) === null ? 'passed' : 'not_judged';
  }
}

/** How many rules decided nothing of some variant, and let that pass; null if none did. */
export function notJudgedOf(rules: readonly JudgedRule[]): NonNullable<HistoryLine['notJudged']> | null {
  const numberOf = (some: readonly JudgedRule[]) => new Set(some.map(({ index }) => index)).size;
  const open = numberOf(rules.filter(({ letPass }) => letPass));
  return open === 0 ? null : { rules: open, of: numberOf(rules.filter(({ verdict }) => verdict !== 'not_applicable')) };
}

export interface StateWords {
  readonly words: string;
  readonly tone: Tone;
}

/** What a gate says of a run, and in which colour: `Gate failed`, `Gate passed, 2 not judged`. */
export function stateWords({ rules, ...run }: StatedRun): StateWords {
  const open = notJudgedOf(rules);
  return lineState({
    ...run,
    ...(claimsDecide(run.verdict, rules) && { ofClaims: true }),
    ...(open !== null && { notJudged: open }),
  });
}

/** Whether claims alone make the verdict: then it is said of them. */
export function claimsDecide(verdict: Verdict['verdict'], rules: readonly JudgedRule[]): boolean {
  const is = verdict === 'pass_unfit' ? 'pass' : verdict;
  const decisive = rules.filter((result) => result.verdict === is && !result.letPass);
  return decisive.length > 0 && decisive.every(isClaim);
}

const CLAIM_WORDS = {
  pass: 'Claim supported',
  pass_unfit: 'Claim supported, latencies unfit',
  fail: 'Claim refuted',
  inconclusive: 'Claim not decided',
  none: 'No claim',
} as const;

/** The same of a line of a history. What was not judged is never green. */
export function lineState(line: Pick<HistoryLine, 'complete' | 'verdict' | 'notJudged' | 'ofClaims'>): StateWords {
  const { complete, verdict, notJudged: open } = line;
  if (!complete) return { words: 'Incomplete', tone: 'bad' };
  const state = { ...GATE_STATES[verdict], words: line.ofClaims ? CLAIM_WORDS[verdict] : gateWords(verdict) };
  if (open === undefined || !verdict.startsWith('pass')) return state;
  const words = open.rules === open.of ? 'Gate not judged' : `${state.words}, ${count(open.rules)} not judged`;
  return { words, tone: 'warn' };
}

/** Without a full stop. Rules need all cell pairs of a run, so a shard has no verdict. */
export function verdictSentence(
  verdict: Pick<Verdict, 'verdict' | 'complete' | 'rules'>,
  { run }: { readonly run: Pick<Analysis['run'], 'shard'> },
): string {
  const why = run.shard === null ? 'the suite declares no rule' : 'rules are decided when all shards are merged';
  if (verdict.verdict === 'none') return `No gate: ${why}`;
  if (!verdict.complete) return 'The run is incomplete, so its gate decides nothing';
  const { rules, failedRules, undecidedRules, letPassRules } = tallyOf(verdict);
  const decisive = { fail: failedRules, inconclusive: undecidedRules, pass: null, pass_unfit: null }[verdict.verdict];
  const rest = (some: number, what: string) =>
    verdict.verdict === 'fail' && some > 0 ? `, ${count(some)} ${what}` : '';
  const also = rest(undecidedRules - letPassRules, 'not decided') + rest(letPassRules, 'not judged');
  return `${stateWords(verdict).words}: ${decisive === null ? '' : `${count(decisive)} of `}${plural(rules, ruleNoun(verdict.rules))}${also}`;
}
