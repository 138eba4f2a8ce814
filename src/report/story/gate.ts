import type { Analysis } from '../../analysis/analysis.ts';
import { comparesTwins } from '../../gate/rule-case.ts';
import { stateWords, verdictSentence } from '../../gate/run-state.ts';
import type { RuleResult, Verdict } from '../../gate/verdict.ts';
import { evidenceLine, isTold, uncoveredSentences, verdictLinesOf } from '../../gate/verdict-lines.ts';
import { resultsByGravity, toneOf } from '../../gate/verdict-statement.ts';
import { count, plural } from '../../kit/wording.ts';
import type { AnsweredRun } from '../reporter.ts';
import { answerOf } from '../run-answer.ts';
import { looksSentence } from '../run-statement.ts';
import { blockOf, fold, lines, type RuleBlock, type SentenceBlock, type StoryLine, sentences } from '../story-block.ts';
import { missingSentences } from '../two-runs.ts';

interface DecidedRun {
  readonly verdict: Verdict;
  readonly analysis: GatedRun;
}

type GatedRun = Pick<Analysis, 'run' | 'variants'>;

const MOST_RULES = 8;

/** The rules, what needs care first; then how often the gate was looked at, and what a stored baseline lacks. */
export function gateBlocks(verdict: Verdict): readonly [RuleBlock, SentenceBlock] {
  const all = verdictLinesOf(verdict.rules);
  const ordered = [...all.filter(isTold), ...all.filter((line) => !isTold(line))];
  const { shown, folded } = fold(ordered, MOST_RULES);
  const passed = folded.filter((line) => !isTold(line)).length;
  const more = [
    ...(folded.length > passed ? [`${plural(folded.length - passed, 'more line')} not passed`] : []),
    ...(passed > 0 ? [`${count(passed)} more that pass`] : []),
  ];
  return [rulesOf({ shown, folded }, more.length === 0 ? null : more.join(', ')), gateSentences(verdict)];
}

function gateSentences(verdict: Verdict): SentenceBlock {
  return sentences('gate', [...[looksSentence(verdict) ?? []].flat(), ...missingSentences(verdict)]);
}

export function rulesOf(parts: Pick<RuleBlock, 'shown' | 'folded'>, more: string | null): RuleBlock {
  return blockOf('rules', 'gate', 'result', parts, more);
}

/** Also that no rule looks at the speed beside what is in use: a gate that passes says nothing of it. */
export function uncoveredBy(verdict: Verdict, { run, variants }: GatedRun): readonly string[] {
  const isBlind = run.against !== null && !verdict.rules.some(({ rule }) => comparesTwins(rule));
  const rule = '{ metric: latency.total, against: baseline, max_increase: 10% }';
  return [
    ...uncoveredSentences(verdict, variants),
    ...(isBlind ? [`No rule compares the speed of new with in use; one would be ${rule}`] : []),
  ];
}

/** What no rule covers, or that there is none. */
export function gateNotes({ verdict, analysis }: DecidedRun): SentenceBlock {
  const isNone = verdict.verdict === 'none';
  return sentences('notes', isNone ? [verdictSentence(verdict, analysis)] : uncoveredBy(verdict, analysis));
}

/** The gate alone: each result that is no plain pass with its evidence, then every other rule. */
export function wholeGate(source: AnsweredRun): readonly (SentenceBlock | RuleBlock)[] {
  const { verdict, analysis } = source;
  const { rules } = verdict;
  const { answer, tone } = answerOf(source);
  const first: StoryLine = {
    sentence: `${verdictSentence(verdict, analysis)}.`,
    tone: stateWords(verdict).tone ?? 'quiet',
  };
  const isOpen = (result: RuleResult) => isTold({ tone: toneOf(result) });
  const evidence = resultsByGravity(rules.filter(isOpen)).map(evidenceLine);
  return [
    lines('gate', [first, { sentence: answer, tone }]),
    rulesOf(fold([...evidence, ...verdictLinesOf(rules.filter((result) => !isOpen(result)))]), null),
    gateSentences(verdict),
    sentences('gate', uncoveredBy(verdict, analysis)),
  ];
}
