import type { VariantSummary } from '../analysis/summaries.ts';
import { ruleNoun } from '../gate/claim-words.ts';
import type { Verdict } from '../gate/verdict.ts';
import { type VerdictLine, verdictLinesOf } from '../gate/verdict-lines.ts';
import { tallyOf } from '../gate/verdict-statement.ts';
import { plural } from '../kit/wording.ts';
import type { Kind } from '../suite/kind.ts';
import type { AnsweredRun } from './reporter.ts';
import { answersByKind, saysUnchanged } from './run-answer.ts';
import { stabilitySentences } from './sameness-statement.ts';
import { readingNotes } from './story/facts.ts';
import { rulesOf, uncoveredBy } from './story/gate.ts';
import { answers, scores } from './story/results.ts';
import { causes, unfitWarnings } from './story/warnings.ts';
import type { StorySource } from './story.ts';
import { type CauseBlock, fold, type RuleBlock, type SentenceBlock, type WarningBlock } from './story-block.ts';
import { missingSentences } from './two-runs.ts';

/* What the first screen of the page shows of a run: few lines, so that images find room. */

const MOST_RULES = 2;
const MOST_CAUSES = 2;

interface FirstScreen {
  readonly unfit: WarningBlock;
  readonly causes: CauseBlock;
  readonly answersOf: (kind: Kind, variants: readonly VariantSummary[]) => SentenceBlock;
  /** Of variants of a kind. */
  readonly scoresOf: (variants: readonly VariantSummary[]) => SentenceBlock;
  /** How to read what is said; without full stops. */
  readonly notes: readonly string[];
  /** What changed against a stored baseline; without full stops. */
  readonly stored: readonly string[];
}

export function firstScreen(source: StorySource): FirstScreen {
  const { analysis, comparisons } = source;
  return {
    unfit: unfitWarnings(analysis),
    causes: causes(analysis, MOST_CAUSES),
    answersOf: (kind, variants) => answers(source, kind, variants),
    scoresOf: (variants) => scores(source, variants, true),
    notes: readingNotes({ analysis, comparisons }),
    stored: stabilitySentences(source, saysUnchanged(source)),
  };
}

/** What decides the exit code, without what a headline says; the other rules folded, with notes of the gate. */
export function rulesAtSight(source: AnsweredRun): RuleBlock & { readonly notes: readonly string[] } {
  const { verdict, analysis } = source;
  const all = verdictLinesOf(verdict.rules);
  const said = answersByKind(source).map(({ about }) => about);
  const deciding = decidingLines(verdict, all).filter(({ worst }) => !said.includes(worst));
  const { shown } = fold(deciding, MOST_RULES, true);
  const folded = all.filter((line) => !shown.includes(line));
  const notes = [...missingSentences(verdict), ...uncoveredBy(verdict, analysis)];
  const noun = ruleNoun(verdict.rules);
  const more =
    shown.length > 0
      ? 'Other results of the gate'
      : `${noun === 'claim' ? '' : 'Gate: '}${plural(tallyOf(verdict).rules, noun)}`;
  return { ...rulesOf({ shown, folded }, folded.length + notes.length === 0 ? null : more), notes };
}

/** What failed, else what is undecided and may not pass: both decide the exit code. */
function decidingLines({ complete }: Verdict, all: readonly VerdictLine[]): readonly VerdictLine[] {
  const failed = all.filter(({ verdict }) => verdict === 'fail');
  if (failed.length > 0 || !complete) return failed;
  return all.filter(({ verdict, worst }) => verdict === 'inconclusive' && !worst.letPass);
}
