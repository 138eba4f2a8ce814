/** What the system refused a file operation for, where the user can do something about it. */
export interface FileFault {
  /** `EACCES`, `ENOSPC` ... */
  readonly code: string;
  /** `cannot open /a/b (EACCES)`. */
  readonly cause: string;
  /** What to do, without a full stop. */
  readonly remedy: string;
  /** Whether another path would help. */
  readonly ofPath: boolean;
}

const ANOTHER_PLACE = 'name another place';

/** The one list of file errors that the user can fix; every other error of the file system is a defect of ours. */
const PATH_REMEDIES: Readonly<Record<string, string>> = {
  EACCES: 'give permission, or name another place',
  EPERM: 'give permission, or name another place',
  EROFS: ANOTHER_PLACE,
  ENOENT: ANOTHER_PLACE,
  ENOTDIR: 'a part of the path is a file; name another place',
  EISDIR: 'it is a folder; name another place, or move it away',
  EEXIST: ANOTHER_PLACE,
  ENAMETOOLONG: 'use a shorter path',
  ELOOP: 'its symbolic links form a loop; name another place',
};

const MACHINE_REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'make room on the disk, or name another place',
  EDQUOT: 'make room in your quota, or name another place',
  EFBIG: 'raise the limit on file sizes (ulimit -f)',
  EIO: 'check the disk, or name another place',
  EMFILE: 'raise the limit on open files (ulimit -n 4096)',
  ENFILE: 'this machine has too many open files; end other programs',
};

/** Operations on an open file: their errors name no path. */
const OPEN_FILE_CALLS = ['write', 'read', 'close', 'fsync', 'fdatasync', 'ftruncate'];

/**
 * The fault that the user can fix, of an error that a file operation threw. Null for any other error: sockets,
 * processes that do not start, defects.
 */
export function fileFaultOf(error: unknown): FileFault | null {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return null;
  const code = String(error.code);
  const call = String(error.syscall);
  const path = 'path' in error ? ` ${String(error.path)}` : '';
  // Whatever needs a descriptor meets this limit, a new process too.
  const ofDescriptors = code === 'EMFILE' || code === 'ENFILE';
  if (!ofDescriptors && (call.startsWith('spawn') || (path === '' && !OPEN_FILE_CALLS.includes(call)))) return null;
  const ofPath = PATH_REMEDIES[code];
  const remedy = ofPath ?? MACHINE_REMEDIES[code];
  if (remedy === undefined) return null;
  return { code, cause: `cannot ${call}${path} (${code})`, remedy, ofPath: ofPath !== undefined };
}
