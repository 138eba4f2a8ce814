import type { RandomSource } from '../sampler/random.ts';
import { type Canvas, polygon, r } from './canvas.ts';
import { blend, type Colour, css, hsl, shade } from './colour.ts';
import type { Composition } from './composition.ts';
import type { Palette } from './palette.ts';
import type { Land, Traits } from './traits.ts';

type DrawLand = (canvas: Canvas, traits: Traits, palette: Palette, at: Composition, random: RandomSource) => void;

/** The land from the horizon to the lower edge. */
export const drawLand: DrawLand = (canvas, traits, palette, at, random) =>
  LANDS[traits.land](canvas, traits, palette, at, random);

const LANDS: { readonly [K in Land]: DrawLand } = {
  mountains: (canvas, _traits, palette, at, random) => {
    const snow = shade(hsl(210, 20, 97), Math.max(0.55, palette.exposure));
    drawPeaks(canvas, at.horizon - 0.2, 0.24, layerColour(palette, 0.35), snow, random);
    drawPeaks(canvas, at.horizon - 0.08, 0.2, layerColour(palette, 0.7), snow, random);
    const foot = blend(palette.land, shade(hsl(120, 30, 26), palette.exposure), 0.7);
    drawRidge(canvas, at.horizon + 0.08, 0.05, 2.5, shade(foot, 1.1), random);
    drawRidge(canvas, at.horizon + 0.24, 0.06, 1.6, shade(foot, 0.75), random);
  },
  hills: (canvas, _traits, palette, at, random) => {
    for (const [i, depth] of [0.3, 0.55, 0.8, 1].entries()) {
      drawRidge(canvas, at.horizon - 0.04 + i * 0.11, 0.07, 1.3 + i * 0.4, layerColour(palette, depth), random);
    }
  },
  forest: (canvas, _traits, palette, at, random) => {
    for (const [i, depth] of [0.35, 0.6, 0.82, 1].entries()) {
      const base = at.horizon + i * 0.09;
      const colour = layerColour(palette, depth);
      drawRidge(canvas, base, 0.02, 2, shade(colour, 0.9), random);
      drawPines(canvas, base + 0.02, 0.12 + i * 0.07, 16 - i * 3, colour, random);
    }
    drawRidge(canvas, at.horizon + 0.36, 0.02, 1.5, shade(palette.land, 0.55), random);
  },
  sea: (canvas, traits, palette, at, random) => {
    drawRidge(canvas, at.horizon - 0.015, 0.035, 2.2, layerColour(palette, 0.4), random);
    drawSea(canvas, traits, palette, at, random);
  },
  desert: (canvas, _traits, palette, at, random) => {
    for (const [i, depth] of [0.4, 0.7, 0.9, 1].entries()) {
      drawRidge(
        canvas,
        at.horizon + i * 0.12,
        0.09,
        0.9 + i * 0.2,
        shade(layerColour(palette, depth), 1.05 - i * 0.1),
        random,
      );
    }
  },
  snowfield: (canvas, _traits, palette, at, random) => {
    const pine = shade(hsl(160, 25, 30), palette.exposure);
    drawRidge(canvas, at.horizon - 0.06, 0.08, 1.8, layerColour(palette, 0.45), random);
    drawPines(canvas, at.horizon + 0.05, 0.15, 12, blend(palette.skyLow, pine, 0.7), random);
    drawRidge(canvas, at.horizon + 0.03, 0.04, 1.6, layerColour(palette, 0.8), random);
    drawRidge(canvas, at.horizon + 0.2, 0.06, 1.1, palette.land, random);
  },
  city: (canvas, traits, palette, at, random) => {
    const lit = traits.time === 'night' || traits.time === 'dusk';
    for (const [i, depth] of [0.35, 0.65, 1].entries()) {
      const colour = shade(layerColour(palette, depth), 1 - i * 0.12);
      drawBlocks(canvas, at.horizon + 0.02 + i * 0.08, 0.42 - i * 0.09, colour, lit && i > 0, palette, random);
    }
    drawRidge(canvas, at.horizon + 0.2, 0.005, 1, shade(palette.land, 0.62), random);
  },
  meadow: (canvas, _traits, palette, at, random) => {
    drawRidge(canvas, at.horizon - 0.04, 0.06, 1.8, layerColour(palette, 0.45), random);
    drawRidge(canvas, at.horizon + 0.05, 0.04, 1.4, layerColour(palette, 0.8), random);
    drawRidge(canvas, at.horizon + 0.2, 0.05, 1.1, palette.land, random);
    drawFlowers(canvas, palette, at, random);
  },
};

