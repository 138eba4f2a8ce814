/** Shared with JSON Schema. */
export const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;
export const RATE = /^(\d+(?:\.\d+)?)\/(s|min|h)$/;
export const PERCENTAGE = /^(\d+(?:\.\d+)?)%$/;

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 };

/** Of `250ms`, `2s`, `10m`, `1h`; null if invalid. */
export function parseDurationMs(text: string): number | null {
  return scaled(text, DURATION, MILLISECONDS, (amount, unit) => amount * unit);
}

/** Of `2/s`, `30/min`, `100/h`; null if invalid. */
export function parseRatePerSecond(text: string): number | null {
  return scaled(text, RATE, SECONDS, (amount, unit) => amount / unit);
}

/** `5%` gives 0.05; null if invalid. */
export function parseShare(text: string): number | null {
  return scaled(text, PERCENTAGE, {}, (amount) => amount / 100);
}

/** A record holds no larger number of milliseconds. */
const LARGEST = 1e15;

function scaled(
  text: string,
  form: RegExp,
  units: Readonly<Record<string, number>>,
  scale: (amount: number, unit: number) => number,
): number | null {
  const [, amount, unit] = form.exec(text) ?? [];
  if (amount === undefined) return null;
  const value = scale(Number(amount), units[unit ?? ''] ?? 1);
  return value <= LARGEST ? value : null;
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Milliseconds since 1970 of an ISO time in UTC; null for anything else. */
export function epochMs(iso: string): number | null {
  if (!ISO.test(iso)) return null;
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? null : ms;
}

/** `2026-11-20 15:45 UTC`, of an ISO time in UTC. */
export function wallClock(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** `2026-11-20 16:45`, of an ISO time in UTC, in the local time zone; null if that is UTC, and for anything else. */
export function localClock(iso: string): string | null {
  const ms = epochMs(iso);
  if (ms === null) return null;
  const at = new Date(ms);
  if (at.getTimezoneOffset() === 0) return null;
  const day = [`${at.getFullYear()}`.padStart(4, '0'), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join('-');
  return `${day} ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

function twoDigits(value: number): string {
  return `${value}`.padStart(2, '0');
}

/** `2026-11-20`, of an ISO time in UTC, in the local time zone. */
export function localDay(iso: string): string {
  return (localClock(iso) ?? iso).slice(0, 10);
}

/**
 * Labels of a time axis: `11-20 15:45`, then `16:10` on that day; `2026-11-20` where no two share a day. `clocks` as of
 * `wallClock`.
 */
export function dayOrTime(clocks: readonly string[]): readonly string[] {
  const days = clocks.map((clock) => clock.slice(0, 10));
  const [from, to] = new Set(days).size < days.length ? [5, 16] : [0, 10];
  return clocks.map((clock, at) => clock.slice(days[at] === days[at - 1] ? 11 : from, to));
}

const MINUTE_MS = 60_000;

/** Rounded to what an estimate can say: `8 s`, `4 min 30 s`, `25 min`, `1 h 25 min`. */
export function roughTime(ms: number): string {
  const toSeconds = Math.max(1, Math.ceil(ms / 1000));
  if (toSeconds < 60) return `${toSeconds} s`;
  if (ms < 10 * MINUTE_MS) {
    const tens = Math.round(ms / 10_000);
    const rest = (tens % 6) * 10;
    return `${Math.floor(tens / 6)} min${rest === 0 ? '' : ` ${rest} s`}`;
  }
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  const fives = Math.round(minutes / 5) * 5;
  return fives % 60 === 0 ? `${fives / 60} h` : `${Math.floor(fives / 60)} h ${fives % 60} min`;
}

/** `about 8 s left`; `at most 8 s left` if the gate may be decided before the end of the plan. */
export function timeLeftWords(ms: number, mayEndEarly: boolean): string {
  return `${mayEndEarly ? 'at most' : 'about'} ${roughTime(ms)} left`;
}
