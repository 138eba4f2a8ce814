import type { Fault } from './diagnostic.ts';

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

/** All file errors that the user can fix; every other error of the file system is a defect of ours. */
const FILE_ERRORS: Readonly<Record<string, FileError>> = {
  EACCES: { remedy: 'give permission, or name another place', ofPath: true, reading: NOT_PERMITTED },
  EPERM: { remedy: 'give permission, or name another place', ofPath: true, reading: NOT_PERMITTED },
  EROFS: { remedy: ANOTHER_PLACE, ofPath: true },
  ENOENT: { remedy: ANOTHER_PLACE, ofPath: true, reading: NO_SUCH_FILE },
  ENOTDIR: { remedy: 'a part of the path is a file; name another place', ofPath: true, reading: NO_SUCH_FILE },
  EISDIR: { remedy: 'it is a folder; name another place, or move it away', ofPath: true },
  EEXIST: { remedy: ANOTHER_PLACE, ofPath: true },
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
  // Everything that needs a descriptor meets this limit, also a new process.
  const ofDescriptors = code === 'EMFILE' || code === 'ENFILE';
  if (!ofDescriptors && (call.startsWith('spawn') || (path === '' && !OPEN_FILE_CALLS.includes(call)))) return null;
  const known = FILE_ERRORS[code];
  if (known === undefined) return null;
  return { code, cause: `cannot ${call}${path} (${code})`, remedy: known.remedy, ofPath: known.ofPath };
}

/** Why a file that the user named cannot be read. Rethrows an error without a code: a defect. */
export function unreadable(error: unknown): Fault {
  const code = codeOf(error);
  if (code === null) throw error;
  if (code === 'ERR_INVALID_ARG_VALUE') return { cause: 'it is not a valid path', remedy: 'correct the path' };
  return FILE_ERRORS[code]?.reading ?? { cause: code, remedy: 'make it readable' };
}
