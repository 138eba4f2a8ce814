/** A position in a declared file; `line` and `column` count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What is wrong and what to do about it, before it is known where: see `Diagnostic`. */
export interface Fault {
  /** What is wrong, without a full stop: `unknown key "concurency"`. */
  readonly cause: string;
  /** What to do, without a full stop: `did you mean "concurrency"?`. */
  readonly remedy: string;
}

/** Says what is wrong with what is being read: every such callback is called `refuse`. */
export type Refuse<Result = void> = (cause: string, remedy: string) => Result;

/** Where a declared value comes from. */
export interface Source {
  /** Null where no file says it. */
  readonly place: Place | null;
  /** What set it in place of the file: `--set load.concurrency=8`, `the environment variable STEPS`; null: the file did. */
  readonly setBy: string | null;
  /** Whether it is text that holds the value, or the default, of an environment variable. */
  readonly filled: boolean;
}

/** One thing the user declared wrong: where, why, and what to do about it. Never a defect of ours, never a remote's fault. */
export interface Diagnostic extends Fault {
  /** Null only where no file is concerned (a command-line value, a file that does not exist). */
  readonly place: Place | null;
}

/**
 * What reading something declared gives: the value, or every diagnostic that was found. `warnings` are diagnostics too,
 * of what may be a mistake; absent: none.
 */
export type Checked<T> =
  | { readonly ok: true; readonly value: T; readonly warnings?: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Refuses what no place in a file stands for, such as a path or an option. */
export function refused(cause: string, remedy: string): Extract<Checked<never>, { readonly ok: false }> {
  return { ok: false, diagnostics: [{ place: null, cause, remedy }] };
}

/** A place as printed: `file:line:column`. */
export function formatPlace({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** One sentence as printed: `file:line:column: cause; remedy`. */
export function formatDiagnostic({ place, cause, remedy }: Diagnostic): string {
  const where = place === null ? '' : `${formatPlace(place)}: `;
  return `${where}${cause}; ${remedy}`;
}

/** A diagnostic about a value that comes from `source`; where that is no file, the cause names it. */
export function diagnoseFrom({ place, setBy }: Source, { cause, remedy }: Fault): Diagnostic {
  return setBy === null ? { place, cause, remedy } : { place: null, cause: `${setBy}: ${cause}`, remedy };
}

/** Each diagnostic once: what is wrong in one place may be met on several ways. */
export function distinctDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
}
