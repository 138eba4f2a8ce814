import type { Canvas } from './canvas.ts';
import { blend, type Colour, css, shade } from './colour.ts';
import { lit } from './palette.ts';
import type { DrawSubject } from './subject-drawing.ts';

/** Two legs that take turns where the image moves, twice a second. */
function legs(canvas: Canvas, colour: Colour, xs: readonly [number, number], foot: Colour): string {
  const ahead = xs[0] < -0.3 ? 0 : Math.PI / 2;
  return xs
    .map((x, i) =>
      canvas.turned(
        22 * canvas.wave(0.5, ahead + i * Math.PI),
        x,
        -0.36,
        `<path d="M${x - 0.05} -0.36L${x - 0.032} 0H${x + 0.04}L${x + 0.055} -0.36Z" fill="${canvas.paint(colour)}"/>` +
          `<path d="M${x - 0.036} -0.1L${x - 0.032} 0H${x + 0.04}L${x + 0.043} -0.1Z" fill="${css(foot)}" stroke="none"/>`,
      ),
    )
    .join('');
}

function eye(x: number, y: number, size: number): string {
  return `<circle cx="${x}" cy="${y}" r="${size}" fill="#181418" stroke="none"/><circle cx="${x + size * 0.3}" cy="${y - size * 0.35}" r="${size * 0.35}" fill="#fff" stroke="none"/>`;
}

/** A fox from the side, trotting. */
export const drawFox: DrawSubject = (canvas, palette) => {
  const fur = lit(palette, 20, 82, 50);
  const pale = lit(palette, 34, 50, 92);
  const dark = lit(palette, 18, 45, 18);
  const paint = canvas.paint(fur);
  return [
    `<path d="M-0.38 -0.44C-0.62 -0.3 -0.8 -0.42 -0.98 -0.36C-0.94 -0.58 -0.7 -0.68 -0.36 -0.54Z" fill="${paint}"/>`,
    `<path d="M-0.79 -0.4C-0.86 -0.4 -0.92 -0.38 -0.98 -0.36C-0.96 -0.46 -0.9 -0.54 -0.82 -0.58C-0.84 -0.52 -0.8 -0.48 -0.79 -0.4Z" fill="${css(pale)}" stroke="none"/>`,
    legs(canvas, shade(fur, 0.75), [-0.24, 0.2], dark),
    `<path d="M-0.42 -0.5C-0.36 -0.64 -0.1 -0.6 0.1 -0.6C0.24 -0.62 0.34 -0.7 0.42 -0.66L0.38 -0.38C0.28 -0.26 0.06 -0.3 -0.12 -0.3C-0.3 -0.26 -0.44 -0.32 -0.42 -0.5Z" fill="${paint}"/>`,
    legs(canvas, fur, [-0.34, 0.3], dark),
    `<path d="M0.24 -0.44C0.3 -0.34 0.36 -0.32 0.42 -0.42L0.44 -0.58L0.34 -0.56Z" fill="${css(pale)}" stroke="none"/>`,
    `<path d="M0.34 -0.76L0.36 -0.98L0.47 -0.84L0.55 -0.85L0.65 -0.97L0.64 -0.74C0.7 -0.66 0.78 -0.6 0.84 -0.55C0.76 -0.49 0.6 -0.47 0.5 -0.51C0.38 -0.55 0.3 -0.66 0.34 -0.76Z" fill="${paint}"/>`,
    `<path d="M0.84 -0.55C0.76 -0.49 0.6 -0.47 0.5 -0.51C0.56 -0.56 0.66 -0.6 0.72 -0.62Z" fill="${css(pale)}" stroke="none"/>`,
    `<path d="M0.385 -0.8L0.39 -0.91L0.44 -0.83Z M0.57 -0.84L0.625 -0.91L0.62 -0.79Z" fill="${css(dark)}" stroke="none"/>`,
    eye(0.59, -0.68, 0.026),
    `<circle cx="0.835" cy="-0.555" r="0.028" fill="${css(dark)}" stroke="none"/>`,
  ].join('');
};

