import { readdirSync, readFileSync } from 'node:fs';
import { type Checked, refused } from '../../../suite/document/diagnostic.ts';

/** Descriptors of a run beside its sockets: pipes of processes, files. */
const BESIDE = 32;

/**
 * Whether this process may open as many connections as the concurrency, one descriptor each. On systems other than
 * Linux this is unknown, and a run without free descriptors stops.
 * @param own this process's folder in /proc
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
