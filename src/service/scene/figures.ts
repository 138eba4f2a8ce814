import { blend, type Colour, css, hsl, shade } from './colour.ts';
import type { Palette } from './palette.ts';
import type { DrawSubject } from './subject-drawing.ts';

const SKINS: readonly (readonly [number, number, number])[] = [
  [26, 70, 84],
  [26, 55, 72],
  [24, 46, 52],
  [22, 42, 38],
];

function skinOf(palette: Palette, key: number): Colour {
  const [hue, saturation, lightness] = SKINS[(key >>> 4) % SKINS.length] ?? [26, 60, 78];
  return shade(hsl(hue, saturation, lightness), Math.max(0.7, palette.exposure));
}

function hairOf(palette: Palette, key: number): Colour {
  const dyes = [
    hsl(250, 45, 30),
    hsl(20, 55, 30),
    hsl(45, 80, 62),
    hsl(340, 60, 62),
    hsl(195, 60, 52),
    hsl(230, 20, 16),
  ];
  return shade(dyes[(key >>> 6) % dyes.length] ?? hsl(20, 50, 28), Math.max(0.7, palette.exposure));
}

/** A walker in a cloak, from behind, with a staff and a scarf in the wind. */
export const drawFigure: DrawSubject = (canvas, palette, key) => {
  const cloak = palette.accent;
  const dark = shade(hsl(228, 25, 20), Math.max(0.6, palette.exposure));
  const scarf = shade(hsl((key % 360) + 150, 70, 56), Math.max(0.6, palette.exposure));
  return [
    `<path d="M0.24 0L0.2 -0.86" stroke="${css(shade(hsl(28, 45, 32), palette.exposure))}" stroke-width="0.024" stroke-linecap="round"/>`,
    `<path d="M-0.1 0L-0.09 -0.26H-0.01L-0.02 0ZM0.03 0L0.02 -0.26H0.1L0.11 0Z" fill="${css(dark)}"/>`,
    `<path d="M-0.09 -0.74C-0.2 -0.6 -0.26 -0.3 -0.24 -0.16C-0.12 -0.1 0.12 -0.1 0.22 -0.16C0.24 -0.34 0.18 -0.62 0.09 -0.74Z" fill="${canvas.paint(cloak)}"/>`,
    `<path d="M0 -0.7C-0.03 -0.5 -0.05 -0.3 -0.04 -0.13M0.07 -0.66C0.11 -0.5 0.14 -0.32 0.14 -0.15" stroke="${css(shade(cloak, 0.6))}" stroke-width="0.014" fill="none"/>`,
    `<circle cx="0" cy="-0.86" r="0.11" fill="${canvas.paint(hairOf(palette, key))}"/>`,
    `<path d="M-0.09 -0.86C-0.07 -0.8 0.07 -0.8 0.09 -0.86L0.085 -0.81C0.05 -0.75 -0.05 -0.75 -0.085 -0.81Z" fill="${css(skinOf(palette, key))}" stroke="none"/>`,
    `<path d="M-0.11 -0.77C-0.04 -0.72 0.06 -0.72 0.11 -0.77L0.12 -0.7C0.06 -0.66 -0.05 -0.66 -0.1 -0.69C-0.26 -0.7 -0.34 -0.62 -0.5 -0.68C-0.4 -0.74 -0.28 -0.8 -0.11 -0.77Z" fill="${canvas.paint(scarf)}"/>`,
  ].join('');
};

