import type { RandomSource } from '../sampler/random.ts';
import { blend, type Canvas, type Colour, css, ellipse, hsl, polygon, r, shade } from './canvas.ts';
import { type Composition, lit, type Palette } from './composition.ts';
import type { Traits } from './traits.ts';

/** The land from the horizon to the lower edge: far hills, and before them nearer ones, or water. */
export function drawLand(
  canvas: Canvas,
  { land, subject }: Traits,
  palette: Palette,
  at: Composition,
  random: RandomSource,
): void {
  // Far things take on the colour of the air (depth 0), near things keep their own (1).
  const coloured = (depth: number) => blend(palette.skyLow, palette.land, depth);
  drawRidge(canvas, at.horizon - 0.04, land === 'sea' ? 0.05 : 0.08, 1.8, coloured(0.45), random);
  if (land === 'sea') {
    drawSea(canvas, palette, at, random);
    const ashore = subject === 'fox' || subject === 'cat';
    if (ashore) drawRidge(canvas, at.subjectY - 0.08, 0.03, 0.9, lit(palette, 38, 40, 66), random);
    return;
  }
  if (land === 'snowfield' || land === 'hills') {
    const needles = lit(palette, 150, 28, 28);
    drawPines(canvas, at.horizon + 0.05, 0.15, blend(palette.skyLow, needles, 0.7), random);
  }
  drawRidge(canvas, at.horizon + 0.04, 0.05, 1.5, coloured(0.8), random);
  drawRidge(canvas, at.horizon + 0.2, 0.06, 1.1, palette.land, random);
  if (land === 'meadow') drawFlowers(canvas, palette, at, random);
}

/** A layer of land with a wavy upper edge at `top`, which swings by `swing`: shares of the height. */
function drawRidge(
  canvas: Canvas,
  top: number,
  swing: number,
  waves: number,
  colour: Colour,
  random: RandomSource,
): void {
  const { width, height } = canvas;
  canvas.layer(nearness(top));
  const [first, second, third] = [random.between(0, 6.3), random.between(0, 6.3), random.between(0, 6.3)];
  const points = Array.from({ length: 49 }, (_, i): [number, number] => {
    const t = (i / 48) * 2 * Math.PI * waves;
    const wave = Math.sin(t * 0.5 + first) + 0.5 * Math.sin(t * 1.3 + second) + 0.2 * Math.sin(t * 3.1 + third);
    return [(i / 48) * width, (top + (swing * wave) / 2) * height];
  });
  const path = polygon([[0, height * 1.05], ...points, [width, height * 1.05]]);
  canvas.add(`<path d="${path}" fill="${canvas.paint(colour)}"${edge(canvas)}/>`);
}

/** Firs in a row, `tall` (a share of the height) with their feet at `base`. */
function drawPines(canvas: Canvas, base: number, tall: number, colour: Colour, random: RandomSource): void {
  const { width, height } = canvas;
  canvas.layer(nearness(base));
  let path = '';
  for (let i = 0; i < 12; i++) {
    const x = ((i + random.uniform()) / 12) * width;
    const high = tall * random.between(0.6, 1) * height;
    const foot = (base + 0.02 * random.uniform()) * height;
    const sway = 0.02 * high * canvas.wave(2.6, x);
    for (const [low, up, wide] of [
      [0, 0.55, 0.24],
      [0.25, 0.78, 0.19],
      [0.5, 1, 0.13],
    ] as const) {
      path += polygon([
        [x - wide * high, foot - low * high],
        [x + sway * up, foot - up * high],
        [x + wide * high, foot - low * high],
      ]);
    }
  }
  canvas.add(`<path d="${path}" fill="${canvas.paint(colour)}"${edge(canvas)}/>`);
}

/** Water with ripples; every second one glints below the sun or moon. */
function drawSea(canvas: Canvas, palette: Palette, at: Composition, random: RandomSource): void {
  const { width, height, unit } = canvas;
  canvas.layer(0.4);
  const top = at.horizon * height;
  const dull = blend(palette.land, palette.skyLow, 0.6);
  const deep = canvas.fade([
    { at: 0, colour: dull },
    { at: 1, colour: shade(palette.land, 0.6) },
  ]);
  const paint = canvas.style === 'anime' ? css(palette.land) : deep;
  canvas.add(`<rect y="${r(top)}" width="${width}" height="${r(height - top)}" fill="${paint}"/>`);
  for (let i = 0; i < 60; i++) {
    const depth = random.uniform();
    const y = top + (0.02 + depth * depth * 0.98) * (height - top);
    const wide = (0.02 + 0.1 * depth) * unit * random.between(0.5, 1.4);
    const glints = i % 2 === 0;
    const spread = (0.04 + 0.14 * depth) * width;
    const still = glints ? at.lightX * width + random.between(-spread, spread) : random.uniform() * width;
    const x = still + 0.5 * wide * canvas.wave(1.8, i);
    const shine = (glints ? 0.75 : 0.4) * (1 + 0.3 * canvas.wave(0.9 + (i % 5) / 5, 2 * i));
    canvas.add(ellipse(x, y, wide, wide * 0.09 + 0.4, css(glints ? palette.light : dull), shine));
  }
}

function drawFlowers(canvas: Canvas, palette: Palette, at: Composition, random: RandomSource): void {
  canvas.layer(0.8);
  const colours = [palette.accent, palette.cloud, shade(hsl(50, 92, 62), palette.exposure)];
  for (let i = 0; i < 90; i++) {
    const depth = random.uniform();
    const y = (at.horizon + 0.16 + depth * (0.9 - at.horizon)) * canvas.height;
    const size = (0.004 + 0.011 * depth) * canvas.unit;
    const x = random.uniform() * canvas.width + 0.6 * size * canvas.wave(1.7, i);
    canvas.add(ellipse(x, y, size, size, css(colours[i % 3] ?? palette.accent)));
  }
}

/** Nearness of land by its upper edge, a share of the height: what is lower in the image is nearer. */
function nearness(top: number): number {
  return Math.min(1, Math.max(0.15, 1.4 * top - 0.3));
}

function edge(canvas: Canvas): string {
  return canvas.style === 'anime' ? ` ${canvas.strokeOf(0.008 * canvas.unit)}` : '';
}
