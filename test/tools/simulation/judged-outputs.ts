import type { Metric } from '../../../src/analysis/metric.ts';
import { judgeMetric } from '../../../src/analysis/metrics/scores.ts';
import { judgingsOf } from '../../../src/analysis/scores/judging.ts';
import { caseSeedOf } from '../../../src/plan/plan.ts';
import type { Trial } from '../../../src/plan/trial.ts';
import type { RunVariant } from '../../../src/record/run.ts';
import { scoredDigest, writtenScores } from '../../../src/record/score-key.ts';
import { type JudgeItem, type JudgeResult, judgeItems } from '../../../src/score/judge-items.ts';
import { JUDGE } from '../../fixtures/judged-run.ts';
import { buildOk, buildShown, buildStoredRun, digestOf } from '../../fixtures/stored-run-builder.ts';

/* What a judge is asked about simulated outputs, and what it says of them, through the files that ask every judge. */

/** A question as the planner of questions makes it, with what is true of it. */
export type Question =
  | { readonly of: 'pair'; readonly caseSeed: string; readonly first: 'candidate' | 'baseline' }
  | { readonly of: 'copy'; readonly first: 'output' | 'copy' };

export type JudgeAnswer = JudgeResult;

export interface Judged {
  readonly questions: readonly Question[];
  /** @param answers one of each question */
  readonly metricOf: (answers: readonly JudgeAnswer[]) => Metric;
}

/** The metric of judged outputs. */
export const JUDGED = 'score.better';

interface JudgedTrials {
  readonly variants: readonly RunVariant[];
  readonly prompts: readonly string[];
  /** In the order of sending; each delivers an image of its own. */
  readonly trials: readonly Trial[];
}

/** The questions about a record with these outputs. Answers become lines of scores.jsonl, read as every record's. */
export function judgedOf({ variants, prompts, trials }: JudgedTrials): Judged {
  const samples = trials.map((trial) => buildOk(1, trial.id, { trial }));
  const record = buildStoredRun({ variants, prompts, samples });
  const { open } = judgeItems({
    scorer: JUDGE.scorer,
    by: JUDGE.by,
    record,
    written: writtenScores([]),
    isStored: () => true,
  });
  const trialOf = new Map(
    trials.map((trial) => {
      const sha256 = digestOf(trial.id);
      return [scoredDigest({ sha256, shown: buildShown(sha256) }), trial];
    }),
  );
  const baseline = variants.find((variant) => variant.baseline)?.name;
  return {
    questions: open.map((item) => questionOf(item, trialOf, baseline)),
    metricOf: (answers) => {
      const said = open.flatMap((item, at) => item.linesOf(answers[at] ?? UNASKED));
      const [judging] = judgingsOf({ ...record, scores: [JUDGE, ...said] });
      if (judging === undefined) throw new Error('nothing was judged');
      return judgeMetric(judging, variants);
    },
  };
}

const UNASKED: JudgeAnswer = { ok: false, why: { code: 'limit_reached' } };

function questionOf(
  { first, linesOf }: JudgeItem,
  trialOf: ReadonlyMap<string, Trial>,
  baseline: string | undefined,
): Question {
  const [line] = linesOf({ ok: true, chosen: 'neither' });
  if (line?.line !== 'preference') throw new Error('a question without a line');
  if (line.copy !== null) return { of: 'copy', first: line.copy === 'first' ? 'copy' : 'output' };
  const trial = trialOf.get(first.output.digest);
  if (trial === undefined) throw new Error('a question about an unknown output');
  return { of: 'pair', caseSeed: caseSeedOf(trial), first: trial.variant === baseline ? 'baseline' : 'candidate' };
}
