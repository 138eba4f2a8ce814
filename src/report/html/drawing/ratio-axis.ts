import type { Axis } from './axis.ts';

/** Free space beyond the outermost values: a share of the axis, and the least as a ratio. */
const PAD = 0.05;
const LEAST_PAD = 1.02;

/** Steps of an axis that spans a small ratio, the finest first. */
const EVEN_STEPS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5] as const;

/** Leading digits of the ticks of a decade. */
const LEADS = [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1]] as const;

/** The least distance of two ticks, as a share of an even spacing of the most ticks: their words need room. */
const LEAST_APART = 0.6;

/** Equal distances are equal ratios. Holds 1 and the ratios; ticks are the finest that fit. */
export function ratioAxis(given: readonly number[], mostTicks = 8): Axis {
  const ratios = given.filter((ratio) => ratio > 1e-100 && ratio < 1e100);
  const inner = [ratios.reduce((a, b) => Math.min(a, b), 1), ratios.reduce((a, b) => Math.max(a, b), 1)] as const;
  const pad = Math.max(LEAST_PAD, Math.exp(PAD * Math.log(inner[1] / inner[0])));
  const [low, high] = [inner[0] / pad, inner[1] * pad];
  const choices = [
    ...EVEN_STEPS.map((step) => evenTicks(low, high, step)),
    ...LEADS.map((leads) => decadeTicks(low, high, leads)),
  ];
  const span = Math.log(high) - Math.log(low);
  const place = (ratio: number): number => (Math.log(ratio) - Math.log(low)) / span;
  const ticks = apart(choices.find((each) => each.length <= mostTicks) ?? [1], place, LEAST_APART / mostTicks);
  return {
    type: 'log',
    domain: [low, high],
    ticks,
    format: (ratio) => `${Number(ratio.toPrecision(3))}x`,
    place,
  };
}

/** Drops a tick too close to the next one towards 1; 1 always stays. */
function apart(ticks: readonly number[], place: (ratio: number) => number, least: number): readonly number[] {
  const kept = (outwards: readonly number[]): readonly number[] => {
    const all: number[] = [];
    for (const tick of outwards) {
      if (Math.abs(place(tick) - place(all.at(-1) ?? 1)) >= least) all.push(tick);
    }
    return all;
  };
  const below = kept(ticks.filter((tick) => tick < 1).toReversed());
  return [...below.toReversed(), ...ticks.filter((tick) => tick === 1), ...kept(ticks.filter((tick) => tick > 1))];
}

function evenTicks(low: number, high: number, step: number): readonly number[] {
  const first = Math.ceil(low / step);
  // A hundred is too many already: more are not listed.
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
