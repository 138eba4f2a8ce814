import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { drawScene, SCENES } from '../../../src/service/scene/scene.ts';
import { readTraits } from '../../../src/service/scene/traits.ts';

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

test('any prompt becomes a drawing that a renderer accepts, with nothing of the prompt in it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      styles,
      fc.nat(SCENES - 1),
      async (prompt, style, i) => {
        const svg = drawScene(`${prompt}<script>&"]]>`, style, size, i);
        expect(svg).not.toContain('script');
        expect(svg).not.toMatch(/NaN|undefined|Infinity/);
        const { info } = await sharp(Buffer.from(svg)).raw().toBuffer({ resolveWithObject: true });
        expect(info).toMatchObject(size);
      },
    ),
    { numRuns: 60 },
  );
});

const WORDS = 'fox cat lighthouse boat hills sea desert snow meadow clouds';

test.each(WORDS.split(' '))('the subject %s can be drawn in both styles, and is seen', async (word) => {
  for (const style of ['realistic', 'anime'] as const) {
    const svg = drawScene(`${word} by day`, style, size, 1);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    const { channels } = await sharp(Buffer.from(svg)).removeAlpha().stats();
    expect(Math.max(...channels.map((channel) => channel.stdev))).toBeGreaterThan(12);
  }
});

describe('a scene in motion', () => {
  test.each(WORDS.split(' '))('a scene with %s moves within a tenth of a second, in both styles', async (word) => {
    for (const style of ['realistic', 'anime'] as const) {
      const [now, soon] = await Promise.all(
        [0.5, 0.6].map(async (time) => {
          const svg = drawScene(`${word} by day`, style, size, 1, time);
          expect(svg).not.toMatch(/NaN|undefined|Infinity/);
          return sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer();
        }),
      );
      expect(now?.equals(soon ?? Buffer.alloc(0))).toBe(false);
    }
  });

  test('any prompt at any time is a drawing that a renderer accepts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string(),
        styles,
        fc.double({ min: 0, max: 10, noNaN: true }),
        async (prompt, style, time) => {
          const svg = drawScene(prompt, style, size, 0, time);
          expect(svg).not.toMatch(/NaN|undefined|Infinity/);
          const { info } = await sharp(Buffer.from(svg)).raw().toBuffer({ resolveWithObject: true });
          expect(info).toMatchObject(size);
        },
      ),
      { numRuns: 30 },
    );
  });
});
