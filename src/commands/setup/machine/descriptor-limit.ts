import { readdirSync, readFileSync } from 'node:fs';
import { type Checked, refused } from '../../../suite/document/diagnostic.ts';

/** Descriptors that a run opens beside its sockets: pipes of processes, files that are written. */
const BESIDE = 32;

/**
 * Whether this process may open as many connections as a suite wants in flight, one descriptor each. Where the system
 * does not say (other than Linux), a run that finds none left stops then.
 *
 * @param own the folder of /proc that speaks of this process
 */
export function checkDescriptors(concurrency: number, own = '/proc/self'): Checked<null> {
  const limit = readLimit(own);
  const needed = concurrency + countOpen(own) + BESIDE;
  if (limit === null || needed <= limit) return { ok: true, value: null };
  const cause = `load.concurrency ${concurrency} needs about ${needed} file descriptors, and this process may open ${limit}`;
  const most = concurrency - (needed - limit);
  const lower = most < 1 ? '' : `, or lower load.concurrency to ${most}`;
  return refused(cause, `raise the limit (ulimit -n ${needed})${lower}`);
}

/** The soft limit of open files; null where there is none, or the system does not say. */
function readLimit(own: string): number | null {
  try {
    const [, soft] = /^Max open files\s+(\S+)/m.exec(readFileSync(`${own}/limits`, 'utf8')) ?? [];
    return soft !== undefined && /^\d+$/.test(soft) ? Number(soft) : null;
  } catch {
    return null;
  }
}

function countOpen(own: string): number {
  try {
    return readdirSync(`${own}/fd`).length;
  } catch {
    return 0;
  }
}
