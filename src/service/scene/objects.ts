import { type Canvas, r } from './canvas.ts';
import { blend, css, hsl, shade } from './colour.ts';
import { lit, type Palette } from './palette.ts';
import type { DrawSubject } from './subject-drawing.ts';

function windowColour(palette: Palette): string {
  return css(palette.exposure < 0.8 ? hsl(46, 95, 70) : hsl(205, 40, 38));
}

/** A sailing boat. */
export const drawBoat: DrawSubject = (canvas, palette) => {
  const wood = lit(palette, 22, 52, 34);
  return [
    `<path d="M0.02 -0.12V-1" stroke="${css(wood)}" stroke-width="0.028"/>`,
    `<path d="M0.05 -0.98C0.3 -0.7 0.44 -0.44 0.46 -0.24H0.05Z" fill="${canvas.paint(lit(palette, 42, 40, 94))}"/>`,
    `<path d="M-0.01 -0.92C-0.16 -0.66 -0.3 -0.42 -0.4 -0.24H-0.01Z" fill="${canvas.paint(palette.accent)}"/>`,
    `<path d="M-0.5 -0.18H0.56C0.52 -0.06 0.44 0.02 0.34 0.04H-0.32C-0.42 0.02 -0.48 -0.08 -0.5 -0.18Z" fill="${canvas.paint(wood)}"/>`,
    `<path d="M-0.485 -0.13H0.535" stroke="${css(lit(palette, 42, 40, 90))}" stroke-width="0.026"/>`,
    `<ellipse cx="0" cy="0.05" rx="0.62" ry="0.03" fill="${css(palette.light)}" opacity="0.4" stroke="none"/>`,
  ].join('');
};

/** A house with a chimney, lit from within when it is dark. */
export const drawHouse: DrawSubject = (canvas, palette) => {
  const wall = lit(palette, 38, 42, 82);
  const glass = windowColour(palette);
  const frame = css(shade(wall, 0.5));
  const panes = [-0.34, 0.16]
    .map(
      (x) =>
        `<path d="M${x} -0.4h0.18v0.18h-0.18Z" fill="${glass}"/><path d="M${x + 0.09} -0.4v0.18M${x} -0.31h0.18" stroke="${frame}" stroke-width="0.014"/>`,
    )
    .join('');
  return [
    `<path d="M0.22 -0.7V-0.98H0.36V-0.6Z" fill="${canvas.paint(lit(palette, 14, 35, 44))}"/>`,
    `<path d="M-0.46 0V-0.52H0.46V0Z" fill="${canvas.paint(wall)}"/>`,
    `<path d="M-0.58 -0.48L0 -0.96L0.58 -0.48Z" fill="${canvas.paint(palette.accent)}"/>`,
    `<path d="M-0.46 -0.48H0.46V-0.44H-0.46Z" fill="${css(shade(wall, 0.55))}" stroke="none"/>`,
    panes,
    `<path d="M-0.09 0V-0.28C-0.09 -0.36 0.09 -0.36 0.09 -0.28V0Z" fill="${canvas.paint(lit(palette, 22, 50, 30))}"/>`,
    `<circle cx="0" cy="-0.66" r="0.075" fill="${glass}"/>`,
  ].join('');
};

/** A castle with three towers and flags. */
export const drawCastle: DrawSubject = (canvas, palette) => {
  const stone = lit(palette, 32, 14, 68);
  const glass = windowColour(palette);
  const roof = canvas.paint(palette.accent);
  const tower = (x: number, wide: number, tall: number) =>
    [
      `<path d="M${r(x - wide)} 0V${-tall}H${r(x + wide)}V0Z" fill="${canvas.paint(stone)}"/>`,
      `<path d="M${r(x - wide * 1.35)} ${-tall}L${x} ${r(-tall - wide * 2.6)}L${r(x + wide * 1.35)} ${-tall}Z" fill="${roof}"/>`,
      `<path d="M${x} ${r(-tall - wide * 2.6)}v-0.09l0.1 0.03l-0.1 0.03" fill="${css(lit(palette, 48, 90, 60))}"/>`,
      `<path d="M${r(x - 0.025)} ${r(-tall + 0.16)}v-0.07a0.025 0.03 0 0 1 0.05 0v0.07Z" fill="${glass}"/>`,
    ].join('');
  const teeth = Array.from({ length: 7 }, (_, i) => `M${r(-0.4 + i * 0.12)} -0.4v-0.06h0.06v0.06Z`).join('');
  return [
    tower(0.04, 0.12, 0.66),
    `<path d="M-0.42 0V-0.4H0.42V0Z${teeth}" fill="${canvas.paint(shade(stone, 0.92))}"/>`,
    tower(-0.42, 0.1, 0.5),
    tower(0.44, 0.1, 0.54),
    `<path d="M-0.1 0V-0.18C-0.1 -0.3 0.1 -0.3 0.1 -0.18V0Z" fill="${css(lit(palette, 22, 40, 22))}"/>`,
    `<path d="M-0.25 -0.24v-0.06h0.05v0.06ZM0.2 -0.24v-0.06h0.05v0.06Z" fill="${glass}"/>`,
  ].join('');
};

