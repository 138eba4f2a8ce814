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

/** One error of the user: place, cause and remedy. Never a defect of Retake or an error of a remote. */
export interface Diagnostic extends Fault {
  /** Null only without a file (a command-line value, a missing file). */
  readonly place: Place | null;
}

/** A value, or all its errors. `warnings`: possible mistakes; absent: none. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T; readonly warnings?: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** As `Checked`; `rest`: what is left without the errors, for further checks; absent: none are possible. */
export type CheckedInPart<T, Rest = T> =
  | { readonly ok: true; readonly value: T; readonly warnings?: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[]; readonly rest?: Rest | undefined };

/** Ends a command, which prints the errors. Only for steps of commands: everything else gives errors as values. */
export class Refused extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join('\n'));
    this.diagnostics = diagnostics;
  }
}

export function refusal(cause: string, remedy: string): Refused {
  return new Refused([{ place: null, cause, remedy }]);
}

/** The value. Throws `Refused` with its errors. */
export function accepted<T>(checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  throw new Refused(checked.diagnostics);
}

/** The errors that end `steps`, as a value for callers that continue. */
export async function checked<T>(steps: () => Promise<T>): Promise<Checked<T>> {
  try {
    return { ok: true, value: await steps() };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, diagnostics: error.diagnostics };
    throw error;
  }
}

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

/** The same error may be found in several ways. */
export function distinctDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
}

export interface FileFault extends Fault {
  /** `EACCES`, `ENOSPC` ... */
  readonly code: string;
  readonly ofPath: boolean;
}

interface FileError {
  readonly remedy: string;
  /** Whether the path is at fault; else the machine is. */
  readonly ofPath: boolean;
  /** For reading a user's file; absent: the code. */
  readonly reading?: Fault;
}

const ANOTHER_PLACE = 'name another place';
const NO_SUCH_FILE: Fault = { cause: 'there is no such file', remedy: 'correct the path' };
const NOT_PERMITTED: Fault = { cause: 'reading it is not permitted', remedy: 'give read permission' };

/** File errors that the user can fix; others are defects of Retake. */
const FILE_ERRORS: Readonly<Record<string, FileError>> = {
  EACCES: { remedy: 'give permission, or name another place', ofPath: true, reading: NOT_PERMITTED },
  EPERM: { remedy: 'give permission, or name another place', ofPath: true, reading: NOT_PERMITTED },
  EROFS: { remedy: ANOTHER_PLACE, ofPath: true },
  ENOENT: { remedy: ANOTHER_PLACE, ofPath: true, reading: NO_SUCH_FILE },
  ENOTDIR: { remedy: 'a part of the path is a file; name another place', ofPath: true, reading: NO_SUCH_FILE },
  EISDIR: { remedy: 'it is a folder; name another place, or move it away', ofPath: true },
  EEXIST: { remedy: ANOTHER_PLACE, ofPath: true },
  ENXIO: { remedy: 'start the program that reads this pipe first, or name another place', ofPath: true },
  EPIPE: { remedy: 'the program that reads this pipe has ended; start it again', ofPath: true },
  ENAMETOOLONG: { remedy: 'use a shorter path', ofPath: true },
  ELOOP: { remedy: 'its symbolic links form a loop; name another place', ofPath: true },
  ENOSPC: { remedy: 'make room on the disk, or name another place', ofPath: false },
  EDQUOT: { remedy: 'make room in your quota, or name another place', ofPath: false },
  EFBIG: { remedy: 'raise the limit on file sizes (ulimit -f)', ofPath: false },
  EIO: { remedy: 'check the disk, or name another place', ofPath: false },
  EMFILE: { remedy: 'raise the limit on open files (ulimit -n 4096)', ofPath: false },
  ENFILE: { remedy: 'this machine has too many open files; end other programs', ofPath: false },
};

/** Operations on an open file: their errors name no path. */
const OPEN_FILE_CALLS = ['write', 'read', 'close', 'fsync', 'fdatasync', 'ftruncate'];

/** `ENOENT`; null without a code. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Null for errors that the user cannot fix: sockets, processes that do not start, defects. */
export function fileFaultOf(error: unknown): FileFault | null {
  const code = codeOf(error);
  if (code === null || !(error instanceof Error && 'syscall' in error)) return null;
  const call = String(error.syscall);
  const path = 'path' in error ? ` ${String(error.path)}` : '';
  // Every descriptor counts for this limit, also those of processes.
  const ofDescriptors = code === 'EMFILE' || code === 'ENFILE';
  const ofFile = path !== '' || (code !== 'EPIPE' && OPEN_FILE_CALLS.includes(call));
  if (!ofDescriptors && (call.startsWith('spawn') || !ofFile)) return null;
  const known = FILE_ERRORS[code];
  if (known === undefined) return null;
  return { code, cause: `cannot ${call}${path} (${code})`, remedy: known.remedy, ofPath: known.ofPath };
}

/** Throws the refusal of a folder that cannot be written, or an error that the user cannot fix. */
export function refuseFolder(folder: string, error: unknown): never {
  const fault = fileFaultOf(error);
  if (fault === null) throw error;
  const remedy = fault.ofPath ? 'name another folder with --out' : fault.remedy;
  throw refusal(`cannot write to ${folder} (${fault.code})`, remedy);
}

/** The errors of a file; rethrows one that the user cannot fix. */
export function refuseFile(error: unknown): Checked<never> {
  const fault = fileFaultOf(error);
  if (fault === null) throw error;
  return refused(fault.cause, fault.remedy);
}

/** Why a file that the user named cannot be read. Rethrows an error without a code: a defect. */
export function unreadable(error: unknown): Fault {
  const code = codeOf(error);
  if (code === null) throw error;
  if (code === 'ERR_INVALID_ARG_VALUE') return { cause: 'it is not a valid path', remedy: 'correct the path' };
  return FILE_ERRORS[code]?.reading ?? { cause: code, remedy: 'make it readable' };
}
