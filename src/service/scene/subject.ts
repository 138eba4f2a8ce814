import { blend, type Canvas, css, ellipse, hsl, shade } from './canvas.ts';
import { type Composition, lit, type Palette } from './composition.ts';
import type { SceneSubject, Traits } from './traits.ts';

/** Shorter sides of the image that a walker moves in a second. */
const STRIDE = 0.11;

export function drawSubject(canvas: Canvas, { subject, key }: Traits, palette: Palette, at: Composition): void {
  if (subject === 'none') return;
  canvas.layer(0.9);
  const walked = subject === 'fox' && canvas.time !== null ? STRIDE * (canvas.time - 0.8) * canvas.unit : 0;
  const x = at.subjectX * canvas.width + (at.subjectFlipped ? -walked : walked);
  const y = at.subjectY * canvas.height;
  // A fox is about twice as wide as high: drawn smaller, so that the whole of it is seen.
  const scale = at.subjectSize * (subject === 'fox' ? 0.78 : 1) * canvas.unit;
  if (subject !== 'boat') {
    canvas.add(ellipse(x, y, scale * 0.42, scale * 0.05, css(shade(palette.land, 0.35)), 0.45));
  }
  canvas.place(x, y, scale / 100, at.subjectFlipped, DRAWINGS[subject](canvas, palette, key));
}

/**
 * Draws a subject in a box of its own: it stands on (0, 0) and is about 100 high; y points down. Gives SVG elements.
 * `key` is the prompt's number: it chooses the coat.
 */
type Draw = (canvas: Canvas, palette: Palette, key: number) => string;

function shape(fill: string, path: string): string {
  return `<path d="${path}" fill="${fill}"/>`;
}

/** A shape inside another one, so without an outline. */
function patch(fill: string, path: string): string {
  return `<path d="${path}" fill="${fill}" stroke="none"/>`;
}

function line(stroke: string, width: number, path: string): string {
  return `<path d="${path}" stroke="${stroke}" stroke-width="${width}" fill="none"/>`;
}

const drawFox: Draw = (canvas, palette) => {
  const fur = lit(palette, 20, 82, 50);
  const pale = css(lit(palette, 34, 50, 92));
  const dark = css(lit(palette, 18, 45, 18));
  const paint = canvas.paint(fur);
  // Two legs take turns, twice a second; the far pair is half a step behind.
  const legs = (near: boolean, xs: readonly [number, number]) =>
    xs.map((x, i) => {
      const swing = 22 * canvas.wave(0.5, (near ? 0 : Math.PI / 2) + i * Math.PI);
      const leg = shape(
        near ? paint : canvas.paint(shade(fur, 0.75)),
        `M${x - 5} -36L${x - 3} 0H${x + 4}L${x + 5} -36Z`,
      );
      return canvas.turned(swing, x, -36, leg + patch(dark, `M${x - 3.5} -10L${x - 3} 0H${x + 4}L${x + 4.3} -10Z`));
    });
  const fox = [
    shape(paint, 'M-38 -44C-62 -30 -80 -42 -98 -36C-94 -58 -70 -68 -36 -54Z'),
    patch(pale, 'M-79 -40C-86 -40 -92 -38 -98 -36C-96 -46 -90 -54 -82 -58C-84 -52 -80 -48 -79 -40Z'),
    ...legs(false, [-24, 20]),
    shape(
      paint,
      'M-42 -50C-36 -64 -10 -60 10 -60C24 -62 34 -70 42 -66L38 -38C28 -26 6 -30 -12 -30C-30 -26 -44 -32 -42 -50Z',
    ),
    ...legs(true, [-34, 30]),
    patch(pale, 'M24 -44C30 -34 36 -32 42 -42L44 -58L34 -56Z'),
    shape(
      paint,
      'M34 -76L36 -98L47 -84L55 -85L65 -97L64 -74C70 -66 78 -60 84 -55C76 -49 60 -47 50 -51C38 -55 30 -66 34 -76Z',
    ),
    patch(pale, 'M84 -55C76 -49 60 -47 50 -51C56 -56 66 -60 72 -62Z'),
    patch(dark, 'M38.5 -80L39 -91L44 -83ZM57 -84L62.5 -91L62 -79Z'),
    ellipse(59, -68, 2.6, 2.6, '#181418'),
    ellipse(59.8, -68.9, 0.9, 0.9, '#fff'),
    ellipse(83.5, -55.5, 2.8, 2.8, dark),
  ].join('');
  return canvas.turned(1.5 * canvas.wave(0.5), 0, -40, fox);
};

