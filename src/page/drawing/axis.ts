import { groupBy } from '../../kit/grouping.ts';
import { trimmed } from '../../kit/wording.ts';
import type { Point } from './svg.ts';

export interface Axis {
  readonly type: 'linear' | 'log' | 'ratio';
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
  /** UTC time in ISO form; only of an axis of times. */
  readonly instant?: (tick: number) => string;
  /** From 0 at the low end to 1 at the high one; values beyond an end are drawn at it. */
  readonly place: (value: number) => number;
}

function within(place: number): number {
  return Math.min(1, Math.max(0, place));
}

/** Pixels across a narrow screen, and of a letter. */
const NARROW = 290;
const LETTER = 6.5;

/** Ticks without room for a label on a narrow screen. The first tick stays; of ratios, 1. */
export function spareTicks({ ticks, format, place, type }: Axis): ReadonlySet<number> {
  const longest = ticks.reduce((most, tick) => Math.max(most, format(tick).length), 0);
  const kept = apart(ticks, place, ((longest + 2) * LETTER) / NARROW, type === 'ratio' ? 1 : (ticks[0] ?? 0));
  return new Set(ticks.filter((tick) => !kept.includes(tick)));
}

/** Ratio of largest to smallest value above which a linear axis squeezes small values into one dot. */
const LARGEST_LINEAR_RATIO = 8;

/** Bounds of what an axis shows, in milliseconds: beyond 30,000 years arithmetic may overflow. */
const HIGHEST = 1e15;
const LOWEST = 1e-6;

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
  return { type: 'linear', ticks, format: tickFormat(unit), place: (ms) => within(ms / top) };
}

function logarithmic(low: number, high: number): Axis {
  const [bottom, top] = [Math.max(low, LOWEST) / 1.15, high * 1.15];
  const span = Math.log(top) - Math.log(bottom);
  const fine = decadeTicks(bottom, top, [1, 2, 5]);
  return {
    type: 'log',
    ticks: fine.length > 8 ? decadeTicks(bottom, top, [1]) : fine,
    format: tickFormat(high >= 1000 ? SECONDS : MILLISECONDS),
    place: (ms) => within((Math.log(ms) - Math.log(bottom)) / span),
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
  return (ms) => `${trimmed(ms / unit.ms)} ${unit.name}`;
}

/** Space beyond the outermost values: a share of the axis, and the least as a ratio. */
const PAD = 0.05;
const LEAST_PAD = 1.02;

/** Steps of an axis that spans a small ratio, the finest first; beyond a double, halves are rounder than fifths. */
const EVEN_STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5] as const;

const LEADS = [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1]] as const;

/** Least distance of two ticks, as a share of an even spacing of the most ticks: labels need room. */
const LEAST_APART = 0.6;

/** Equal distances are equal ratios. Holds 1 and the ratios; ticks are the finest that fit. */
export function ratioAxis(given: readonly number[], mostTicks = 8): Axis {
  const ratios = given.filter((ratio) => ratio > 1e-100 && ratio < 1e100);
  const inner = [ratios.reduce((a, b) => Math.min(a, b), 1), ratios.reduce((a, b) => Math.max(a, b), 1)] as const;
  const pad = Math.max(LEAST_PAD, Math.exp(PAD * Math.log(inner[1] / inner[0])));
  const [low, high] = [inner[0] / pad, inner[1] * pad];
  const choices = [
    ...EVEN_STEPS.filter((step) => step !== 0.2 || high < 2 * low).map((step) => evenTicks(low, high, step)),
    ...LEADS.map((leads) => decadeTicks(low, high, leads)),
  ];
  const span = Math.log(high) - Math.log(low);
  const place = (ratio: number): number => within((Math.log(ratio) - Math.log(low)) / span);
  const ticks = apart(choices.find((choice) => choice.length <= mostTicks) ?? [1], place, LEAST_APART / mostTicks, 1);
  return { type: 'ratio', ticks, format: (ratio) => `${Number(ratio.toPrecision(3))}x`, place };
}

/** Drops ticks too close to the next one towards `first`, which always stays. */
function apart(
  ticks: readonly number[],
  place: (value: number) => number,
  least: number,
  first: number,
): readonly number[] {
  const kept = (outwards: readonly number[]): readonly number[] => {
    const all: number[] = [];
    for (const tick of outwards) {
      if (Math.abs(place(tick) - place(all.at(-1) ?? first)) >= least) all.push(tick);
    }
    return all;
  };
  const below = kept(ticks.filter((tick) => tick < first).toReversed());
  const above = kept(ticks.filter((tick) => tick > first));
  return [...below.toReversed(), ...ticks.filter((tick) => tick === first), ...above];
}

function evenTicks(low: number, high: number, step: number): readonly number[] {
  const first = Math.ceil(low / step);
  const length = Math.min(100, Math.max(0, Math.floor(high / step) - first + 1));
  return Array.from({ length }, (_, at) => Number(((first + at) * step).toPrecision(6))).filter((tick) => tick > 0);
}

function decadeTicks(low: number, high: number, leads: readonly number[]): readonly number[] {
  const ticks: number[] = [];
  let decade = 1;
  while (decade > low) decade /= 10;
  for (; decade <= high; decade *= 10) {
    for (const lead of leads) {
      const tick = Number((lead * decade).toPrecision(6));
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  }
  return ticks;
}

/** Pixels between dots. */
const DOT = 5.2;

/** Pixels, between the widths of narrow and wide screens; on a narrow one, dots overlap. */
const WIDTH = 600;

/** Stacks dots that would overlap; the fullest stack sets the spacing. @param height of the band, in pixels */
export function swarm(values: readonly number[], { place }: Axis, height: number): readonly Point[] {
  const columns = [...groupBy(values, (value) => Math.round((place(value) * WIDTH) / DOT)).values()];
  const fullest = columns.reduce((most, column) => Math.max(most, column.length), 2);
  const step = Math.min(DOT, (height - DOT) / (fullest - 1));
  return columns.flatMap((column) =>
    column.map((value, at): Point => {
      const offset = (at % 2 === 0 ? 1 : -1) * Math.ceil(at / 2) * step;
      return [place(value), height / 2 + offset];
    }),
  );
}
