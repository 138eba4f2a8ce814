import type { IdleExaminers } from '../examine/examiners.ts';
import type { Redact } from '../kit/redact.ts';
import type { Calibration } from '../record/calibration.ts';
import type { Processes } from '../record/store.ts';

/** The process of a run, and whoever began it. */
export interface WorkflowEdge {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The file of this program, to start our own processes with. */
  readonly program: string;
  readonly processes: Processes;
  readonly idleExaminers: IdleExaminers;
  /** Measures this machine. Null if the signal is aborted. */
  readonly calibrate: (signal: AbortSignal) => Promise<Calibration | null>;
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
