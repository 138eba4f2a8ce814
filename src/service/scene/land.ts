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

/** `tall` and `base`, the feet of the firs, are shares of the height. */
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

/** Sky, stars, sun or moon, clouds: everything behind the land. */
export function drawSky(canvas: Canvas, traits: Traits, palette: Palette, at: Composition, random: RandomSource): void {
  canvas.layer(0);
  drawAir(canvas, palette, at);
  if (traits.time === 'night') drawStars(canvas, at, random);
  drawLight(canvas, traits, palette, at);
  const count = { clear: 0, clouds: 5, snow: 3 }[traits.weather];
  canvas.layer(0.15);
  for (let i = 0; i < count; i++) drawCloud(canvas, palette, at, random);
}

function drawAir(canvas: Canvas, palette: Palette, at: Composition): void {
  const { width, height } = canvas;
  const low = at.horizon * height * 1.05;
  if (canvas.style === 'realistic') {
    const paint = canvas.fade([
      { at: 0, colour: palette.skyTop },
      { at: 0.6, colour: blend(palette.skyTop, palette.skyLow, 0.55) },
      { at: 1, colour: palette.skyLow },
    ]);
    canvas.add(`<rect width="${width}" height="${height}" fill="${css(palette.skyLow)}"/>`);
    canvas.add(`<rect width="${width}" height="${r(low)}" fill="${paint}"/>`);
    return;
  }
  // Cel shading: four flat bands with a wavy edge, each laid over the one before.
  for (let band = 0; band < 4; band++) {
    const top = low * (band / 4.4) * (1 + 0.1 * band);
    const sway = band === 0 ? 0 : 0.05 * canvas.unit;
    const edge = [width * 0.3, top - sway, width * 0.7, top + sway, width, top].map(r).join(' ');
    const colour = css(blend(palette.skyTop, palette.skyLow, band / 3));
    canvas.add(`<path d="M0 ${r(top)}C${edge}V${height}H0Z" fill="${colour}"/>`);
  }
}

function drawStars(canvas: Canvas, at: Composition, random: RandomSource): void {
  for (let i = 0; i < 70; i++) {
    const size = random.between(0.0012, 0.0042) * canvas.unit * (canvas.style === 'anime' ? 1.5 : 1);
    const y = random.between(0, at.horizon * 0.95) * canvas.height;
    const x = random.uniform() * canvas.width;
    const bright = random.between(0.4, 1) * (1 + 0.7 * canvas.wave(1 + (i % 7) / 4, i));
    canvas.add(ellipse(x, y, size, size, '#fff', Math.min(1, bright)));
  }
}

function drawLight(canvas: Canvas, traits: Traits, palette: Palette, at: Composition): void {
  const night = traits.time === 'night';
  const radius = at.lightSize * canvas.unit;
  const colour = css(palette.light);
  // A disk about a place in the sun's own box: its radius is 1.
  const disk = (dx: number, dy: number, size: number, fill: string, opacity = 1) => {
    const [x, y] = [at.lightX * canvas.width + dx * radius, at.lightY * canvas.height + dy * radius];
    canvas.add(ellipse(x, y, size * radius, size * radius, fill, opacity));
  };
  if (canvas.style === 'anime') {
    for (const ring of [2.1, 1.55]) disk(0, 0, ring, colour, 0.3);
  } else {
    const glow = canvas.glow([
      { at: 0, colour: palette.light, opacity: 0.85 },
      { at: 0.35, colour: palette.light, opacity: 0.35 },
      { at: 1, colour: palette.light, opacity: 0 },
    ]);
    disk(0, 0, (night ? 3.2 : 5) * (1 + 0.06 * canvas.wave(3)), glow);
  }
  disk(0, 0, 1, colour);
  if (!night) return;
  const spot = css(shade(palette.light, 0.86));
  disk(-0.35, -0.2, 0.22, spot);
  disk(0.3, 0.25, 0.28, spot);
  disk(0.1, -0.45, 0.14, spot);
}

/** A heap of ellipses; in an anime a second, lighter heap makes the two tones. */
function drawCloud(canvas: Canvas, palette: Palette, at: Composition, random: RandomSource): void {
  const scale = random.between(0.1, 0.24) * canvas.unit;
  // Larger clouds are nearer, and drift faster.
  const x = random.between(-0.05, 1.05) * canvas.width + 0.2 * scale * (canvas.time ?? 0);
  const y = random.between(0.1, at.horizon * 0.8) * canvas.height;
  const puffs = Array.from({ length: 6 }, (_, i) => {
    const along = (i - 2.5) / 2.5;
    const dy = -random.between(0.05, 0.28) * scale * (1 - along * along);
    const size = scale * (0.2 + 0.34 * (1 - along * along) * random.between(0.6, 1.1));
    return { x: x + along * scale * 1.25, y: y + dy, size };
  });
  const heap = (fill: string, lift: number, grow: number, opacity = 1, rim = 0) => {
    const puff = (p: (typeof puffs)[number]) =>
      ellipse(p.x, p.y - lift * scale, p.size * 1.25 * grow + rim, p.size * grow + rim, fill);
    canvas.add(`<g opacity="${r(opacity)}">${puffs.map(puff).join('')}</g>`);
  };
  const dark = css(blend(palette.cloud, palette.skyTop, 0.4));
  const bright = css(palette.cloud);
  if (canvas.style === 'anime') {
    heap(css(canvas.outline), 0, 1, 1, 0.008 * canvas.unit);
    heap(dark, 0, 1);
    heap(bright, 0.07, 0.86);
  } else {
    heap(dark, -0.06, 1.06, 0.35);
    heap(bright, 0, 0.96, 0.55);
    heap('#fff', 0.09, 0.7, 0.3 * palette.exposure);
  }
}

/** A flake that leaves at the bottom returns at the top. */
export function drawSnow(canvas: Canvas, random: RandomSource): void {
  const { width, height, unit } = canvas;
  canvas.layer(1);
  for (let i = 0; i < 80; i++) {
    const size = random.between(0.003, 0.011) * unit;
    const x = random.uniform() * width + 2 * size * canvas.wave(2 + (i % 5) / 3, i);
    const fallen = random.uniform() * height + (0.06 * unit + 14 * size) * (canvas.time ?? 0);
    const y = ((fallen + size) % (height + 2 * size)) - size;
    canvas.add(ellipse(x, y, size, size, '#fff', random.between(0.5, 0.95)));
  }
}
