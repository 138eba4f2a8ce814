import type { RandomSource } from '../sampler/random.ts';
import { blend, type Canvas, css, ellipse, r, shade } from './canvas.ts';
import type { Composition, Palette } from './composition.ts';
import type { Traits } from './traits.ts';

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

/** Snow in front of everything; a flake that leaves at the bottom returns at the top. */
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
