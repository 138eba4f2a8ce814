import type { Metric } from '../../../src/analysis/metric.ts';
import { scoreMetric, votesMetric } from '../../../src/analysis/metrics/scores.ts';
import { votedPreferences } from '../../../src/analysis/scores/agreement.ts';
import type { Trial } from '../../../src/plan/trial.ts';
import type { Run } from '../../../src/record/run.ts';
import type { VoteLine } from '../../../src/record/score.ts';
import type { VotedSide } from './service.ts';

/* What is said of simulated outputs, as the shipped metrics read it from a record. */

/** Scores, compared by their mean or, to show what that would decide, by signed ranks. */
export interface ScoredAs {
  readonly range: readonly [number, number] | null;
  readonly by: 'mean' | 'signed_ranks';
}

/** The metric of scored outputs. */
export const SCORE = 'score.simulated';

/** @param simulatedScore a trial's score */
export function scoreOf({ range, by }: ScoredAs, simulatedScore: (trial: string) => number | undefined): Metric {
  const given = { value: 'simulated', better: 'higher', range, unit: 'score', meaning: null } as const;
  const metric = scoreMetric(
    {
      scorer: { use: 'file', name: 'simulated', gives: [given] },
      by: null,
      scoredOf: (_prompt, digest) => {
        const simulated = simulatedScore(digest);
        return simulated === undefined ? null : { values: { simulated } };
      },
      controls: [],
    },
    given,
  );
  if (by === 'mean') return metric;
  return {
    ...metric,
    takes: (metric.takes ?? []).flatMap((each) => (each.effect === 'rate' ? [] : [{ ...each, centre: undefined }])),
  };
}

/** A trial of a candidate, and what each voter says of its pair. */
export interface VotedTrial {
  readonly trial: Trial;
  readonly votes: readonly VotedSide[];
}

/** `score.votes` of a run whose candidates were voted on: the ballots and votes of votes.jsonl, read as every record's. */
export function votesOf(voted: readonly VotedTrial[], { variants }: Pick<Run, 'variants'>): Metric {
  const baseline = variants.find((variant) => variant.baseline)?.name ?? '';
  const lines = voted.flatMap(({ trial: { prompt, seed, block, variant }, votes }, at): readonly VoteLine[] => {
    const ballot = `ballot ${at}`;
    const side = (name: string) => ({ variant: name, sha256: `${name} ${block}` });
    const [left, right] = [side(variant), side(baseline)];
    return [
      { line: 'ballot', ballot, prompt, seed, block, left, right, mirrors: null, scored: false },
      ...votes.map((said, voter): VoteLine => {
        const choice = ({ candidate: 'left', baseline: 'right', neither: 'neither' } as const)[said];
        return { line: 'vote', ballot, choice, voter: `voter ${voter}` };
      }),
    ];
  });
  return votesMetric({ preferences: votedPreferences(lines, []), variants });
}
