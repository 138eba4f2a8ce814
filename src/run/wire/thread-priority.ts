import { getPriority, platform, setPriority } from 'node:os';

/** Behind threads of ordinary priority: they get about nine times as much of a core that both want. */
const BEHIND = 10;

/**
 * Lets the other threads of this process go before the calling one, where all of them want a core; gives what takes it
 * back, as far as the system lets it (only the superuser raises a priority). On Linux alone: there a priority is the
 * thread's own (setpriority(2), "C library/kernel differences"), elsewhere it would be that of the whole process.
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
