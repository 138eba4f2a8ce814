import type { RandomSource } from '../sampler/random.ts';
import type { Time } from './traits.ts';

/** Where things are in one of a prompt's scenes. Shares of the image's width and height, sizes of its shorter side. */
export interface Composition {
  readonly horizon: number;
  readonly lightX: number;
  readonly lightY: number;
  readonly lightSize: number;
  readonly subjectX: number;
  /** Of its lower edge. */
  readonly subjectY: number;
  readonly subjectSize: number;
  readonly subjectFlipped: boolean;
}

/** A prompt is drawn from far with a low horizon, from the middle, and from close with a high one. */
const VIEWS = [
  { horizon: [0.66, 0.74], size: [0.3, 0.38], x: [0.6, 0.76], y: [0.86, 0.92], lightSize: [0.07, 0.1] },
  { horizon: [0.5, 0.57], size: [0.44, 0.52], x: [0.36, 0.48], y: [0.86, 0.92], lightSize: [0.05, 0.075] },
  { horizon: [0.36, 0.44], size: [0.6, 0.7], x: [0.46, 0.6], y: [0.93, 0.98], lightSize: [0.09, 0.13] },
] as const;

/** How many compositions a prompt has, their mirror images not counted. */
export const COMPOSITIONS = VIEWS.length;

export function composeScene(time: Time, index: number, random: RandomSource): Composition {
  const view = VIEWS[index % VIEWS.length] ?? VIEWS[0];
  const within = ([low, high]: readonly [number, number]) => random.between(low, high);
  const horizon = within(view.horizon);
  const low = time === 'dawn' || time === 'dusk';
  const lightLeft = random.uniform() < 0.75 === view.x[0] > 0.45;
  return {
    horizon,
    lightX: lightLeft ? random.between(0.14, 0.36) : random.between(0.64, 0.86),
    lightY: horizon * (low ? random.between(0.62, 0.84) : random.between(0.22, 0.42)),
    lightSize: within(view.lightSize),
    subjectX: within(view.x),
    subjectY: within(view.y),
    subjectSize: within(view.size),
    subjectFlipped: random.uniform() < 0.5,
  };
}