/** A striped lighthouse on a rock; its beam shows when it is dark. */
export const drawLighthouse: DrawSubject = (canvas, palette) => {
  const white = lit(palette, 40, 30, 95);
  const edge = (y: number) => 0.17 + y * 0.09;
  const stripe = (low: number, high: number) =>
    `<path d="M${r(-edge(low))} ${low}L${r(-edge(high))} ${high}H${r(edge(high))}L${r(edge(low))} ${low}Z" fill="${canvas.paint(palette.accent)}" stroke="none"/>`;
  const beam = palette.exposure < 0.8 ? 0.5 : 0;
  return [
    // Seen from the side, a light that turns is a beam that shortens, passes over, and comes out at the other side.
    canvas.stretched(
      canvas.wave(5, Math.PI / 2),
      1,
      0,
      -0.86,
      `<path d="M0 -0.86L-1.6 -1.1V-0.62Z" fill="${css(hsl(50, 95, 84))}" opacity="${beam}" stroke="none"/>`,
    ),
    `<path d="M-0.5 0.06C-0.44 -0.1 -0.26 -0.14 0 -0.14C0.28 -0.14 0.44 -0.08 0.5 0.06Z" fill="${canvas.paint(lit(palette, 28, 18, 34))}"/>`,
    `<path d="M-0.165 -0.06L-0.1 -0.78H0.1L0.165 -0.06Z" fill="${canvas.paint(white)}"/>`,
    stripe(-0.16, -0.32),
    stripe(-0.48, -0.64),
    `<path d="M-0.14 -0.78H0.14V-0.74H-0.14Z" fill="${css(shade(white, 0.4))}"/>`,
    `<path d="M-0.075 -0.78V-0.92H0.075V-0.78Z" fill="${css(hsl(50, 95, 78))}"/>`,
    `<path d="M-0.12 -0.91C-0.08 -1.02 0.08 -1.02 0.12 -0.91Z" fill="${canvas.paint(palette.accent)}"/>`,
    `<path d="M-0.04 -0.06V-0.14C-0.04 -0.18 0.04 -0.18 0.04 -0.14V-0.06Z" fill="${css(lit(palette, 22, 40, 22))}"/>`,
  ].join('');
};

/** A tree with a wide crown; its leaves take the accent hue. */
export const drawTree: DrawSubject = (canvas, palette, key) => {
  const bark = lit(palette, 24, 38, 28);
  const leaves = blend(palette.accent, palette.land, 0.25);
  const crown: [number, number, number][] = [
    [-0.28, -0.6, 0.2],
    [0.28, -0.62, 0.2],
    [-0.14, -0.8, 0.2],
    [0.16, -0.82, 0.19],
    [0, -0.66, 0.26],
  ];
  const ball = (dx: number, dy: number, grow: number, fill: string) =>
    crown
      .map(([x, y, size]) => `<circle cx="${r(x + dx)}" cy="${r(y + dy)}" r="${r(size * grow)}" fill="${fill}"/>`)
      .join('');
  const inner = `<g stroke="none">${ball(0, 0, 1, css(shade(leaves, 0.8)))}${ball(-0.02, -0.03, 0.82, css(leaves))}${ball(-0.04, -0.07, 0.5, css(shade(leaves, 1.22)))}</g>`;
  const spots = Array.from({ length: 14 }, (_, i) => {
    const angle = i * 2.4 + (key % 7);
    const reach = 0.36 * Math.sqrt((i + 0.5) / 14);
    return `<circle cx="${r(Math.cos(angle) * reach * 1.15)}" cy="${r(-0.7 + Math.sin(angle) * reach * 0.8)}" r="0.026" fill="${css(shade(leaves, 1.45))}"/>`;
  }).join('');
  return [
    `<path d="M-0.1 0C-0.04 -0.12 -0.05 -0.3 -0.06 -0.44L-0.2 -0.6L-0.02 -0.5L0.16 -0.62L0.06 -0.44C0.05 -0.3 0.05 -0.12 0.12 0Z" fill="${canvas.paint(bark)}"/>`,
    ball(0, 0, 1, css(shade(leaves, 0.8))),
    inner,
    `<g stroke="none">${spots}</g>`,
  ].join('');
};

