import { describe, expect, it } from 'vitest';
import { openVideoEncoder } from '../../../src/service/rendering/encode-video.ts';
import { NO_FFMPEG } from '../../fixtures/ffmpeg.ts';
import { NIGHTLY } from '../../test-options.ts';
import { clipPairs } from './clips.ts';
import { pairsOfSets } from './image-pairs.ts';
import type { KnownPair } from './known-pairs.ts';
import { CHOSEN_ON, faintSets, type PromptSet, paintedSets, plainSets, renderedSets } from './originals.ts';
import { counted, ERRORS, wordOf } from './tables.ts';

/*
 * The words of likeness on pairs of which is known what people would say: painted images, or, in the long form, more
 * than 2,000 pairs of images of the reference service, and clips.
 */

const NO_CLIPS = NIGHTLY ? NO_FFMPEG : 'only in the long form';

/** The share of each kind of error among pairs that nobody disputes, and the pairs that err. */
function errorsOf(pairs: readonly KnownPair[]) {
  return ERRORS.map(({ name, truth, isError }) => {
    const { errors, n } = counted(pairs, truth, (pair) => isError(wordOf(pair)));
    return { name, share: n === 0 ? 0 : errors / n };
  });
}

const withinTwoPercent = ERRORS.map(({ name }) => ({ name, share: expect.toSatisfy((share) => share <= 0.02) }));

describe('the words of likeness', () => {
  it('the words of likeness err on at most 2 % of the pairs of usual, faint and plain images', async () => {
    const sets: PromptSet[] = NIGHTLY ? [...paintedSets(4)] : [...paintedSets(1)].slice(1, 3);
    if (NIGHTLY) for await (const set of renderedSets(CHOSEN_ON.slice(0, 4), 3)) sets.push(set);
    const pairs = await pairsOfSets(sets);
    expect(pairs.length).toBeGreaterThanOrEqual(NIGHTLY ? 2000 : 80);
    expect(errorsOf(pairs)).toEqual(withinTwoPercent);
    for (const rare of [faintSets(sets), plainSets()]) {
      expect(errorsOf(await pairsOfSets(NIGHTLY ? rare : rare.slice(-1)))).toEqual(withinTwoPercent);
    }
  });

  it.skipIf(NO_CLIPS !== null)(
    `the words of likeness err on at most 2 % of the pairs of clips${NO_CLIPS === null ? '' : `: ${NO_CLIPS}`}`,
    async () => {
      const encoder = await openVideoEncoder();
      if (encoder === null) throw new Error('no video encoder');
      const pairs: KnownPair[] = [];
      for await (const pair of clipPairs(encoder, 3, 2)) pairs.push(pair);
      expect(pairs.length).toBeGreaterThanOrEqual(100);
      expect(errorsOf(pairs)).toEqual(withinTwoPercent);
    },
  );
});
