import { drawBird, drawCat, drawDeer, drawDog, drawFox } from './animals.ts';
import type { Canvas } from './canvas.ts';
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
const ALOFT: readonly Subject[] = ['balloon', 'bird', 'rocket', 'boat'];

/** What the prompt is about, in front of the land. An anime shows a person from near, as a portrait. */
export function drawSubject(canvas: Canvas, traits: Traits, palette: Palette, at: Composition): void {
  const { subject, key } = traits;
  if (subject === 'none') return;
  const portrait = subject === 'person' && canvas.style === 'anime';
  const x = at.subjectX * canvas.width;
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
  canvas.place(x, y, scale, at.subjectFlipped, draw(canvas, palette, key));
}