/** Head and shoulders of a character, as an anime draws them: large eyes, hair in locks, two tones of shade. */
export const drawPortrait: DrawSubject = (canvas, palette, key) => {
  const skin = skinOf(palette, key);
  const hair = hairOf(palette, key);
  const deep = css(shade(hair, 0.68));
  const shine = css(blend(hair, hsl(0, 0, 100), 0.45));
  const blush = css(blend(skin, hsl(350, 80, 62), 0.4));
  const iris = shade(hsl(palette.exposure * 40 + (key % 360), 70, 46), 0.95);
  const line = css(canvas.outline);
  const coat = palette.accent;
  const blink = canvas.wave(2.2, -0.6) > 0.97 ? 0.12 : 1;
  const eyes = [-1, 1]
    .map((side) => {
      const x = 0.115 * side;
      return [
        `<ellipse cx="${x}" cy="-0.535" rx="0.058" ry="0.07" fill="#fff" stroke="none"/>`,
        `<ellipse cx="${x - 0.006}" cy="-0.53" rx="0.042" ry="0.062" fill="${css(iris)}" stroke="none"/>`,
        `<ellipse cx="${x - 0.006}" cy="-0.545" rx="0.026" ry="0.042" fill="${css(shade(iris, 0.4))}" stroke="none"/>`,
        `<circle cx="${x + 0.012}" cy="-0.56" r="0.016" fill="#fff" stroke="none"/>`,
        `<circle cx="${x - 0.02}" cy="-0.5" r="0.009" fill="#fff" stroke="none"/>`,
        `<path d="M${x - 0.066} -0.555C${x - 0.04} -0.615 ${x + 0.04} -0.615 ${x + 0.066} -0.555" fill="none" stroke="${line}" stroke-width="0.022"/>`,
        `<path d="M${x - 0.05} -0.655Q${x} -0.68 ${x + 0.05} -0.655" fill="none" stroke="${deep}" stroke-width="0.014"/>`,
        `<ellipse cx="${x * 1.25}" cy="-0.455" rx="0.04" ry="0.018" fill="${blush}" stroke="none" opacity="0.8"/>`,
      ].join('');
    })
    .join('');
  return [
    `<path d="M-0.3 -0.62C-0.34 -0.9 -0.16 -1.02 0 -1.02C0.16 -1.02 0.34 -0.9 0.3 -0.62C0.3 -0.4 0.42 -0.28 0.36 -0.06C0.28 -0.1 0.22 -0.2 0.2 -0.3H-0.2C-0.22 -0.18 -0.3 -0.08 -0.38 -0.04C-0.42 -0.28 -0.3 -0.4 -0.3 -0.62Z" fill="${deep}"/>`,
    `<path d="M-0.08 -0.4V-0.2H0.08V-0.4Z" fill="${css(shade(skin, 0.82))}"/>`,
    `<path d="M-0.56 0.05C-0.54 -0.12 -0.36 -0.2 -0.1 -0.25L0 -0.16L0.1 -0.25C0.36 -0.2 0.54 -0.12 0.56 0.05Z" fill="${css(coat)}"/>`,
    `<path d="M0.2 -0.21C0.38 -0.17 0.54 -0.1 0.56 0.05H0.24C0.3 -0.05 0.28 -0.14 0.2 -0.21Z" fill="${css(shade(coat, 0.72))}" stroke="none"/>`,
    `<path d="M-0.16 -0.24L0 -0.1L0.16 -0.24L0.1 -0.27L0 -0.17L-0.1 -0.27Z" fill="${css(blend(coat, hsl(0, 0, 100), 0.75))}"/>`,
    `<path d="M0 -0.12L-0.05 -0.04L0 0.03L0.05 -0.04Z" fill="${css(shade(iris, 1.1))}"/>`,
    `<path d="M-0.225 -0.66C-0.24 -0.5 -0.18 -0.4 0 -0.32C0.18 -0.4 0.24 -0.5 0.225 -0.66C0.2 -0.86 -0.2 -0.86 -0.225 -0.66Z" fill="${css(skin)}"/>`,
    `<path d="M-0.22 -0.68C-0.1 -0.6 0.1 -0.6 0.22 -0.68L0.2 -0.8H-0.2Z" fill="${css(shade(skin, 0.84))}" stroke="none"/>`,
    canvas.stretched(1, blink, 0, -0.54, eyes),
    `<path d="M-0.006 -0.455L0.008 -0.44" stroke="${line}" stroke-width="0.008" fill="none"/>`,
    `<path d="M-0.035 -0.395Q0 -0.372 0.035 -0.395" stroke="${line}" stroke-width="0.011" fill="none"/>`,
    `<path d="M-0.27 -0.5C-0.32 -0.8 -0.24 -1.03 0.02 -1.03C0.26 -1.03 0.33 -0.8 0.27 -0.5C0.25 -0.6 0.22 -0.68 0.19 -0.76C0.15 -0.7 0.12 -0.68 0.08 -0.66C0.09 -0.72 0.08 -0.76 0.06 -0.8C0.02 -0.7 -0.05 -0.64 -0.12 -0.63C-0.09 -0.7 -0.09 -0.74 -0.1 -0.8C-0.16 -0.74 -0.24 -0.62 -0.27 -0.5Z" fill="${css(hair)}"/>`,
    `<path d="M-0.2 -0.86C-0.12 -0.93 0.1 -0.94 0.2 -0.87C0.1 -0.9 -0.1 -0.89 -0.2 -0.86Z" fill="${shine}" stroke="none"/>`,
  ].join('');
};

/** A robot from the front. */
export const drawRobot: DrawSubject = (canvas, palette) => {
  const plate = shade(hsl(205, 16, 74), Math.max(0.6, palette.exposure));
  const metal = canvas.paint(plate);
  const joint = css(shade(plate, 0.45));
  const trim = canvas.paint(palette.accent);
  const glow = css(hsl(178, 95, 66));
  const limbs = [-1, 1]
    .map((side) =>
      [
        `<path d="M${0.24 * side} -0.58L${0.36 * side} -0.36L${0.33 * side} -0.2" fill="none" stroke="${joint}" stroke-width="0.06" stroke-linecap="round"/>`,
        `<circle cx="${0.33 * side}" cy="-0.18" r="0.055" fill="${trim}"/>`,
        `<rect x="${0.11 * side - 0.055}" y="-0.26" width="0.11" height="0.22" rx="0.03" fill="${joint}"/>`,
        `<rect x="${0.12 * side - 0.09}" y="-0.08" width="0.18" height="0.08" rx="0.035" fill="${trim}"/>`,
        `<circle cx="${0.09 * side}" cy="-0.8" r="0.045" fill="${glow}"/>`,
        `<circle cx="${0.24 * side}" cy="-0.58" r="0.06" fill="${trim}"/>`,
      ].join(''),
    )
    .join('');
  return [
    `<path d="M0 -0.93V-1.02" stroke="${joint}" stroke-width="0.024"/><circle cx="0" cy="-1.03" r="0.034" fill="${trim}"/>`,
    `<rect x="-0.06" y="-0.7" width="0.12" height="0.1" fill="${joint}"/>`,
    `<rect x="-0.22" y="-0.64" width="0.44" height="0.42" rx="0.08" fill="${metal}"/>`,
    `<rect x="-0.21" y="-0.94" width="0.42" height="0.28" rx="0.09" fill="${metal}"/>`,
    `<rect x="-0.16" y="-0.87" width="0.32" height="0.14" rx="0.06" fill="#15202b"/>`,
    limbs,
    `<rect x="-0.12" y="-0.54" width="0.24" height="0.15" rx="0.03" fill="#15202b"/>`,
    `<path d="M-0.09 -0.46H-0.04L-0.02 -0.51L0.02 -0.42L0.04 -0.46H0.09" stroke="${glow}" stroke-width="0.016" fill="none"/>`,
  ].join('');
};