/** A cat from the front, sitting. */
export const drawCat: DrawSubject = (canvas, palette, key) => {
  const coats = [
    lit(palette, 28, 60, 56),
    lit(palette, 220, 8, 46),
    lit(palette, 30, 30, 86),
    lit(palette, 240, 12, 20),
  ];
  const fur = coats[key % coats.length] ?? palette.accent;
  const paint = canvas.paint(fur);
  const pale = css(blend(fur, lit(palette, 40, 20, 98), 0.65));
  const stripe = css(shade(fur, 0.62));
  const face = [-1, 1]
    .map(
      (side) =>
        `<ellipse cx="${0.1 * side}" cy="-0.74" rx="0.05" ry="0.058" fill="${css(lit(palette, 88, 70, 62))}" stroke="none"/>` +
        `<ellipse cx="${0.1 * side}" cy="-0.74" rx="0.02" ry="0.05" fill="#121014" stroke="none"/>` +
        `<path d="M${0.08 * side} -0.62L${0.3 * side} -0.66M${0.08 * side} -0.6L${0.3 * side} -0.58" stroke="${pale}" stroke-width="0.009" fill="none"/>`,
    )
    .join('');
  const head = [
    `<path d="M-0.26 -0.7L-0.25 -1L-0.1 -0.9C-0.04 -0.92 0.04 -0.92 0.1 -0.9L0.25 -1L0.26 -0.7C0.28 -0.56 0.14 -0.48 0 -0.48C-0.14 -0.48 -0.28 -0.56 -0.26 -0.7Z" fill="${paint}"/>`,
    `<path d="M-0.04 -0.9L-0.03 -0.82H0.03L0.04 -0.9ZM-0.12 -0.88L-0.09 -0.81L-0.07 -0.88ZM0.12 -0.88L0.09 -0.81L0.07 -0.88Z" fill="${stripe}" stroke="none"/>`,
    `<path d="M-0.22 -0.84L-0.215 -0.93L-0.15 -0.88ZM0.22 -0.84L0.215 -0.93L0.15 -0.88Z" fill="${css(lit(palette, 350, 50, 72))}" stroke="none"/>`,
    `<ellipse cx="0" cy="-0.61" rx="0.1" ry="0.07" fill="${pale}" stroke="none"/>`,
    face,
    `<path d="M-0.026 -0.65H0.026L0 -0.62Z" fill="${css(lit(palette, 350, 55, 55))}" stroke="none"/>`,
    `<path d="M-0.05 -0.58C-0.03 -0.56 -0.01 -0.57 0 -0.6C0.01 -0.57 0.03 -0.56 0.05 -0.58" stroke="${stripe}" stroke-width="0.012" fill="none"/>`,
  ].join('');
  return [
    canvas.turned(
      7 * canvas.wave(1.9),
      0.2,
      -0.03,
      `<path d="M0.2 -0.06C0.5 0.02 0.6 -0.2 0.48 -0.4C0.44 -0.5 0.54 -0.54 0.58 -0.46C0.72 -0.2 0.58 0.1 0.16 0.02Z" fill="${paint}"/>`,
    ),
    `<path d="M-0.2 -0.5C-0.34 -0.3 -0.36 -0.02 -0.26 0H0.26C0.36 -0.02 0.34 -0.3 0.2 -0.5Z" fill="${paint}"/>`,
    `<path d="M-0.1 -0.46C-0.14 -0.3 -0.1 -0.12 0 -0.12C0.1 -0.12 0.14 -0.3 0.1 -0.46Z" fill="${pale}" stroke="none"/>`,
    `<path d="M-0.12 0V-0.2M0.12 0V-0.2" stroke="${stripe}" stroke-width="0.015" fill="none"/>`,
    canvas.turned(5 * canvas.wave(3.1, 1), 0, -0.5, head),
  ].join('');
};

/** A dog from the side, standing. */
export const drawDog: DrawSubject = (canvas, palette) => {
  const fur = lit(palette, 32, 58, 58);
  const dark = lit(palette, 26, 45, 30);
  const paint = canvas.paint(fur);
  return [
    `<path d="M-0.38 -0.56C-0.5 -0.62 -0.56 -0.78 -0.48 -0.86C-0.46 -0.74 -0.4 -0.68 -0.32 -0.62Z" fill="${paint}"/>`,
    legs(canvas, shade(fur, 0.75), [-0.22, 0.18], dark),
    `<path d="M-0.42 -0.54C-0.38 -0.66 0 -0.62 0.2 -0.64L0.42 -0.72L0.4 -0.38C0.3 -0.24 -0.36 -0.22 -0.42 -0.54Z" fill="${paint}"/>`,
    legs(canvas, fur, [-0.33, 0.29], dark),
    `<path d="M0.26 -0.8C0.28 -0.96 0.5 -0.98 0.56 -0.86L0.74 -0.78C0.8 -0.72 0.74 -0.62 0.64 -0.62L0.46 -0.58C0.32 -0.56 0.24 -0.68 0.26 -0.8Z" fill="${paint}"/>`,
    `<path d="M0.28 -0.9C0.2 -0.9 0.14 -0.7 0.22 -0.58C0.32 -0.58 0.4 -0.8 0.38 -0.92Z" fill="${css(dark)}"/>`,
    `<path d="M0.22 -0.6L0.44 -0.56L0.42 -0.5L0.2 -0.54Z" fill="${css(palette.accent)}"/>`,
    eye(0.52, -0.82, 0.028),
    `<ellipse cx="0.745" cy="-0.755" rx="0.035" ry="0.028" fill="#1a1416" stroke="none"/>`,
  ].join('');
};

