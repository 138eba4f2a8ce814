const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Milliseconds since 1970 of an ISO time in UTC; null for anything else. */
export function epochMs(iso: string): number | null {
  const ms = ISO.test(iso) ? Date.parse(iso) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** `2026-11-20 15:45 UTC`, of an ISO time in UTC. */
export function wallClock(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
