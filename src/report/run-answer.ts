import type { Analysis } from '../analysis/analysis.ts';
import type { VariantStability } from '../analysis/stability.ts';
import type { VariantSummary } from '../analysis/summaries.ts';
import { kindOf } from '../gate/bounds.ts';
import { claimAnswer } from '../gate/claim-words.ts';
import { needsKeptOutputs } from '../gate/rule-case.ts';
import { runState, verdictOf } from '../gate/run-state.ts';
import { inconclusiveWords } from '../gate/undecided-words.ts';
import type { NextStep, RuleResult, RunQuestion, RunState, Verdict } from '../gate/verdict.ts';
import { verdictLinesOf } from '../gate/verdict-lines.ts';
import { resultsByGravity, ruleSubject, toneOf } from '../gate/verdict-statement.ts';
import { groupBy } from '../kit/grouping.ts';
import { pick } from '../kit/json.ts';
import { outputNoun, pictureOf } from '../kit/names.ts';
import { capital, listedInShort, plural } from '../kit/wording.ts';
import type { Stop } from '../record/journal.ts';
import { isClaim } from '../suite/gate.ts';
import type { Kind } from '../suite/kind.ts';
import { sweepSteps } from '../suite/sweep.ts';
import { leadsWithEdits } from './answer-statement.ts';
import { capacityWords } from './hold-statement.ts';
import type { AnsweredRun } from './reporter.ts';
import { whatIsComplete } from './run-statement.ts';
import { byKind, ownVariants } from './statement.ts';
import { failureWords } from './statements/failure-words.ts';
import { factOf } from './statements/question-facts.ts';
import type { StoryLine } from './story-block.ts';

/*
 * A run has one question, which follows from its record alone, and one answer. Badge, headline, terminal, summary, lists
 * and --json have no other words of what came out.
 */

export interface RunAnswer {
  readonly question: RunQuestion;
  readonly state: RunState;
  /** A sentence with its full stop. Holds hostile text. */
  readonly answer: string;
  readonly next: NextStep | null;
  readonly tone: StoryLine['tone'];
}

export interface KindAnswer extends RunAnswer {
  readonly kind: Kind;
  /** What it says of the gate: the rule that failed, else the one that is undecided; null where it says a fact. */
  readonly about: RuleResult | null;
}

export const QUESTION_WORDS: Readonly<Record<RunQuestion, string>> = {
  claim: 'Is the claim true?',
  changed: 'What changed?',
  swap: 'Can I swap?',
  slower: 'Is it slower than usual?',
  worth: 'Is it worth it?',
  edits: 'How good are the edits?',
  load: 'What load holds?',
  alone: 'How fast, and the same again?',
};

/** That of the kind whose state is the gravest; of equally grave ones the first of the plan. */
export function answerOf(source: AnsweredRun): RunAnswer {
  const { analysis, verdict } = source;
  const all = answersByKind(source);
  const worst = GRAVE.flatMap((grave) => all.filter(({ state }) => state === grave))[0] ?? all[0];
  const { question = 'alone', answer = 'Nothing was measured.', next = null, tone = null } = worst ?? {};
  if (verdict.complete) return { question, state: runState(verdict), answer, next, tone };
  const absent = verdict.missing.flatMap(({ what, side, id }) => (what === 'variant' && side === 'run' ? [id] : []));
  const unmeasured = `this machine did not measure ${listedInShort(absent)}`;
  const sentence = `${capital(analysis.run.complete ? unmeasured : whatIsComplete(analysis))}.`;
  return { question, state: 'incomplete', answer: sentence, next: resumption(analysis), tone: 'bad' };
}

/** Null where the run cannot go on: what is missing was measured by nobody, or on other machines. */
function resumption({ run, variants }: Analysis): NextStep | null {
  const { id, suite, shards, stop, spend, requestsSent, missingProbes } = run;
  if (shards !== null || stop?.reason === 'finished') return null;
  const resume = `retake run --resume ${folderOf(suite, id)}`;
  if (stop?.reason !== 'requests' && stop?.reason !== 'usd') return { why: 'go on', command: resume };
  const left = variants.reduce((sum, { missing }) => sum + missing, missingProbes);
  // Where money ran out, at the cost of what was sent.
  const usd = ((spend?.mostUsd ?? spend?.usd ?? 0) * (requestsSent + left)) / Math.max(1, spend?.requests ?? 0);
  const raised =
    stop.reason === 'requests'
      ? [`limits.requests=${requestsToEnd(stop, left, requestsSent)}`]
      : // Rounded up to cents; 1e-6 ignores the rounding error of the sum.
        [`limits.usd=${Math.ceil(100 * usd - 1e-6) / 100}`];
  return { why: 'go on', command: `${resume}${raised.map((set) => ` --set ${set}`).join('')} --yes` };
}

