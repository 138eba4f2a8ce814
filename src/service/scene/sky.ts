import type { RandomSource } from '../sampler/random.ts';
import { type Canvas, r } from './canvas.ts';
import { blend, css, shade } from './colour.ts';
import type { Composition } from './composition.ts';
import type { Palette } from './palette.ts';
import type { Traits } from './traits.ts';

/** Sky, stars, sun or moon, clouds: everything behind the land. */
export function drawSky(canvas: Canvas, traits: Traits, palette: Palette, at: Composition, random: RandomSource): void {
  canvas.layer(0);
  drawAir(canvas, palette, at);
  if (traits.time === 'night') drawStars(canvas, at, random);
  if (traits.weather !== 'rain' && traits.weather !== 'fog') drawLight(canvas, traits, palette, at);
  const count = { clear: 1, clouds: 5, rain: 6, snow: 3, fog: 0 }[traits.weather];
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
    const sway = band === 0 ? 0 : 0.025 * canvas.unit;
    const colour = css(blend(palette.skyTop, palette.skyLow, band / 3));
    const [x1, x2] = [r(width * 0.3), r(width * 0.7)];
    canvas.add(
      `<path d="M0 ${r(top)}C${x1} ${r(top - 2 * sway)} ${x2} ${r(top + 2 * sway)} ${width} ${r(top)}V${height}H0Z" fill="${colour}"/>`,
    );
  }
}

function drawStars(canvas: Canvas, at: Composition, random: RandomSource): void {
  for (let i = 0; i < 70; i++) {
    const size = random.between(0.0012, 0.0042) * canvas.unit * (canvas.style === 'anime' ? 1.5 : 1);
    const y = random.between(0, at.horizon * 0.95) * canvas.height;
    const x = random.uniform() * canvas.width;
    const bright = random.between(0.4, 1) * (1 + 0.7 * canvas.wave(1 + (i % 7) / 4, i));
    canvas.add(
      `<circle cx="${r(x)}" cy="${r(y)}" r="${r(size)}" fill="#fff" fill-opacity="${r(Math.min(1, bright))}"/>`,
    );
  }
}

/** The sun, or at night the moon, with its glow. */
function drawLight(canvas: Canvas, traits: Traits, palette: Palette, at: Composition): void {
  const x = at.lightX * canvas.width;
  const y = at.lightY * canvas.height;
  const radius = at.lightSize * canvas.unit;
  const reach = radius * (traits.time === 'night' ? 3.2 : 5) * (1 + 0.06 * canvas.wave(3));
  const glow = canvas.glow([
    { at: 0, colour: palette.light, opacity: 0.85 },
    { at: 0.35, colour: palette.light, opacity: 0.35 },
    { at: 1, colour: palette.light, opacity: 0 },
  ]);
  const rings = canvas.style === 'anime' ? [2.1, 1.55] : [];
  if (rings.length === 0) canvas.add(`<circle cx="${r(x)}" cy="${r(y)}" r="${r(reach)}" fill="${glow}"/>`);
  for (const ring of rings) {
    canvas.add(
      `<circle cx="${r(x)}" cy="${r(y)}" r="${r(radius * ring)}" fill="${css(palette.light)}" fill-opacity="0.3"/>`,
    );
  }
  canvas.add(`<circle cx="${r(x)}" cy="${r(y)}" r="${r(radius)}" fill="${css(palette.light)}"/>`);
  if (traits.time !== 'night') return;
  const spot = css(shade(palette.light, 0.86));
  for (const [dx, dy, size] of [
    [-0.35, -0.2, 0.22],
    [0.3, 0.25, 0.28],
    [0.1, -0.45, 0.14],
  ] as const) {
    canvas.add(
      `<circle cx="${r(x + dx * radius)}" cy="${r(y + dy * radius)}" r="${r(size * radius)}" fill="${spot}"/>`,
    );
  }
}

