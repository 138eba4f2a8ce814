import { getPriority, platform, setPriority } from 'node:os';

/** Threads of ordinary priority get about nine times as much of a shared core. */
const BEHIND = 10;

/**
 * Lets other threads of this process run first; gives a function that undoes it where the system allows (only the
 * superuser raises a priority). Linux only: there the priority is the thread's own (setpriority(2), "C library/kernel
 * differences"), elsewhere that of the whole process.
 */
export function lowerPriority(): () => void {
  if (platform() !== 'linux') return () => {};
  const before = getPriority();
  if (before >= BEHIND || !lower(BEHIND)) return () => {};
  return () => void lower(before);
}

function lower(priority: number): boolean {
  try {
    setPriority(priority);
    return true;
  } catch {
    return false;
  }
}
