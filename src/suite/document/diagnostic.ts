/** `line` and `column` count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** An error without its place: see `Diagnostic`. */
export interface Fault {
  /** Without a full stop: `unknown key "concurency"`. */
  readonly cause: string;
  /** Without a full stop: `did you mean "concurrency"?`. */
  readonly remedy: string;
}

export type Refuse<Result = void> = (cause: string, remedy: string) => Result;

export interface Source {
  /** Null if not from a file. */
  readonly place: Place | null;
  /** What replaced the file's value: `--set load.concurrency=8`, `the environment variable STEPS`; null: nothing. */
  readonly setBy: string | null;
  /** Whether the text contains the value, or the default, of an environment variable. */
  readonly filled: boolean;
}

/** One error of the user: place, cause and remedy. Never a defect of ours, never a remote's error. */
export interface Diagnostic extends Fault {
  /** Null only without a file (a command-line value, a file that does not exist). */
  readonly place: Place | null;
}

/** A value, or all its errors. `warnings` are diagnostics of possible mistakes; absent: none. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T; readonly warnings?: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export function refused(cause: string, remedy: string): Extract<Checked<never>, { readonly ok: false }> {
  return { ok: false, diagnostics: [{ place: null, cause, remedy }] };
}

export function formatPlace({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** `file:line:column: cause; remedy`. */
export function formatDiagnostic({ place, cause, remedy }: Diagnostic): string {
  const where = place === null ? '' : `${formatPlace(place)}: `;
  return `${where}${cause}; ${remedy}`;
}

/** A diagnostic about a value from `source`; if that is not a file, the cause names it. */
export function diagnoseFrom({ place, setBy }: Source, { cause, remedy }: Fault): Diagnostic {
  return setBy === null ? { place, cause, remedy } : { place: null, cause: `${setBy}: ${cause}`, remedy };
}

/** Each diagnostic once: the same error may be found in several ways. */
export function distinctDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
}