/**
 * The limit on requests with which a run that reached it can end: each take that is left needs one.
 * @param sent requests so far
 */
export function requestsToEnd({ limit }: Extract<Stop, { reason: 'requests' }>, left: number, sent: number): number {
  return Math.max(limit, sent) + left;
}

/** For verdict.json and `--json`. */
export function recordedAnswer(source: AnsweredRun): Required<Pick<Verdict, 'question' | 'state' | 'answer' | 'next'>> {
  return pick(answerOf(source), 'question', 'state', 'answer', 'next');
}

const GRAVE = ['failed', 'not_decided', 'not_judged'] as const;

/** Every part of a report asks for them. */
const known = new WeakMap<AnsweredRun['analysis'], AnsweredRun & { readonly answers: readonly KindAnswer[] }>();

const CLAIMED = {
  fail: 'refuted',
  inconclusive: 'not decided',
  pass: 'supported',
  not_applicable: 'left out',
} as const;

/** In the order of the plan. */
export function answersByKind({ analysis, comparisons, verdict }: AnsweredRun): readonly KindAnswer[] {
  const before = known.get(analysis);
  if (before?.comparisons === comparisons && before.verdict === verdict) return before.answers;
  const source = { analysis, comparisons, verdict };
  const answers = byKind(analysis.variants).map(([kind, variants]) => answerOfKind(source, kind, variants));
  known.set(analysis, { ...source, answers });
  return answers;
}

function answerOfKind(source: AnsweredRun, kind: Kind, variants: readonly VariantSummary[]): KindAnswer {
  const { analysis, verdict } = source;
  const { complete, baselineLabel, baselineRun } = verdict;
  const rules = verdict.rules.filter((result) => result.kind === kind);
  const state = runState({ complete, rules, verdict: verdictOf(rules) });
  const question = questionOf(source, rules, variants);
  const lines = verdictLinesOf(rules);
  const since = baselineLabel ?? baselineRun;
  const folder = folderOf(analysis.run.suite, analysis.run.id);
  const failed = lines.find((line) => line.verdict === 'fail')?.worst ?? null;
  const open = lines.flatMap((line) => (line.verdict === 'inconclusive' ? [line.worst] : []));
  const [decisive] = open.filter(({ letPass }) => !letPass);
  const shared = { kind, question, state };
  const claims = rules.filter(isClaim);
  const [claim, ...further] = resultsByGravity(claims);
  if (claim !== undefined) {
    const gate = rules.filter((result) => !isClaim(result) && result.verdict === 'fail');
    const more = gate.length === 0 ? '' : `; ${plural(new Set(gate.map(({ index }) => index)).size, 'rule')} failed`;
    const others = [...groupBy(further, (result) => result.verdict)]
      .map(([is, alike]) => `; ${plural(alike.length, 'more claim')} ${CLAIMED[is]}`)
      .join('');
    const answer = `${claimAnswer(claim, claims.length)}${others}${more}.`;
    return { ...shared, answer, next: null, tone: toneOf(claim) ?? null, about: claim };
  }
  if (state === 'failed' && failed !== null) {
    const words = isOfLoad(failed) ? capacityWords(failed, analysis) : failureWords(failed, since);
    const answer = `${words}${others(failed, rules, 'failed')}.`;
    return { ...shared, answer, next: nextOf(failed, folder), tone: 'bad', about: failed };
  }
  const steps = (decisive === undefined ? open : [decisive]).flatMap((result) => nextOf(result, folder) ?? []);
  const next = steps[0] ?? null;
  if (state === 'not_decided' && decisive !== undefined) {
    const answer = `${openWords(decisive, source)}${others(decisive, rules, 'not decided')}.`;
    return { ...shared, answer, next, tone: 'warn', about: decisive };
  }
  const { sentence, tone } = factOf(question, source, { rules, variants, since });
  return { ...shared, answer: sentence, next, tone, about: null };
}

