import type { StoredRun } from '../record/stored-run.ts';
import type { AskedScorer, Scorer, ScoringEdge } from './scorer.ts';

export interface RunScoringEdge extends Pick<ScoringEdge, 'signal' | 'append' | 'isStored'> {
  readonly starting: (scorer: AskedScorer) => void;
  readonly progress: (scorer: AskedScorer, done: number, total: number) => void;
}

export interface ScoringEnd {
  /** False if it was interrupted; the next time goes on. */
  readonly complete: boolean;
  /** How many scorers were asked something. */
  readonly started: number;
  /** Scorers that were given up, with the reason: hostile text. */
  readonly failed: readonly { readonly scorer: AskedScorer; readonly reason: string }[];
}

/** Asks the scorers of a suite about each output that they have not scored, one scorer after the other. */
export async function scoreRun(
  record: StoredRun,
  scorers: readonly Scorer[],
  edge: RunScoringEdge,
): Promise<ScoringEnd> {
  const failed: { scorer: AskedScorer; reason: string }[] = [];
  let started = 0;
  for (const scorer of scorers) {
    const { declared } = scorer;
    const reason = await scorer.score(record, {
      ...edge,
      starting: () => {
        started += 1;
        edge.starting(declared);
      },
      progress: (done, total) => edge.progress(declared, done, total),
    });
    if (reason !== null) failed.push({ scorer: declared, reason });
    if (edge.signal.aborted) return { complete: false, started, failed };
  }
  return { complete: true, started, failed };
}
