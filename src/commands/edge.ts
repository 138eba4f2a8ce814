import type { Processes } from '../record/lock.ts';
import type { Redact } from '../targets/secrets/redact.ts';

/** The world as a command meets it; made by main.ts from the process, by tests from whatever they like. */
export interface Edge {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The file this program was started from: what a process of our own is started with. */
  readonly program: string;
  readonly processes: Processes;
  /** Results: standard output. */
  readonly out: TextSink;
  /** Everything else: standard error. */
  readonly err: TextSink;
  /** What a parent process writes to us; its end means that the parent is gone. */
  readonly input: NodeJS.ReadableStream;
  /** Names the values that must not be in what is printed of an internal error; `redact` replaces them. */
  readonly redactErrors: (redact: Redact) => void;
  /** Whether a person reads the diagnostics, and no program: they are followed by the line of the file that they are about. */
  readonly showsExcerpts: boolean;
  /** Whether somebody can be asked: standard input and standard error are a terminal. */
  readonly asks: boolean;
  /** Aborted by the first interrupt: end in good order. */
  readonly drain: AbortSignal;
  /** Aborted by the second interrupt: the requests in flight are aborted. */
  readonly abort: AbortSignal;
}

export interface TextSink {
  readonly write: (text: string) => void;
  readonly interactive: boolean;
  /** Whether to colour; NO_COLOR and FORCE_COLOR are heeded already. */
  readonly colour: boolean;
  /** Columns; 80 where there is no terminal. */
  readonly width: number;
  /** Lines; 24 where there is no terminal. */
  readonly height: number;
  /** Whether it is a terminal that shows ASCII characters only; false where it is not said. */
  readonly ascii?: boolean | undefined;
}

/**
 * Why the process ends; the first that applies: 5 defect, 2 wrong suite, target or arguments, 3 run incomplete,
 * 1 gate failed, 4 inconclusive, 0 all is well.
 */
export const EXIT = { ok: 0, failed: 1, misuse: 2, incomplete: 3, inconclusive: 4, defect: 5 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