/** Whether an answer says that nothing changed of a variant that was compared whole. */
export function saysUnchanged(source: AnsweredRun): (result: VariantStability) => boolean {
  const kinds = new Map(source.analysis.variants.map(({ name, kind }) => [name, kind]));
  const answers = new Map(answersByKind(source).map((answer) => [answer.kind, answer]));
  return ({ variant, compared, cells, changed }) => {
    const kind = kinds.get(variant);
    const { question, about } = (kind === undefined ? null : answers.get(kind)) ?? {};
    if (compared < cells || question !== 'changed' || source.analysis.run.against !== null) return false;
    return changed.length === 0 && about === null;
  };
}

function questionOf(
  { analysis: { run, votes }, comparisons, verdict }: AnsweredRun,
  rules: readonly RuleResult[],
  variants: readonly VariantSummary[],
): RunQuestion {
  const own = ownVariants({ variants });
  if (rules.some(isClaim)) return 'claim';
  const isStored = rules.some(({ rule, code }) => needsKeptOutputs(rule) && code !== 'no_baseline');
  if (sweepSteps(run.plan.load) !== null) return 'load';
  const hasGrown =
    verdict.complete && rules.some(({ rule, verdict: is }) => is === 'fail' && rule.against === 'history');
  if (run.against !== null || isStored || hasGrown) return 'changed';
  const isVotedOn = votes?.variants.some((of) => of.voters > 0 && own.some(({ name }) => name === of.variant)) === true;
  if (own.length === 2 && (isVotedOn || rules.some(isOfSwap))) return 'swap';
  if (own.length > 1 && comparisons.some(({ variant }) => own.some(({ name }) => name === variant))) return 'worth';
  if (leadsWithEdits(variants, run.plan.load)) return 'edits';
  return rules.some(({ rule, estimate }) => rule.against === 'history' && estimate !== null) ? 'slower' : 'alone';
}

/** What is not asked of a candidate that is only to be faster. */
function isOfSwap({ rule }: RuleResult): boolean {
  return kindOf(rule).comparesVariants && /^(score\.|block_rate$|cost\.)/.test(rule.metric);
}

/** `; 1 more variant and 2 more rules failed`: what is said of one rule, and holds for others. */
function others({ index, verdict, letPass }: RuleResult, rules: readonly RuleResult[], what: string): string {
  const alike = rules.filter((result) => result.verdict === verdict && result.letPass === letPass);
  const variants = alike.filter((result) => result.index === index).length - 1;
  const further = new Set(alike.map((result) => result.index)).size - 1;
  const parts = [
    ...(variants > 0 ? [plural(variants, 'more variant')] : []),
    ...(further > 0 ? [plural(further, 'more rule')] : []),
  ];
  return parts.length === 0 ? '' : `; ${parts.join(' and ')} ${what}`;
}

/** Of a sweep a rule can ask for nothing else. */
function isOfLoad({ rule }: RuleResult): boolean {
  return rule.metric === 'capacity';
}

/** Why a rule is undecided. */
function openWords(result: RuleResult, { analysis }: AnsweredRun): string {
  const { rule, code, kind, variant } = result;
  if (isOfLoad(result)) return capacityWords(result, analysis);
  const { votes } = analysis;
  if (result.verdict !== 'inconclusive') return ruleSubject(result);
  const voted = votes?.variants.find((of) => of.variant === variant);
  const isUnasked = code === 'not_scored' && rule.metric === 'score.votes' && (voted?.voters ?? 0) === 0;
  if (isUnasked) return `Nobody has compared the ${pictureOf(outputNoun(kind))}s`;
  return `${ruleSubject(result)}: ${inconclusiveWords(result)}`;
}

/** What settles a rule that failed or is open; null where no command does. */
function nextOf({ rule, code, verdict }: RuleResult, folder: string): NextStep | null {
  if (code === 'beyond_at_first_again')
    return { why: 'accept this change', command: `retake baseline ${folder} --restart-history` };
  if (verdict === 'fail')
    return needsKeptOutputs(rule) ? { why: 'accept this change', command: `retake baseline ${folder}` } : null;
  if (code === 'no_baseline') return { why: 'compare later runs with this one', command: `retake baseline ${folder}` };
  const isOfVotes = rule.metric === 'score.votes';
  if (isOfVotes && (code === 'not_scored' || code === 'too_many_missing'))
    return { why: 'compare the pictures', command: `retake vote ${folder}` };
  return code === 'not_scored' ? { why: 'score the outputs', command: `retake score ${folder}` } : null;
}

/** As the record knows it: `results/SUITE/RUN`. */
function folderOf(suite: string, run: string): string {
  return `results/${suite}/${run}`;
}
