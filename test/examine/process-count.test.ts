import { expect, it } from 'vitest';
import { outputShare, pairShare, processesFor } from '../../src/examine/examine.ts';
import type { OutputFact } from '../../src/record/fact.ts';

const MIB = 1024 * 1024;
const image = (bytes: number) => ({ mime: 'image/png', bytes });
const video = { mime: 'video/mp4', bytes: 1000 };

function decoded(width: number, mime = 'image/png'): OutputFact {
  return { decodes: true, mime, width, height: width, frames: 1 } as OutputFact;
}

it('examination starts one process for a few small images, more for large ones and videos, up to the most', () => {
  const count = (outputs: readonly { mime: string | null; bytes: number }[], most = 8) =>
    processesFor(outputs.map(outputShare), most);
  expect(count([])).toBe(1);
  expect(count([1, 2, 3, 4].map(image))).toBe(1);
  expect(count([1, 2, 3, 4, 5].map(image))).toBe(2);
  expect(count([image(2 * MIB), image(2 * MIB), image(30 * MIB)])).toBe(3);
  expect(count([video, video])).toBe(2);
  expect(count([video, image(1)])).toBe(2);
  expect(count(Array.from({ length: 100 }, () => image(1)))).toBe(8);
  expect(
    count(
      Array.from({ length: 100 }, () => video),
      1,
    ),
  ).toBe(1);
  expect(count([{ mime: null, bytes: 10 }])).toBe(1);
});

it('comparing starts processes by the pixels of the pairs, and one for each pair of videos', () => {
  const count = (pairs: readonly (readonly [OutputFact | undefined, OutputFact | undefined])[]) =>
    processesFor(
      pairs.map(([a, b]) => pairShare(a, b)),
      8,
    );
  expect(count(Array.from({ length: 4 }, () => [decoded(256), decoded(256)]))).toBe(1);
  expect(count(Array.from({ length: 4 }, () => [decoded(2048), decoded(2048)]))).toBe(4);
  expect(count(Array.from({ length: 3 }, () => [decoded(64, 'video/mp4'), decoded(64, 'video/mp4')]))).toBe(3);
  expect(count([[undefined, decoded(2048)]])).toBe(1);
});
