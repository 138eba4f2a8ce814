import { isMeasured } from '../plan/plan.ts';
import type { UnscoredReason } from '../record/score.ts';
import type { StoredRun } from '../record/stored-run.ts';
import { effectiveOutcome, factsByDigest } from './samples/effective-outcome.ts';
import { isUnanswered, judgingsOf } from './scores/judging.ts';
import { isShown, scoreOf, scoringsOf } from './scores/scoring.ts';

/** The program did not start: its takes are scored next time. */
const NOT_ASKED: ReadonlySet<string> = new Set<UnscoredReason['code']>(['command_failed', 'no_first_line']);

/** Takes that a declared program has not scored yet, and pairs that a judge has not compared. */
export function unscoredTakes({
  run,
  samples,
  facts,
  scores,
}: Pick<StoredRun, 'run' | 'samples' | 'facts' | 'scores'>): number {
  const declared = (run.scorers ?? []).filter(({ use }) => use === 'command').map(({ name }) => name);
  const scorings = scoringsOf(run.scorers ?? [], scores).filter(({ scorer }) => declared.includes(scorer.name));
  const declaredJudges = new Set((run.scorers ?? []).map(({ name }) => name));
  const unjudged = judgingsOf({ run, samples, facts, scores })
    .filter(({ scorer }) => declaredJudges.has(scorer.name))
    .flatMap(({ pairs }) => pairs.filter(({ identical, answers }) => !identical && answers.some(isUnanswered))).length;
  if (scorings.length === 0) return unjudged;
  const known = factsByDigest(facts);
  const unscored = samples
    .filter(({ trial }) => isMeasured(trial))
    .map((sample) => effectiveOutcome(sample, known, null))
    .filter(isShown)
    .filter((take) =>
      scorings.some((scoring) => {
        const score = scoreOf(scoring, take);
        return score === null || ('why' in score && NOT_ASKED.has(score.why.code));
      }),
    ).length;
  return unjudged + unscored;
}
