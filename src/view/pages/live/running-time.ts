import { elapsed } from '../../../text/quantity.ts';

/** How long a run is in progress, in whole seconds: `8 s`, `4 min 12 s`, `1 h 03 min`. */
export function runningTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s` : elapsed(1000 * seconds);
}
