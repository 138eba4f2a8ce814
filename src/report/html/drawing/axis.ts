import { significant } from '../../../text/wording.ts';

export interface Axis {
  readonly type: 'linear' | 'log';
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
  /** From 0 at the low end to 1 at the high one. */
  readonly place: (value: number) => number;
}

/** A linear axis would squeeze the small values into one dot beyond this ratio of largest to smallest. */
const LARGEST_LINEAR_RATIO = 8;

/** Larger values would overflow in the arithmetic. */
const HIGHEST = 1e100;

/** Takes positive values in milliseconds; linear from zero, logarithmic where values are far apart. */
export function durationAxis(values: Iterable<number>, mostTicks = 6): Axis {
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (const value of values) {
    if (value > 0 && value < low) low = value;
    if (value > high) high = Math.min(value, HIGHEST);
  }
  if (high === 0) return linearAxis(1, mostTicks);
  return high / low > LARGEST_LINEAR_RATIO ? logarithmic(low, high) : linearAxis(high, mostTicks);
}

export function linearAxis(highest: number, mostTicks = 6): Axis {
  const high = Math.min(highest, HIGHEST);
  const unit = unitOf(high);
  const step = roundStep(high / unit.ms / mostTicks) * unit.ms;
  const ticks = Array.from({ length: Math.floor((high * 1.0001) / step) + 1 }, (_, index) => index * step);
  const top = Math.max(high * 1.04, step);
  return { type: 'linear', domain: [0, top], ticks, format: tickFormat(unit), place: (ms) => ms / top };
}

/** Round values from zero; only zero where `highest` is zero. */
export function linearTicks(highest: number, mostTicks: number): readonly number[] {
  const high = Math.min(highest, HIGHEST);
  if (high <= 0) return [0];
  const step = roundStep(high / mostTicks);
  return Array.from({ length: Math.floor((high * 1.0001) / step) + 1 }, (_, index) => index * step);
}

function logarithmic(low: number, high: number): Axis {
  const [bottom, top] = [low / 1.15, high * 1.15];
  let decade = 1e-6;
  while (decade * 10 <= bottom) decade *= 10;
  const ticks: number[] = [];
  for (; decade <= top; decade *= 10) {
    for (const lead of [1, 2, 5]) if (decade * lead >= bottom && decade * lead <= top) ticks.push(decade * lead);
  }
  const span = Math.log(top) - Math.log(bottom);
  const kept = ticks.length > 8 ? ticks.filter((tick) => /^[^1-9]*1[^1-9]*$/.test(trimmed(significant(tick)))) : ticks;
  return {
    type: 'log',
    domain: [bottom, top],
    ticks: kept.map((tick) => Number(tick.toPrecision(3))),
    format: tickFormat(high >= 1000 ? SECONDS : MILLISECONDS),
    place: (ms) => (Math.log(ms) - Math.log(bottom)) / span,
  };
}

/** The smallest of 1, 2, 5, 10, 20, 50 ... that is not below a value. */
function roundStep(value: number): number {
  let decade = 1e-6;
  while (decade * 10 <= value) decade *= 10;
  return Number(([1, 2, 5, 10].map((lead) => lead * decade).find((step) => step >= value) ?? decade).toPrecision(3));
}

interface AxisUnit {
  readonly name: string;
  readonly ms: number;
}

const MILLISECONDS: AxisUnit = { name: 'ms', ms: 1 };
const SECONDS: AxisUnit = { name: 's', ms: 1000 };
const MINUTES: AxisUnit = { name: 'min', ms: 60_000 };
const HOURS: AxisUnit = { name: 'h', ms: 3_600_000 };

function unitOf(high: number): AxisUnit {
  if (high >= 3 * HOURS.ms) return HOURS;
  if (high >= 5 * MINUTES.ms) return MINUTES;
  return high >= SECONDS.ms ? SECONDS : MILLISECONDS;
}

function tickFormat(unit: AxisUnit): (ms: number) => string {
  return (ms) => `${trimmed(significant(ms / unit.ms))} ${unit.name}`;
}

function trimmed(number: string): string {
  return number.includes('.') ? number.replace(/\.?0+$/, '') : number;
}