/** Far things take on the colour of the air (depth 0), near things keep their own (1). */
function layerColour(palette: Palette, depth: number): Colour {
  return blend(palette.skyLow, palette.land, depth);
}

/** A layer of land with a wavy upper edge, down to the lower edge of the image. `top` and `swing` are shares of the height. */
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
  const phases = [random.between(0, 6.3), random.between(0, 6.3), random.between(0, 6.3)];
  const points: [number, number][] = [[0, height * 1.05]];
  for (let i = 0; i <= 48; i++) {
    const t = (i / 48) * 2 * Math.PI * waves;
    const wave =
      Math.sin(t * 0.5 + (phases[0] ?? 0)) +
      0.5 * Math.sin(t * 1.3 + (phases[1] ?? 0)) +
      0.2 * Math.sin(t * 3.1 + (phases[2] ?? 0));
    points.push([(i / 48) * width, (top + (swing * wave) / 2) * height]);
  }
  points.push([width, height * 1.05]);
  canvas.add(`<path d="${polygon(points)}" fill="${canvas.paint(colour)}"${edge(canvas)}/>`);
}

function drawPeaks(
  canvas: Canvas,
  top: number,
  rise: number,
  colour: Colour,
  snow: Colour,
  random: RandomSource,
): void {
  const { width, height } = canvas;
  canvas.layer(nearness(top));
  const base = (top + rise + 0.12) * height;
  const count = 4;
  for (let i = 0; i < count; i++) {
    const x = ((i + random.between(0.1, 0.9)) / count) * width * 1.1 - width * 0.05;
    const peak = (top + random.between(0, rise * 0.55)) * height;
    const half = (base - peak) * random.between(0.7, 0.95);
    const lean = random.between(-0.15, 0.15) * half;
    canvas.add(
      `<path d="${polygon([
        [x - half, base],
        [x, peak],
        [x + half, base],
      ])}" fill="${canvas.paint(colour)}"${edge(canvas)}/>`,
    );
    const shadow = polygon([
      [x, peak],
      [x + half, base],
      [x + lean, base],
      [x + half * 0.12, peak + (base - peak) * 0.45],
    ]);
    canvas.add(`<path d="${shadow}" fill="${css(shade(colour, 0.72))}" fill-opacity="0.75"/>`);
    const cap = (base - peak) * 0.3;
    const side = half * 0.3;
    const zigzag = polygon([
      [x, peak],
      [x + side, peak + cap],
      [x + side * 0.45, peak + cap * 0.8],
      [x + side * 0.1, peak + cap * 1.2],
      [x - side * 0.4, peak + cap * 0.78],
      [x - side, peak + cap],
    ]);
    canvas.add(`<path d="${zigzag}" fill="${css(snow)}"/>`);
  }
}

