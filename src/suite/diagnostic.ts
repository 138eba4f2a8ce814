/** A position in a declared file; `line` and `column` count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One thing the user declared wrong: where, why, and what to do about it. Never a defect of ours, never a remote's fault. */
export interface Diagnostic {
  /** Null only where no file is concerned (a command-line value, a file that does not exist). */
  readonly place: Place | null;
  /** What is wrong, without a full stop: `unknown key "concurency"`. */
  readonly cause: string;
  /** What to do, without a full stop: `did you mean "concurrency"?`. */
  readonly remedy: string;
}

/** What reading something declared gives: the value, or every diagnostic that was found. */
export type Loaded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** A place as printed: `file:line:column`. */
export function formatPlace({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** One sentence as printed: `file:line:column: cause; remedy`. */
export function formatDiagnostic({ place, cause, remedy }: Diagnostic): string {
  const where = place === null ? '' : `${formatPlace(place)}: `;
  return `${where}${cause}; ${remedy}`;
}
