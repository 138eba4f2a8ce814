import type { Analysis } from '../../analysis/analysis.ts';
import type { RuleResult, Verdict } from '../../gate/verdict.ts';
import { resultsByGravity, runVerdict, tallyOf, verdictSentence } from '../../gate/verdict-statement.ts';
import { count, plural } from '../../kit/wording.ts';
import { looksSentence } from '../run-statement.ts';
import {
  blockOf,
  fold,
  lines,
  moreWords,
  type ResultBlock,
  type RuleBlock,
  type SentenceBlock,
  type StoryLine,
  sentences,
} from '../story-block.ts';
import { missingSentences } from '../two-runs.ts';
import { evidenceLine, isTold, uncoveredSentences, verdictLinesOf } from './verdict-lines.ts';

type GatedRun = Pick<Analysis, 'run' | 'variants'>;

/** What failed, is undecided or rests on unfit latencies. */
export function toldRules({ rules }: Pick<Verdict, 'rules'>, most?: number): RuleBlock {
  const notPassed = fold(verdictLinesOf(rules).filter(isTold), most);
  const more = moreWords(notPassed.folded, 'result');
  return rulesOf(notPassed, more === null ? null : `${more} to look at`);
}

function rulesOf(parts: Pick<RuleBlock, 'shown' | 'folded'>, more: string | null): RuleBlock {
  return blockOf('rules', 'gate', 'result', parts, more);
}

/** Lines of rules that need care; fewer of a run that is not complete, whose gate decides nothing. */
const MOST_TOLD = 8;
const MOST_OF_INCOMPLETE = 3;

/** Lines of rules in all, if fewer need care; more that pass are counted. */
const MOST_RULES = 6;
const FEWEST_PASSED = 2;

/** What needs care, then some of what passed. */
export function someRules({ rules, complete }: Pick<Verdict, 'rules' | 'complete'>): RuleBlock {
  const all = verdictLinesOf(rules);
  const notPassed = fold(all.filter(isTold), complete ? MOST_TOLD : MOST_OF_INCOMPLETE);
  const most = complete ? Math.max(FEWEST_PASSED, MOST_RULES - notPassed.shown.length) : 0;
  const passed = all.filter((line) => !isTold(line));
  const quiet = fold(passed, most);
  const more = [
    ...(notPassed.folded.length > 0 ? [`${plural(notPassed.folded.length, 'more line')} not passed`] : []),
    ...(quiet.folded.length > 0 ? [`${count(quiet.folded.length)} more that pass`] : []),
  ];
  const words = more.length === 0 ? null : `Not shown: ${more.join(', ')}`;
  return rulesOf(fold([...notPassed.shown, ...quiet.shown]), words);
}

/** More lines are folded: images must find room. */
const MOST_AT_SIGHT = 2;

/** At sight what failed, else what is undecided and may not pass: both decide the exit code. Folded every other rule, and
 * what none covers. */
export function screenGate(
  verdict: Verdict,
  variants: GatedRun['variants'],
): { readonly rules: RuleBlock; readonly notes: SentenceBlock } {
  const all = verdictLinesOf(verdict.rules);
  const failed = all.filter(({ verdict: is }) => is === 'fail');
  const open = all.filter(({ verdict: is, worst }) => is === 'inconclusive' && !worst.letPass);
  const { shown } = fold(failed.length > 0 || !verdict.complete ? failed : open, MOST_AT_SIGHT, true);
  const others = all.filter((line) => !shown.includes(line));
  const limits = verdict.verdict === 'none' ? [] : uncoveredSentences(verdict, variants);
  const notes = sentences('notes', [...missingSentences(verdict), ...limits]);
  const isEmpty = others.length + notes.shown.length === 0;
  const more = shown.length > 0 ? 'Other results of the gate' : `Gate: ${plural(tallyOf(verdict).rules, 'rule')}`;
  return { rules: rulesOf({ shown, folded: others }, isEmpty ? null : more), notes };
}

export function verdictLines(verdict: Verdict, analysis: GatedRun): SentenceBlock {
  const limits = [looksSentence(verdict) ?? [], uncoveredSentences(verdict, analysis.variants)].flat();
  const first: StoryLine = { sentence: `${verdictSentence(verdict, analysis)}.`, tone: 'strong' };
  return lines('gate', [first, ...sentences('gate', limits).shown]);
}

/** Each result by itself, what failed first; folded. */
export function foldedResults({ rules }: Pick<Verdict, 'rules'>): ResultBlock {
  const all = { shown: [], folded: resultsByGravity(rules) };
  return blockOf('results', 'gate', 'result', all, `Gate: ${plural(rules.length, 'result')}`);
}

/** What limits the verdict: its looks, and what one of two runs lacks. */
export function gateLimits(verdict: Verdict): SentenceBlock {
  return sentences('gate', [...[looksSentence(verdict) ?? []].flat(), ...missingSentences(verdict)]);
}

/** What no rule covers, or that there is none; how to read columns. */
export function gateNotes(verdict: Verdict, analysis: GatedRun): SentenceBlock {
  const isNone = verdict.verdict === 'none';
  const remarks = isNone ? [verdictSentence(verdict, analysis)] : uncoveredSentences(verdict, analysis.variants);
  return lines('notes', [
    ...sentences('notes', remarks).shown,
    { sentence: 'Columns: retake run --help', tone: 'quiet' },
  ]);
}

/** The gate alone: each result that failed or is undecided with its evidence, then every other rule. */
export function wholeGate(verdict: Verdict, analysis: GatedRun): readonly (SentenceBlock | RuleBlock)[] {
  const { rules } = verdict;
  const first: StoryLine = {
    sentence: `${verdictSentence(verdict, analysis)}.`,
    tone: runVerdict(verdict).tone ?? 'quiet',
  };
  const isOpen = ({ verdict: is }: RuleResult) => is === 'fail' || is === 'inconclusive';
  const evidence = resultsByGravity(rules.filter(isOpen)).map(evidenceLine);
  return [
    lines('gate', [first]),
    rulesOf(fold([...evidence, ...verdictLinesOf(rules.filter((result) => !isOpen(result)))]), null),
    gateLimits(verdict),
    sentences('gate', uncoveredSentences(verdict, analysis.variants)),
  ];
}
