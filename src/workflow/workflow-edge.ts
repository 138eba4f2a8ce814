import type { Redact } from '../kit/redact.ts';
import type { Calibration } from '../record/calibration.ts';
import type { Processes } from '../record/store.ts';
import type { OwnService } from '../run/limits.ts';
import type { DeclaredScorer } from '../suite/scorer.ts';

/** The process of a run, and whoever began it. */
export interface WorkflowEdge {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The file of this program, to start our own processes with. */
  readonly program: string;
  readonly processes: Processes;
  readonly parts: WorkflowParts;
  /**
   * Measures this machine, and its disk at the folder of results. Null if the signal is aborted; throws if nothing can
   * be written.
   */
  readonly calibrate: (results: string, signal: AbortSignal) => Promise<Calibration | null>;
  /** Replaces secrets in the text of an internal error. */
  readonly redactErrors: (redact: Redact) => void;
  /** Aborted by the first interrupt: requests in flight end by themselves. */
  readonly drain: AbortSignal;
  /** Aborted by the second interrupt: requests in flight are aborted. */
  readonly abort: AbortSignal;
  readonly say: (sentence: string) => void;
  /** Shows how far something is: `examining 3 / 20`. */
  readonly count: (doing: string, done: number, total: number) => void;
  /** Whether questions are possible. */
  readonly asks: boolean;
  /**
   * Refuses if the answer is no.
   * @param option that answers it: `--yes`
   */
  readonly agree: (option: string, question: string) => Promise<void>;
}

/** Parts that a run can do without: those whose folder in `commands/` was there at build time. */
export interface WorkflowParts {
  readonly loadScoring?: () => Promise<ScorerChecks>;
  /** @param program the file of this program */
  readonly startService?: (program: string) => Promise<EmbeddedService>;
}

/** Predicate of a command, an argument or something in a suite. */
export const NEEDS_ABSENT_PART = 'needs a part of Retake that this build does not have';

export interface ScorerChecks {
  /** Refuses what would start a program, unless the user allows it. */
  readonly checkAllowed: (scorers: readonly DeclaredScorer[], allowCommands: boolean) => void;
}

/** The reference service of one run: in its own process, with a key made for it. */
export interface EmbeddedService extends Pick<OwnService, 'ended'> {
  readonly url: string;
  readonly key: string;
  readonly close: () => Promise<void>;
}
