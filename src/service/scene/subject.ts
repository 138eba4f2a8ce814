import { drawBird, drawCat, drawDeer, drawDog, drawFox } from './animals.ts';
import { type Canvas, r } from './canvas.ts';
import { css, shade } from './colour.ts';
import type { Composition } from './composition.ts';
import { drawFigure, drawPortrait, drawRobot } from './figures.ts';
import {
  drawBalloon,
  drawBoat,
  drawCastle,
  drawFlower,
  drawHouse,
  drawLighthouse,
  drawRocket,
  drawTree,
} from './objects.ts';
import type { Palette } from './palette.ts';
import type { DrawSubject } from './subject-drawing.ts';
import type { Subject, Traits } from './traits.ts';

const SUBJECTS: { readonly [K in Exclude<Subject, 'none' | 'person'>]: DrawSubject } = {
  fox: drawFox,
  cat: drawCat,
  dog: drawDog,
  deer: drawDeer,
  bird: drawBird,
  boat: drawBoat,
  house: drawHouse,
  castle: drawCastle,
  lighthouse: drawLighthouse,
  tree: drawTree,
  balloon: drawBalloon,
  robot: drawRobot,
  flower: drawFlower,
  rocket: drawRocket,
};

/** Those about twice as wide as high: drawn smaller, so that the whole of them is seen. */
const WIDE: readonly Subject[] = ['fox', 'dog', 'deer', 'castle', 'bird'];
/** How a subject moves in a video. */
type Gait = 'walk' | 'breathe' | 'hover' | 'rock' | 'sway' | 'rise' | 'still';

const GAITS: { readonly [K in Exclude<Subject, 'none'>]: Gait } = {
  fox: 'walk',
  cat: 'breathe',
  dog: 'walk',
  deer: 'walk',
  bird: 'hover',
  person: 'walk',
  boat: 'rock',
  house: 'still',
  castle: 'still',
  lighthouse: 'still',
  tree: 'sway',
  balloon: 'hover',
  robot: 'walk',
  flower: 'sway',
  rocket: 'rise',
};

/** How far a walker comes in a second, in shorter sides of the image. */
const STRIDE = 0.11;

const ALOFT: readonly Subject[] = ['balloon', 'bird', 'rocket', 'boat'];

/** What the prompt is about, in front of the land. An anime shows a person from near, as a portrait. */
export function drawSubject(canvas: Canvas, traits: Traits, palette: Palette, at: Composition): void {
  const { subject, key } = traits;
  if (subject === 'none') return;
  const portrait = subject === 'person' && canvas.style === 'anime';
  const gait = portrait ? 'breathe' : GAITS[subject];
  canvas.layer(0.9);
  const ahead = gait === 'walk' ? STRIDE * ((canvas.time ?? 0) - (canvas.time === null ? 0 : 0.8)) * canvas.unit : 0;
  const x = at.subjectX * canvas.width + (at.subjectFlipped ? -ahead : ahead);
  const y = portrait ? canvas.height * 1.02 : at.subjectY * canvas.height;
  const scale =
    (portrait ? 0.62 + 0.55 * at.subjectSize : at.subjectSize * (WIDE.includes(subject) ? 0.78 : 1)) * canvas.unit;
  if (!portrait && !ALOFT.includes(subject)) {
    const shadow = css(shade(palette.land, 0.35));
    canvas.add(
      `<ellipse cx="${x}" cy="${y}" rx="${scale * 0.42}" ry="${scale * 0.05}" fill="${shadow}" opacity="0.45"/>`,
    );
  }
  const draw = portrait ? drawPortrait : subject === 'person' ? drawFigure : SUBJECTS[subject];
  canvas.place(x, y, scale, at.subjectFlipped, movedBy(gait, canvas, draw(canvas, palette, key)));
}

/** A subject in its box, at the canvas's moment. Turning and rising are about its foot. */
function movedBy(gait: Gait, canvas: Canvas, elements: string): string {
  if (canvas.time === null) return elements;
  const shifted = (dx: number, dy: number, inner: string) => `<g transform="translate(${r(dx)} ${r(dy)})">${inner}</g>`;
  switch (gait) {
    case 'walk':
      return shifted(0, -0.03 * Math.abs(canvas.wave(0.5)), canvas.turned(1.5 * canvas.wave(0.5), 0, -0.4, elements));
    case 'breathe':
      return canvas.stretched(1, 1 + 0.015 * canvas.wave(2.4), 0, 0, elements);
    case 'hover':
      return shifted(0.08 * canvas.wave(5), 0.05 * canvas.wave(2.2), elements);
    case 'rock':
      return shifted(0, 0.025 * canvas.wave(1.9, 1), canvas.turned(4 * canvas.wave(2.7), 0, 0, elements));
    case 'sway':
      return canvas.turned(2.5 * canvas.wave(2.3), 0, 0, elements);
    case 'rise':
      return shifted(0.008 * canvas.wave(0.15), 0.1 - 0.12 * canvas.time, elements);
    case 'still':
      return elements;
  }
}
