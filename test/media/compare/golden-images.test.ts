import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { maxDifference, psnr } from '../../../src/media/compare/psnr.ts';
import { fromAfar, ssim } from '../../../src/media/compare/ssim.ts';
import { pdq, pdqDistance } from '../../../src/media/pdq.ts';
import { lumaOf } from '../../../src/media/pixels.ts';
import { FILES, goldenFile, goldenImages, PAIRS, paintPair } from '../../fixtures/golden-images.ts';
import { NIGHTLY } from '../../test-options.ts';

const golden = goldenImages();

/** The two that take longest to paint in the long form alone: others are as large, and have noise. */
const PAINTED = PAIRS.filter(
  ({ painting, change }) => NIGHTLY || change.kind !== 'noise' || painting.width * painting.height < 700_000,
);

describe('agreement with SciPy and with Meta’s program', () => {
  it('the golden images have vectors for every pair and file', () => {
    expect(golden.files.map(({ file }) => file)).toEqual(FILES.map(({ file }) => file));
    expect(golden.pairs.map(({ name }) => name)).toEqual(PAIRS.map(({ name }) => name));
    expect(new Set(PAIRS.map(({ name }) => name)).size).toBe(PAIRS.length);
    expect(PAIRS.length).toBeGreaterThanOrEqual(30);
  });

  it.each(PAINTED)('the golden distances hold for $name', (pair) => {
    const expected = golden.pairs.find(({ name }) => name === pair.name);
    if (expected === undefined) throw new Error('no vector');
    const [a, b] = paintPair(pair);
    const digest = ({ data }: typeof a) =>
      createHash('sha256')
        .update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
        .digest('hex');
    expect([digest(a), digest(b)], 'the images are those of the vectors').toEqual(expected.sha256);

    if (expected.psnr === null) expect(psnr(a, b)).toBe(Number.POSITIVE_INFINITY);
    else expect(Math.abs(psnr(a, b) - expected.psnr)).toBeLessThan(1e-6);
    expect(maxDifference(a, b)).toBeCloseTo(expected.max, 12);

    const [x, y] = [lumaOf(a), lumaOf(b)];
    expect(Math.abs(ssim(x, y) - expected.ssim)).toBeLessThan(1e-6);
    expect(Math.abs(ssim(fromAfar(x), fromAfar(y)) - expected.ssimDownsampled)).toBeLessThan(1e-6);

    for (const [at, luma] of [x, y].entries()) {
      // To the last bit: single precision is followed step by step.
      expect(pdq(luma)).toEqual(expected.pdq[at]);
    }
  });

  it('PDQ is a few bits from what Meta’s program for files says of large images, which takes nearest pixels first', () => {
    const distances = golden.pairs.flatMap(({ name, pdq, pdqOfFile }) =>
      pdq.map(({ hash }, at) => {
        const ofFile = pdqOfFile?.[at];
        return { name, distance: ofFile === undefined ? null : pdqDistance(hash, ofFile.hash) };
      }),
    );
    const far = distances.filter(({ distance }) => distance !== null && distance > 6);
    expect(distances.filter(({ distance }) => distance !== null)).toHaveLength(14);
    // Noise that every tenth pixel of carries in full; and stripes, whose hash is rounding.
    expect(far.map(({ name }) => name.replace(/:.*/, ''))).toEqual([
      'shapes 100 x 1000',
      'stripes 641 x 480',
      'stripes 641 x 480',
    ]);
  });

  it('the golden distances hold for files that other decoders decoded', async () => {
    let good = 0;
    for (const { file, width, height, pdq: others } of golden.files) {
      const data = await sharp(goldenFile(file)).toColourspace('srgb').removeAlpha().raw().toBuffer();
      const { hash, quality } = pdq(lumaOf({ width, height, channels: 3, depth: 8, data }));
      for (const expected of others) {
        if (expected.quality < 80) continue;
        good += 1;
        expect(pdqDistance(hash, expected.hash), file).toBeLessThanOrEqual(10);
        expect(Math.abs(quality - expected.quality), file).toBeLessThanOrEqual(2);
      }
    }
    expect(good).toBeGreaterThanOrEqual(12);
  });
});