const drawCat: Draw = (canvas, palette, key) => {
  const fur = key % 2 === 0 ? lit(palette, 28, 60, 56) : lit(palette, 220, 8, 50);
  const paint = canvas.paint(fur);
  const pale = css(blend(fur, lit(palette, 40, 20, 98), 0.65));
  const stripe = css(shade(fur, 0.62));
  const pink = css(lit(palette, 350, 52, 66));
  const iris = css(lit(palette, 88, 70, 62));
  const sides = [-1, 1].map((side) =>
    [
      patch(pink, `M${22 * side} -84L${21.5 * side} -93L${15 * side} -88Z`),
      patch(stripe, `M${12 * side} -88L${9 * side} -81L${7 * side} -88Z`),
      ellipse(10 * side, -74, 5, 5.8, iris),
      ellipse(10 * side, -74, 2, 5, '#121014'),
      line(pale, 0.9, `M${8 * side} -62L${30 * side} -66M${8 * side} -60L${30 * side} -58`),
    ].join(''),
  );
  const head = [
    shape(
      paint,
      'M-26 -70L-25 -100L-10 -90C-4 -92 4 -92 10 -90L25 -100L26 -70C28 -56 14 -48 0 -48C-14 -48 -28 -56 -26 -70Z',
    ),
    patch(stripe, 'M-4 -90L-3 -82H3L4 -90Z'),
    ellipse(0, -61, 10, 7, pale),
    ...sides,
    patch(pink, 'M-2.6 -65H2.6L0 -62Z'),
    line(stripe, 1.2, 'M-5 -58C-3 -56 -1 -57 0 -60C1 -57 3 -56 5 -58'),
  ].join('');
  const tail = shape(paint, 'M20 -6C50 2 60 -20 48 -40C44 -50 54 -54 58 -46C72 -20 58 10 16 2Z');
  const cat = [
    canvas.turned(7 * canvas.wave(1.9), 20, -3, tail),
    shape(paint, 'M-20 -50C-34 -30 -36 -2 -26 0H26C36 -2 34 -30 20 -50Z'),
    patch(pale, 'M-10 -46C-14 -30 -10 -12 0 -12C10 -12 14 -30 10 -46Z'),
    line(stripe, 1.5, 'M-12 0V-20M12 0V-20'),
    canvas.turned(5 * canvas.wave(3.1, 1), 0, -50, head),
  ].join('');
  // It breathes.
  return canvas.stretched(1, 1 + 0.015 * canvas.wave(2.4), 0, 0, cat);
};

const drawLighthouse: Draw = (canvas, palette) => {
  const accent = canvas.paint(palette.accent);
  const white = lit(palette, 40, 30, 95);
  const dark = css(lit(palette, 22, 40, 22));
  const beam = `<path d="M0 -86L-160 -110V-62Z" fill="${css(hsl(50, 95, 84))}" opacity="0.5" stroke="none"/>`;
  return [
    // Seen from the side, a light that turns is a beam that shortens, passes over, and comes out at the other side.
    palette.exposure < 0.8 ? canvas.stretched(canvas.wave(5, Math.PI / 2), 1, 0, -86, beam) : '',
    shape(canvas.paint(lit(palette, 28, 18, 34)), 'M-50 6C-44 -10 -26 -14 0 -14C28 -14 44 -8 50 6Z'),
    shape(canvas.paint(white), 'M-16.5 -6L-10 -78H10L16.5 -6Z'),
    patch(accent, 'M-15.6 -16L-14.1 -32H14.1L15.6 -16ZM-12.7 -48L-11.2 -64H11.2L12.7 -48Z'),
    shape(css(shade(white, 0.4)), 'M-14 -78H14V-74H-14Z'),
    shape(css(hsl(50, 95, 78)), 'M-7.5 -78V-92H7.5V-78Z'),
    shape(accent, 'M-12 -91C-8 -102 8 -102 12 -91Z'),
    shape(dark, 'M-4 -6V-14C-4 -18 4 -18 4 -14V-6Z'),
  ].join('');
};

const drawBoat: Draw = (canvas, palette) => {
  const wood = lit(palette, 22, 52, 34);
  const sail = lit(palette, 42, 40, 94);
  const boat = [
    line(css(wood), 2.8, 'M2 -12V-100'),
    shape(canvas.paint(sail), 'M5 -98C30 -70 44 -44 46 -24H5Z'),
    shape(canvas.paint(palette.accent), 'M-1 -92C-16 -66 -30 -42 -40 -24H-1Z'),
    shape(canvas.paint(wood), 'M-50 -18H56C52 -6 44 2 34 4H-32C-42 2 -48 -8 -50 -18Z'),
    line(css(sail), 2.6, 'M-48.5 -13H53.5'),
    ellipse(0, 5, 62, 3, css(palette.light), 0.4),
  ].join('');
  return canvas.turned(4 * canvas.wave(2.7), 0, 2.5 * canvas.wave(1.9, 1), boat);
};

const DRAWINGS: { readonly [K in Exclude<SceneSubject, 'none'>]: Draw } = {
  fox: drawFox,
  cat: drawCat,
  lighthouse: drawLighthouse,
  boat: drawBoat,
};