/** A heap of circles on a flat foot; in an anime a second, lighter heap makes the two tones. */
function drawCloud(canvas: Canvas, palette: Palette, at: Composition, random: RandomSource): void {
  const scale = random.between(0.1, 0.24) * canvas.unit;
  // Larger clouds are nearer, and drift faster.
  const x = random.between(-0.05, 1.05) * canvas.width + 0.2 * scale * (canvas.time ?? 0);
  const y = random.between(0.1, at.horizon * 0.8) * canvas.height;
  const puffs = Array.from({ length: 6 }, (_, i) => {
    const along = (i - 2.5) / 2.5;
    return {
      dx: along * scale * 1.25,
      dy: -random.between(0.05, 0.28) * scale * (1 - along * along),
      size: scale * (0.2 + 0.34 * (1 - along * along) * random.between(0.6, 1.1)),
    };
  });
  const heap = (lift: number, grow: number) =>
    puffs
      .map(
        (p) =>
          `<ellipse cx="${r(x + p.dx)}" cy="${r(y + p.dy - lift)}" rx="${r(p.size * 1.25 * grow)}" ry="${r(p.size * grow)}"/>`,
      )
      .join('');
  const dark = css(blend(palette.cloud, palette.skyTop, 0.4));
  if (canvas.style === 'anime') {
    canvas.add(`<g ${canvas.strokeOf(0.016 * canvas.unit)} fill="${dark}">${heap(0, 1)}</g>`);
    canvas.add(`<g fill="${dark}">${heap(0, 1)}</g>`);
    canvas.add(`<g fill="${css(palette.cloud)}">${heap(scale * 0.07, 0.86)}</g>`);
    return;
  }
  canvas.add(`<g fill="${dark}" opacity="0.35">${heap(-scale * 0.06, 1.06)}</g>`);
  canvas.add(`<g fill="${css(palette.cloud)}" opacity="0.55">${heap(0, 0.96)}</g>`);
  canvas.add(`<g fill="#fff" opacity="${r(0.3 * palette.exposure)}">${heap(scale * 0.09, 0.7)}</g>`);
}

/** What falls or hangs in front of everything: rain, snow, fog. */
export function drawWeather(canvas: Canvas, traits: Traits, palette: Palette, random: RandomSource): void {
  const { width, height, unit } = canvas;
  canvas.layer(1);
  const time = canvas.time ?? 0;
  if (traits.weather === 'rain') {
    for (let i = 0; i < 90; i++) {
      const across = random.between(-0.05, 1.1) * width;
      const down = random.uniform() * height;
      const long = random.between(0.03, 0.08) * unit;
      const y = fall(down, 16 * long * time, height, long);
      const x = across - 0.25 * (y - down);
      canvas.add(
        `<path d="M${r(x)} ${r(y)}l${r(-long * 0.25)} ${r(long)}" stroke="#fff" stroke-width="${r(unit * 0.0035)}" stroke-opacity="0.45"/>`,
      );
    }
  }
  if (traits.weather === 'snow') {
    for (let i = 0; i < 80; i++) {
      const size = random.between(0.003, 0.011) * unit;
      const x = random.uniform() * width + 2 * size * canvas.wave(2 + (i % 5) / 3, i);
      const y = fall(random.uniform() * height, (0.06 * unit + 14 * size) * time, height, 2 * size);
      canvas.add(
        `<circle cx="${r(x)}" cy="${r(y)}" r="${r(size)}" fill="#fff" fill-opacity="${r(random.between(0.5, 0.95))}"/>`,
      );
    }
  }
  if (traits.weather === 'fog') {
    for (let i = 0; i < 5; i++) {
      const y = random.between(0.3, 0.95) * height;
      const paint = canvas.glow([
        { at: 0, colour: palette.skyLow, opacity: 0.7 },
        { at: 1, colour: palette.skyLow, opacity: 0 },
      ]);
      const x = random.uniform() * width + (i % 2 === 0 ? 0.05 : -0.05) * width * time;
      canvas.add(
        `<ellipse cx="${r(x)}" cy="${r(y)}" rx="${r(width * 0.8)}" ry="${r(height * 0.14)}" fill="${paint}"/>`,
      );
    }
  }
}

/** How far down a falling thing is after so many pixels: past the lower edge it comes in again at the upper one. */
function fall(from: number, way: number, height: number, size: number): number {
  return way === 0 ? from : ((from + size + way) % (height + 2 * size)) - size;
}
