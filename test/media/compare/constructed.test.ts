import { describe, expect, it } from 'vitest';
import { type ConstructedPair, classify } from '../../fixtures/constructed/classify.ts';
import { imagePairs } from '../../fixtures/constructed/image-pairs.ts';
import { videoPairs } from '../../fixtures/constructed/video-pairs.ts';
import { NO_FFMPEG } from '../../fixtures/ffmpeg.ts';
import { NIGHTLY } from '../../test-options.ts';

/*
 * Pairs of files whose level and layer are known from how they were made, or measured by programs written from the
 * formulas alone: every third kind of one image and every eighth of one video, or, in the long form, more than 1,000
 * pairs of all kinds.
 */

const IMAGES = NIGHTLY ? 12 : 1;
const VIDEOS = NIGHTLY ? 4 : 1;

/** What is said of each pair beside what it is: those that disagree. */
async function errorsAmong(pairs: readonly ConstructedPair[]): Promise<readonly string[]> {
  const errors: string[] = [];
  for (const { kind, of, layer, build } of pairs) {
    const { a, b, levels } = await build();
    const found = await classify(a, b);
    if (levels.includes(found.level) && found.layer === layer) continue;
    errors.push(`${kind} (${of}): ${levels.join(' or ')} in ${layer}, not ${found.level} in ${found.layer}`);
  }
  return errors;
}

/** One in so many; of images those at the limits of levels. */
const sample = (pairs: readonly ConstructedPair[], first: number, every: number) =>
  NIGHTLY ? pairs : pairs.filter((_, at) => at % every === first);

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

describe('pairs whose level and layer are known', () => {
  it('pairs of images of every kind have their level and layer', async () => {
    const pairs = numbers(IMAGES).flatMap(imagePairs);
    expect(pairs.length).toBeGreaterThanOrEqual(90 * IMAGES);
    expect(await errorsAmong(sample(pairs, 1, 3))).toEqual([]);
  });

  it.skipIf(NO_FFMPEG !== null)(
    `pairs of videos of every kind have their level and layer${NO_FFMPEG === null ? '' : `: ${NO_FFMPEG}`}`,
    async () => {
      const pairs = numbers(VIDEOS).flatMap(videoPairs);
      expect(pairs.length).toBeGreaterThanOrEqual(35 * VIDEOS);
      expect(await errorsAmong(sample(pairs, 0, 8))).toEqual([]);
    },
  );
});
