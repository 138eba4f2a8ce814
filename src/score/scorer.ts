import type { ScoreLine } from '../record/score.ts';
import type { StoredRun } from '../record/stored-run.ts';
import type { CommandScorer, JudgeScorer } from '../suite/scorer.ts';

/** A scorer that is asked about outputs. */
export type AskedScorer = CommandScorer | JudgeScorer;

export interface ScoringEdge {
  /** Aborted: nothing more is asked. */
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
  /** Null, or why it was given up before all was asked: hostile text. */
  readonly score: (record: StoredRun, edge: ScoringEdge) => Promise<string | null>;
}