/** A deer from the side, with antlers. */
export const drawDeer: DrawSubject = (canvas, palette) => {
  const fur = lit(palette, 26, 46, 44);
  const pale = lit(palette, 34, 40, 82);
  const horn = css(lit(palette, 36, 30, 68));
  const paint = canvas.paint(fur);
  const antler = `M0.3 -0.82C0.22 -0.92 0.2 -1.02 0.24 -1.12M0.24 -0.93L0.13 -1M0.22 -1L0.3 -1.08M0.36 -0.84C0.36 -0.94 0.42 -1 0.48 -1.12M0.385 -0.93L0.48 -0.98M0.42 -1.01L0.38 -1.1`;
  const outline = canvas.style === 'anime' ? `<path d="${antler}" stroke-width="0.06" fill="none"/>` : '';
  return [
    outline,
    `<path d="${antler}" stroke="${horn}" stroke-width="0.028" stroke-linecap="round" fill="none"/>`,
    legs(canvas, shade(fur, 0.72), [-0.24, 0.12], shade(fur, 0.45)),
    `<path d="M-0.4 -0.5C-0.38 -0.6 -0.1 -0.56 0.1 -0.58L0.26 -0.8L0.4 -0.74L0.26 -0.4C0.16 -0.28 -0.3 -0.26 -0.38 -0.36Z" fill="${paint}"/>`,
    `<path d="M-0.41 -0.5C-0.47 -0.48 -0.46 -0.38 -0.4 -0.36Z" fill="${css(pale)}"/>`,
    legs(canvas, fur, [-0.33, 0.2], shade(fur, 0.45)),
    `<path d="M0.24 -0.84C0.16 -0.86 0.12 -0.92 0.1 -0.92C0.12 -0.82 0.2 -0.78 0.26 -0.78Z" fill="${paint}"/>`,
    `<path d="M0.24 -0.8C0.28 -0.88 0.38 -0.88 0.44 -0.82L0.58 -0.72C0.58 -0.66 0.5 -0.64 0.44 -0.66L0.28 -0.7Z" fill="${paint}"/>`,
    eye(0.39, -0.79, 0.024),
    `<ellipse cx="0.565" cy="-0.71" rx="0.024" ry="0.02" fill="#1a1416" stroke="none"/>`,
  ].join('');
};

/** A bird in flight, and two more behind it. */
export const drawBird: DrawSubject = (canvas, palette) => {
  const plume = canvas.paint(lit(palette, 210, 14, 92));
  const wing = canvas.paint(palette.accent);
  const tip = css(lit(palette, 225, 25, 22));
  const far = css(shade(palette.cloud, 0.55));
  const beat = (wings: string) => canvas.stretched(1, 0.3 + 0.7 * canvas.wave(0.8, Math.PI / 2), 0, -0.45, wings);
  const flock = [
    [-0.8, -0.9, 0.16],
    [0.75, -0.75, 0.12],
  ]
    .map(
      ([x = 0, y = 0, s = 0]) =>
        `<path d="M${x - s} ${y - s * 0.3}Q${x - s * 0.4} ${y - s * 0.7} ${x} ${y}Q${x + s * 0.4} ${y - s * 0.7} ${x + s} ${y - s * 0.3}" fill="none" stroke="${far}" stroke-width="0.025" stroke-linecap="round"/>`,
    )
    .join('');
  return [
    flock,
    beat(
      `<path d="M-0.02 -0.46C-0.2 -0.8 -0.1 -1 0.12 -1.08C0.08 -0.86 0.2 -0.66 0.16 -0.46Z" fill="${canvas.paint(shade(palette.accent, 0.7))}"/>`,
    ),
    `<path d="M-0.34 -0.46L-0.66 -0.5L-0.6 -0.4L-0.68 -0.32L-0.34 -0.36Z" fill="${wing}"/>`,
    `<path d="M-0.4 -0.42C-0.2 -0.58 0.2 -0.58 0.36 -0.52C0.44 -0.56 0.52 -0.52 0.54 -0.46C0.5 -0.38 0.2 -0.26 -0.1 -0.3C-0.26 -0.32 -0.36 -0.38 -0.4 -0.42Z" fill="${plume}"/>`,
    `<path d="M0.54 -0.49L0.68 -0.45L0.53 -0.43Z" fill="${css(lit(palette, 38, 95, 55))}"/>`,
    beat(
      `<path d="M0.12 -0.44C0 -0.2 -0.24 0 -0.52 0.04C-0.44 -0.06 -0.4 -0.1 -0.36 -0.24C-0.3 -0.36 -0.2 -0.44 -0.1 -0.46Z" fill="${wing}"/>` +
        `<path d="M-0.36 -0.08C-0.4 -0.04 -0.46 0.02 -0.52 0.04C-0.46 -0.04 -0.43 -0.08 -0.4 -0.14Z" fill="${tip}" stroke="none"/>`,
    ),
    eye(0.44, -0.48, 0.022),
  ].join('');
};