/** A hot-air balloon. */
export const drawBalloon: DrawSubject = (canvas, palette) => {
  const pale = canvas.paint(lit(palette, 44, 60, 92));
  const main = canvas.paint(palette.accent);
  return [
    `<path d="M-0.1 -0.14L-0.2 -0.34M0.1 -0.14L0.2 -0.34" stroke="${css(canvas.outline)}" stroke-width="0.012"/>`,
    `<path d="M0 -1C-0.5 -1 -0.5 -0.56 -0.14 -0.26H0.14C0.5 -0.56 0.5 -1 0 -1Z" fill="${main}"/>`,
    `<path d="M0 -1C-0.36 -0.98 -0.34 -0.54 -0.1 -0.26H-0.045C-0.18 -0.54 -0.18 -0.96 0 -1Z" fill="${pale}" stroke="none"/>`,
    `<path d="M0 -1C0.36 -0.98 0.34 -0.54 0.1 -0.26H0.045C0.18 -0.54 0.18 -0.96 0 -1Z" fill="${pale}" stroke="none"/>`,
    `<path d="M-0.11 -0.14H0.11L0.09 0H-0.09Z" fill="${canvas.paint(lit(palette, 28, 50, 36))}"/>`,
  ].join('');
};

/** One large flower with leaves. */
export const drawFlower: DrawSubject = (canvas, palette) => {
  const stem = lit(palette, 118, 42, 34);
  const petals = Array.from({ length: 12 }, (_, i) => {
    const paint = i % 2 === 0 ? palette.accent : shade(palette.accent, 0.82);
    return `<ellipse cx="0" cy="-0.2" rx="0.075" ry="0.15" fill="${css(paint)}" transform="translate(0 -0.7) rotate(${i * 30})"/>`;
  }).join('');
  return [
    `<path d="M-0.015 0C0.03 -0.2 0.01 -0.4 -0.01 -0.6H0.025C0.045 -0.4 0.06 -0.2 0.03 0Z" fill="${canvas.paint(stem)}"/>`,
    `<path d="M0.02 -0.16C0.14 -0.34 0.3 -0.34 0.4 -0.3C0.32 -0.18 0.16 -0.1 0.02 -0.16Z" fill="${canvas.paint(stem)}"/>`,
    `<path d="M0.02 -0.26C-0.1 -0.42 -0.24 -0.42 -0.34 -0.38C-0.26 -0.26 -0.12 -0.2 0.02 -0.26Z" fill="${canvas.paint(shade(stem, 1.15))}"/>`,
    petals,
    `<circle cx="0" cy="-0.7" r="0.12" fill="${canvas.paint(lit(palette, 30, 62, 34))}"/>`,
    seeds(canvas, palette),
  ].join('');
};

function seeds(_canvas: Canvas, palette: Palette): string {
  const dot = css(lit(palette, 44, 85, 58));
  return Array.from({ length: 16 }, (_, i) => {
    const reach = 0.1 * Math.sqrt((i + 0.5) / 16);
    return `<circle cx="${r(Math.cos(i * 2.4) * reach)}" cy="${r(-0.7 + Math.sin(i * 2.4) * reach)}" r="0.011" fill="${dot}" stroke="none"/>`;
  }).join('');
}

/** A rocket on its flame. */
export const drawRocket: DrawSubject = (canvas, palette) => {
  const hull = lit(palette, 210, 14, 90);
  const fin = canvas.paint(palette.accent);
  const burn = 1 + 0.25 * canvas.wave(0.21) + 0.15 * canvas.wave(0.13);
  const flame = [
    `<path d="M-0.1 -0.2C-0.16 0.02 -0.05 0.1 0 0.3C0.05 0.1 0.16 0.02 0.1 -0.2Z" fill="${css(hsl(28, 100, 58))}" stroke="none"/>`,
    `<path d="M-0.05 -0.2C-0.08 -0.04 -0.02 0.02 0 0.14C0.02 0.02 0.08 -0.04 0.05 -0.2Z" fill="${css(hsl(52, 100, 80))}" stroke="none"/>`,
  ].join('');
  return [
    canvas.stretched(1, burn, 0, -0.2, flame),
    `<path d="M-0.15 -0.46L-0.34 -0.18L-0.13 -0.24ZM0.15 -0.46L0.34 -0.18L0.13 -0.24Z" fill="${fin}"/>`,
    `<path d="M0 -1C-0.14 -0.86 -0.2 -0.6 -0.13 -0.2H0.13C0.2 -0.6 0.14 -0.86 0 -1Z" fill="${canvas.paint(hull)}"/>`,
    `<path d="M0 -1C-0.07 -0.93 -0.12 -0.85 -0.145 -0.75H0.145C0.12 -0.85 0.07 -0.93 0 -1Z" fill="${fin}"/>`,
    `<circle cx="0" cy="-0.58" r="0.075" fill="${css(hsl(200, 70, 40))}"/><circle cx="-0.02" cy="-0.6" r="0.025" fill="#fff" stroke="none"/>`,
    `<path d="M-0.02 -0.4H0.02V-0.16H-0.02Z" fill="${fin}"/>`,
  ].join('');
};