function drawPines(
  canvas: Canvas,
  base: number,
  tall: number,
  count: number,
  colour: Colour,
  random: RandomSource,
): void {
  let path = '';
  canvas.layer(nearness(base));
  for (let i = 0; i < count; i++) {
    const x = ((i + random.uniform()) / count) * canvas.width;
    const high = tall * random.between(0.65, 1.15) * canvas.unit;
    const foot = (base + random.between(0, 0.03)) * canvas.height;
    const sway = 0.02 * high * canvas.wave(2.6, i);
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

function drawSea(canvas: Canvas, traits: Traits, palette: Palette, at: Composition, random: RandomSource): void {
  const { width, height, unit } = canvas;
  canvas.layer(0.4);
  const top = at.horizon * height;
  const far = blend(palette.land, palette.skyLow, 0.55);
  const paint = canvas.fade([
    { at: 0, colour: far },
    { at: 1, colour: shade(palette.land, 0.6) },
  ]);
  canvas.add(
    `<rect y="${r(top)}" width="${width}" height="${r(height - top)}" fill="${canvas.style === 'anime' ? css(palette.land) : paint}"/>`,
  );
  const shining = traits.weather !== 'rain' && traits.weather !== 'fog';
  for (let i = 0; i < 60; i++) {
    const depth = random.uniform();
    const y = top + (0.02 + depth * depth * 0.98) * (height - top);
    const wide = (0.02 + 0.1 * depth) * unit * random.between(0.5, 1.4);
    const glint = shining && i % 2 === 0;
    const spread = (0.04 + 0.14 * depth) * width;
    const still = glint ? at.lightX * width + random.between(-spread, spread) : random.uniform() * width;
    const x = still + 0.5 * wide * canvas.wave(1.8, i);
    const shine = (glint ? 0.75 : 0.4) * (1 + 0.3 * canvas.wave(0.9 + (i % 5) / 5, 2 * i));
    const colour = glint ? palette.light : blend(palette.land, palette.skyLow, 0.6);
    canvas.add(
      `<ellipse cx="${r(x)}" cy="${r(y)}" rx="${r(wide)}" ry="${r(wide * 0.09 + 0.4)}" fill="${css(colour)}" fill-opacity="${r(shine)}"/>`,
    );
  }
}

function drawBlocks(
  canvas: Canvas,
  base: number,
  tall: number,
  colour: Colour,
  lit: boolean,
  palette: Palette,
  random: RandomSource,
): void {
  const { width, height, unit } = canvas;
  canvas.layer(nearness(base));
  for (let x = -0.03 * width; x < width; ) {
    const wide = random.between(0.07, 0.14) * unit;
    const high = tall * random.between(0.35, 1) * height;
    const top = base * height - high;
    canvas.add(
      `<rect x="${r(x)}" y="${r(top)}" width="${r(wide)}" height="${r(height - top)}" fill="${canvas.paint(shade(colour, random.between(0.9, 1.1)))}"${edge(canvas)}/>`,
    );
    const glass = lit ? hsl(random.uniform() < 0.8 ? 46 : 190, 90, 70) : blend(colour, palette.skyLow, 0.35);
    let panes = '';
    for (let row = top + 0.03 * unit; row < base * height - 0.02 * unit; row += 0.034 * unit) {
      for (let column = x + 0.014 * unit; column < x + wide - 0.018 * unit; column += 0.026 * unit) {
        if (random.uniform() < 0.5)
          panes += `M${r(column)} ${r(row)}h${r(0.012 * unit)}v${r(0.017 * unit)}h${r(-0.012 * unit)}Z`;
      }
    }
    canvas.add(
      `<path d="${panes}" fill="${css(glass)}" fill-opacity="${r(0.85 + (lit ? 0.15 : 0) * canvas.wave(1.3, x))}"/>`,
    );
    x += wide * random.between(0.9, 1.12);
  }
}

function drawFlowers(canvas: Canvas, palette: Palette, at: Composition, random: RandomSource): void {
  canvas.layer(0.8);
  for (let i = 0; i < 90; i++) {
    const depth = random.uniform();
    const y = (at.horizon + 0.16 + depth * (0.9 - at.horizon)) * canvas.height;
    const size = (0.004 + 0.011 * depth) * canvas.unit;
    const colour =
      i % 3 === 0 ? palette.accent : i % 3 === 1 ? palette.cloud : shade(hsl(50, 92, 62), palette.exposure);
    const x = random.uniform() * canvas.width + 0.6 * size * canvas.wave(1.7, i);
    canvas.add(`<circle cx="${r(x)}" cy="${r(y)}" r="${r(size)}" fill="${css(colour)}"/>`);
  }
}

/** How near land is whose upper edge is there, a share of the height: what is lower in the image is nearer. */
function nearness(top: number): number {
  return Math.min(1, Math.max(0.15, 1.4 * top - 0.3));
}

/** The outline of a layer of land: only an anime has one. */
function edge(canvas: Canvas): string {
  return canvas.style === 'anime' ? ` ${canvas.strokeOf(0.008 * canvas.unit)}` : '';
}
