import type { StoredRun } from '../record/kept-run.ts';
import type { ScoreLine } from '../record/score.ts';
import type { CommandScorer, JudgeScorer } from '../suite/scorer.ts';

export type AskedScorer = CommandScorer | JudgeScorer;

export interface ScoringEdge {
  /** Once aborted, nothing more is asked. */
  readonly signal: AbortSignal;
  /** Lines reach the operating system before it returns. */
  readonly append: (lines: readonly ScoreLine[]) => void;
  /** Whether the record has the media with this digest. */
  readonly isStored: (sha256: string) => boolean;
  /** Called before the first question, if there is one. */
  readonly starting: () => void;
  readonly progress: (done: number, total: number) => void;
}

/**
 * What asks about the outputs of a run and writes what it is told: one file for each kind, listed in `scorers.ts`. What
 * has a line is not asked again; what was interrupted goes on the next time.
 */
export interface Scorer {
  readonly declared: AskedScorer;
  /** Null, or why the scorer failed before all was asked: hostile text. */
  readonly score: (record: StoredRun, edge: ScoringEdge) => Promise<string | null>;
}

export interface RunScoringEdge extends Pick<ScoringEdge, 'signal' | 'append' | 'isStored'> {
  readonly starting: (scorer: AskedScorer) => void;
  readonly progress: (scorer: AskedScorer, done: number, total: number) => void;
}

export interface ScoringEnd {
  /** False if it was interrupted; the next time goes on. */
  readonly complete: boolean;
  /** Number of scorers that were asked something. */
  readonly started: number;
  /** The reason is hostile text. */
  readonly failed: readonly { readonly scorer: AskedScorer; readonly reason: string }[];
}

/** Asks one scorer after the other about outputs that it has not scored. */
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
