import type { Analysis } from '../../analysis/analysis.ts';
import { ruleNoun } from '../../gate/claim-words.ts';
import { comparesTwins } from '../../gate/rule-case.ts';
import { stateWords, verdictSentence } from '../../gate/run-state.ts';
import type { RuleResult, Verdict } from '../../gate/verdict.ts';
import {
  evidenceLine,
  isTold,
  uncoveredSentences,
  type VerdictLine,
  verdictLinesOf,
} from '../../gate/verdict-lines.ts';
import { resultsByGravity, tallyOf, toneOf } from '../../gate/verdict-statement.ts';
import { count, plural } from '../../kit/wording.ts';
import type { AnsweredRun } from '../reporter.ts';
import { answerOf, answersByKind } from '../run-answer.ts';
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
import { MOST, type Teller } from './most.ts';

interface DecidedRun {
  readonly verdict: Verdict;
  readonly analysis: GatedRun;
}

type GatedRun = Pick<Analysis, 'run' | 'variants'>;

/** What a teller says of the gate. */
export function gateBlocks(source: AnsweredRun, teller: Teller): readonly (SentenceBlock | RuleBlock)[] {
  const { verdict, analysis } = source;
  const rules = ruleBlock(source, teller);
  const looks = [looksSentence(verdict) ?? []].flat();
  const uncovered = uncoveredBy(verdict, analysis);
  switch (teller) {
    case 'terminal':
      return [rules, sentences('gate', [...looks, ...missingSentences(verdict)])];
    case 'markdown': {
      const { answer, next } = answerOf(source);
      const state: StoryLine = { sentence: `${verdictSentence(verdict, analysis)}.`, tone: 'strong' };
      const said = sentences('gate', [...looks, ...uncovered]).shown;
      const then = next === null ? [] : [`To ${next.why}: ${next.command}`];
      const plain = [answer, ...then].map((sentence): StoryLine => ({ sentence, tone: null }));
      // Without a gate, its state is the least of what came out.
      const first = verdict.verdict === 'none' ? [...plain, { ...state, tone: null }] : [state, ...plain];
      return [lines('gate', [...first, ...said]), rules];
    }
    case 'screen':
      return [rules, sentences('gate', [...missingSentences(verdict), ...uncovered])];
  }
}

/** What needs care first; a page has what its headline says folded. */
function ruleBlock(source: AnsweredRun, teller: Teller): RuleBlock {
  const { verdict, analysis } = source;
  const all = verdictLinesOf(verdict.rules);
  const [told, quiet] = [all.filter(isTold), all.filter((line) => !isTold(line))];
  const most = MOST[teller].rules;
  if (teller === 'terminal') {
    const { shown, folded } = fold([...told, ...quiet], most);
    const passed = folded.filter((line) => !isTold(line)).length;
    const more = [
      ...(folded.length > passed ? [`${plural(folded.length - passed, 'more line')} not passed`] : []),
      ...(passed > 0 ? [`${count(passed)} more that pass`] : []),
    ];
    return rulesOf({ shown, folded }, more.length === 0 ? null : `Not shown: ${more.join(', ')}`);
  }
  if (teller !== 'screen') {
    const parts = fold(told, most);
    const more = moreWords(parts.folded, 'result');
    return rulesOf(parts, more === null ? null : `${more} to look at`);
  }
  const said = answersByKind(source).map(({ about }) => about);
  const deciding = decidingLines(verdict, all).filter(({ worst }) => !said.includes(worst));
  const { shown } = fold(deciding, most, true);
  const folded = all.filter((line) => !shown.includes(line));
  const isEmpty = folded.length + missingSentences(verdict).length + uncoveredBy(verdict, analysis).length === 0;
  const noun = ruleNoun(verdict.rules);
  const more =
    shown.length > 0
      ? 'Other results of the gate'
      : `${noun === 'claim' ? '' : 'Gate: '}${plural(tallyOf(verdict).rules, noun)}`;
  return rulesOf({ shown, folded }, isEmpty ? null : more);
}

/** What failed, else what is undecided and may not pass: both decide the exit code. */
function decidingLines({ complete }: Verdict, all: readonly VerdictLine[]): readonly VerdictLine[] {
  const failed = all.filter(({ verdict }) => verdict === 'fail');
  if (failed.length > 0 || !complete) return failed;
  return all.filter(({ verdict, worst }) => verdict === 'inconclusive' && !worst.letPass);
}

function rulesOf(parts: Pick<RuleBlock, 'shown' | 'folded'>, more: string | null): RuleBlock {
  return blockOf('rules', 'gate', 'result', parts, more);
}

/** Also that no rule looks at the speed beside what is in use: a gate that passes says nothing of it. */
function uncoveredBy(verdict: Verdict, { run, variants }: GatedRun): readonly string[] {
  const isBlind = run.against !== null && !verdict.rules.some(({ rule }) => comparesTwins(rule));
  const rule = '{ metric: latency.total, against: baseline, max_increase: 10% }';
  return [
    ...uncoveredSentences(verdict, variants),
    ...(isBlind ? [`No rule compares the speed of new with in use; one would be ${rule}`] : []),
  ];
}

/** Each result by itself, what failed first; folded. */
export function foldedResults({ verdict: { rules } }: Pick<DecidedRun, 'verdict'>): ResultBlock {
  const all = { shown: [], folded: resultsByGravity(rules) };
  return blockOf('results', 'results', 'result', all, `Gate: ${plural(rules.length, 'result')}`);
}

/** What no rule covers, or that there is none; how to read columns. */
export function gateNotes({ verdict, analysis }: DecidedRun): SentenceBlock {
  const isNone = verdict.verdict === 'none';
  const remarks = isNone ? [verdictSentence(verdict, analysis)] : uncoveredBy(verdict, analysis);
  return lines('notes', [
    ...sentences('notes', remarks).shown,
    { sentence: 'Columns: retake run --help', tone: 'quiet' },
  ]);
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
    sentences('gate', [...[looksSentence(verdict) ?? []].flat(), ...missingSentences(verdict)]),
    sentences('gate', uncoveredBy(verdict, analysis)),
  ];
}
