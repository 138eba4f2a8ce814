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
