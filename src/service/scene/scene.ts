import type { Size } from '../sampler/fourier.ts';
import { hashText, RandomSource } from '../sampler/random.ts';
import { Canvas } from './canvas.ts';
import { COMPOSITIONS, composeScene, paletteOf } from './composition.ts';
import { drawLand, drawSky, drawSnow } from './land.ts';
import { drawSubject } from './subject.ts';
import { readTraits, type Style } from './traits.ts';

/**
 * One of a prompt's scenes as SVG, still or at a time (seconds) of a video. The same arguments give the same text, and
 * nothing of the prompt's text is in it. Another time moves the same things: chance is drawn in the same order.
 */
export function drawScene(prompt: string, style: Style, size: Size, index: number, time: number | null = null): string {
  const traits = readTraits(prompt);
  const random = new RandomSource(traits.key, hashText(style), index);
  const palette = paletteOf(traits, style);
  const composition = composeScene(traits.time, index, random);
  const moment = time === null ? null : { time, heading: composition.subjectFlipped ? (-1 as const) : (1 as const) };
  const canvas = new Canvas(size.width, size.height, style, palette.outline, moment);
  drawSky(canvas, traits, palette, composition, random);
  drawLand(canvas, traits, palette, composition, random);
  drawSubject(canvas, traits, palette, composition);
  if (traits.weather === 'snow') drawSnow(canvas, random);
  return canvas.svg();
}

/** Scenes of a prompt, numbered from 0. */
export const SCENES = COMPOSITIONS;
