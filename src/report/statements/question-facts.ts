import { FEWEST_RUNS } from '../../analysis/earlier-runs.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { kindOf } from '../../gate/bounds.ts';
import { needsKeptOutputs } from '../../gate/rule-case.ts';
import type { RuleResult, RunQuestion } from '../../gate/verdict.ts';
import { allowance, asLong, isShownWithin } from '../../gate/verdict-statement.ts';
import { outputNoun, pictureOf } from '../../kit/names.ts';
import { ratioInterval, timesBeside } from '../../kit/value-words.ts';
import { count, plural } from '../../kit/wording.ts';
import { answersOf, storedAnswers } from '../answer-statement.ts';
import type { AnsweredRun } from '../reporter.ts';
import type { StoryLine } from '../story-block.ts';
import { voteSentences } from './score-words.ts';

/* What came out where no rule failed and none is undecided: a sentence with its full stop. */

interface AskedKind {
  readonly rules: readonly RuleResult[];
  readonly variants: readonly VariantSummary[];
  /** Name of the stored baseline's run; null without one. */
  readonly since: string | null;
}

export function factOf(question: RunQuestion, source: AnsweredRun, asked: AskedKind): StoryLine {
  const { analysis, comparisons } = source;
  const { rules, variants, since } = asked;
  const [measured = { sentence: 'Nothing was delivered.', tone: null }] = answersOf(analysis, comparisons, variants);
  const said = (sentence: string | null): StoryLine => (sentence === null ? measured : { sentence, tone: null });
  switch (question) {
    case 'changed':
      return storedAnswers(analysis, comparisons, variants)[0] ?? said(unchanged(rules, since));
    case 'swap':
      return said(swapped(rules, givenVotes(source, variants)));
    case 'slower':
      return said(besideEarlier(rules));
    case 'claim':
    case 'worth':
    case 'load':
    case 'edits':
    case 'alone':
      return measured;
  }
}

/** `Nothing that the rules look at changed since night-1.`; where some decided nothing, of pictures alone. */
function unchanged(rules: readonly RuleResult[], since: string | null): string {
  const name = since ?? 'the stored baseline';
  if (rules.every(({ verdict }) => verdict === 'pass')) return `Nothing that the rules look at changed since ${name}.`;
  const [first] = rules.filter(({ rule, verdict }) => needsKeptOutputs(rule) && verdict === 'pass');
  return first === undefined
    ? `Whether a ${nounOf(rules)} changed since ${name} is not known.`
    : `No ${nounOf(rules)} changed since ${name}.`;
}

function nounOf([first]: readonly RuleResult[]): string {
  return first === undefined ? 'picture' : pictureOf(outputNoun(first.kind));
}

const TOPICS: readonly (readonly [RegExp, string])[] = [
  [/^latency\./, 'as fast'],
  [/^cost\./, 'as cheap'],
  [/^error_rate$/, 'as reliable'],
  [/^block_rate$/, 'refused as rarely'],
  [/^likeness$/, 'like it'],
  [/^score\.votes$/, 'liked as much'],
  [/^score\.(?!votes$)/, 'scored as high'],
];

/** A change passes too where a multiple of its limit is ruled out: that shows no yes. */
function saidOf(result: RuleResult): string {
  if (result.letPass) return 'not judged';
  if (result.verdict === 'pass' && !isShownWithin(result)) return 'no difference shown';
  return result.verdict === 'pass' && result.unfit.length > 0
    ? 'yes, as far as this run can tell'
    : SAID[result.verdict];
}

const SAID = { pass: 'yes', fail: 'no', inconclusive: 'not decided', not_applicable: 'left out' } as const;

function givenVotes({ analysis, comparisons }: AnsweredRun, variants: readonly VariantSummary[]): readonly string[] {
  const asked = new Set(analysis.votes?.variants.flatMap(({ variant, voters }) => (voters > 0 ? [variant] : [])));
  const voted = variants.filter(({ name }) => asked.has(name));
  return voteSentences(analysis, comparisons, voted, true);
}

/**
 * `b in place of a: as fast (yes), as reliable (yes), liked as much (not judged).`; where no rule asks for votes, they
 * come first. Null without either.
 */
function swapped(rules: readonly RuleResult[], votes: readonly string[]): string | null {
  const between = rules.filter(({ rule, against }) => kindOf(rule).comparesVariants && against !== null);
  const [first] = between;
  if (first === undefined || (votes.length > 0 && between.every(({ rule }) => rule.metric !== 'score.votes')))
    return votes.length === 0 ? null : `${votes.join('; ')}.`;
  const parts = TOPICS.flatMap(([metric, topic]) => {
    const found = between.filter(({ rule }) => metric.test(rule.metric));
    const worst = WORST_FIRST.flatMap((verdict) => found.filter((result) => result.verdict === verdict))[0];
    if (worst === undefined) return [];
    return [`${topic} (${saidOf(worst)})`];
  });
  return `${first.variant} in place of ${first.against}: ${parts.join(', ')}.`;
}

const WORST_FIRST = ['fail', 'inconclusive', 'pass', 'not_applicable'] as const;

/** Of the variant that changed most; null where there is no earlier run. */
export function besideEarlier(rules: readonly RuleResult[]): string | null {
  const earlier = rules.filter(({ rule, estimate }) => rule.against === 'history' && estimate !== null);
  const [most] = earlier.toSorted((a, b) => changeOf(b) - changeOf(a));
  if (most === undefined) return null;
  const { rule, variant, estimate, n, lastRun, code } = most;
  const does = rule.metric === 'latency.total' ? `${variant} takes` : `${variant}: ${rule.metric} is`;
  if (code === 'short_history' && lastRun !== undefined) {
    const from = `${allowance(most)} from ${count(FEWEST_RUNS + 1)} earlier runs on (${count(n)} so far)`;
    const now = rule.atFirst === undefined ? '' : `, ${allowance({ ...most, code: 'beyond_at_first' })}`;
    return `${does} ${ratioWords(lastRun.ratio, lastRun)} as the last run (${lastRun.run})${now}; ${from}.`;
  }
  const beside =
    lastRun === undefined ? '' : `; ${ratioWords(lastRun.ratio, lastRun)} as the last run (${lastRun.run})`;
  return `${does} ${ratioWords(estimate ?? 1, most)} as in ${plural(n, 'earlier run')}, ${allowance(most)}${beside}.`;

  /** `1.96x as long [1.88, 2.05]`; without an interval the ratio alone. */
  function ratioWords(ratio: number, { ciLow, ciHigh }: Pick<RuleResult, 'ciLow' | 'ciHigh'>): string {
    const interval = ciLow === null && ciHigh === null ? '' : ` ${ratioInterval(ciLow, ciHigh)}`;
    return `${timesBeside(ratio, ciLow, ciHigh)}${asLong(rule)}${interval}`;
  }
}

function changeOf({ estimate, rule }: RuleResult): number {
  const ln = Math.log(estimate ?? 1);
  return kindOf(rule).allows.high === Infinity ? -ln : ln;
}
