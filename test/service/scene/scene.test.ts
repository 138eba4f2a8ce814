import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { drawScene, SCENES } from '../../../src/service/scene/scene.ts';
import { readTraits } from '../../../src/service/scene/traits.ts';
import { draws } from '../../test-options.ts';

const size = { width: 96, height: 96 };
const styles = fc.constantFrom('realistic' as const, 'anime' as const);

describe('what a prompt says', () => {
  test.each([
    ['A red fox running through fresh snow', { subject: 'fox', land: 'snowfield', weather: 'snow', accentHue: 0 }],
    ['the LIGHTHOUSE, at dusk', { subject: 'lighthouse', land: 'sea', time: 'dusk' }],
    ['a boat under mountains, cloudy night', { subject: 'boat', land: 'sea', time: 'night', weather: 'clouds' }],
    [
      'empty landscape of wide dunes, clear morning',
      { subject: 'none', land: 'desert', time: 'dawn', weather: 'clear' },
    ],
  ])('a prompt says its scene: %s', (prompt, expected) => {
    expect(readTraits(prompt)).toMatchObject(expected);
  });

  test('a prompt of unknown words still has every trait, and words count', () => {
    expect(readTraits('qwrt zxcv')).toEqual(readTraits('QWRT, zxcv!'));
    expect(readTraits('qwrt zxcv').key).not.toBe(readTraits('qwrt zxcw').key);
  });
});

test('the same prompt gives the same scenes; each scene and each style is another', () => {
  const texts = (['realistic', 'anime'] as const).flatMap((style) =>
    Array.from({ length: SCENES }, (_, i) => drawScene('a fox', style, size, i)),
  );
  expect(new Set(texts).size).toBe(2 * SCENES);
  expect(drawScene('a fox', 'anime', size, 1)).toBe(texts[SCENES + 1]);
});

test('any prompt at any time becomes a drawing that a renderer accepts, with nothing of the prompt in it', async () => {
  const times = fc.option(fc.double({ min: 0, max: 10, noNaN: true }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 60 }), styles, times, async (prompt, style, time) => {
      const svg = drawScene(`${prompt}<script>&"]]>`, style, size, 1, time);
      expect(svg).not.toMatch(/script|NaN|undefined|Infinity/);
      const { info } = await sharp(Buffer.from(svg)).raw().toBuffer({ resolveWithObject: true });
      expect(info).toMatchObject(size);
    }),
    { numRuns: draws(60) },
  );
});

test.each('fox cat lighthouse boat hills sea desert snow meadow clouds'.split(' '))(
  'a scene with %s is seen, and moves within a tenth of a second, in both styles',
  async (word) => {
    for (const style of ['realistic', 'anime'] as const) {
      const drawn = (time?: number) =>
        sharp(Buffer.from(drawScene(`${word} by day`, style, size, 1, time))).removeAlpha();
      const { channels } = await drawn().stats();
      expect(Math.max(...channels.map((channel) => channel.stdev))).toBeGreaterThan(12);
      expect((await drawn(0.5).raw().toBuffer()).equals(await drawn(0.6).raw().toBuffer())).toBe(false);
    }
  },
);
