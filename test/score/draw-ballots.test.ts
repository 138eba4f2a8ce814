import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeliveredPair } from '../../src/record/delivered-pairs.ts';
import { drawBallots, mirrorsOf } from '../../src/score/draw-ballots.ts';

const SEED = 'ab'.repeat(32);

function pairsOf(prompts: number, seeds: number, isIdentical: (at: number) => boolean = () => false) {
  return Array.from({ length: prompts * seeds }, (_, at): DeliveredPair => {
    const prompt = { id: `p${at % prompts}`, text: 'A fox', tags: [], kinds: [], media: [], inputs: {} };
    const seed = Math.floor(at / prompts);
    const side = (variant: string) => ({ variant, sha256: `${variant} ${at}`, digest: `${variant} ${at}` });
    const block = `block ${at}`;
    const [candidate, baseline] = [side('fast'), side('standard')];
    return { prompt, kind: 'text-to-image', seed, block, candidate, baseline, identical: isIdentical(at) };
  });
}

const arbitraryDraw = fc.record({
  prompts: fc.integer({ min: 1, max: 8 }),
  seeds: fc.integer({ min: 1, max: 8 }),
  most: fc.integer({ min: 1, max: 50 }),
  seed: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((number) => number.toString(16).padStart(64, '0')),
});

describe('drawn ballots', () => {
  it('drawn ballots are equal for equal seeds, and others for another seed', () => {
    const draw = (seed: string) => drawBallots(pairsOf(4, 4), { seed, most: 10, scored: false });
    expect(draw(SEED)).toEqual(draw(SEED));
    expect(draw('cd'.repeat(32))).not.toEqual(draw(SEED));
  });

  it('drawn ballots have balanced sides, an exact tenth mirrored, and every prompt before a second seed of one', () => {
    fc.assert(
      fc.property(arbitraryDraw, ({ prompts, seeds, most, seed }) => {
        const ballots = drawBallots(pairsOf(prompts, seeds), { seed, most, scored: false });
        const first = ballots.filter(({ mirrors }) => mirrors === null);
        const mirrored = ballots.filter(({ mirrors }) => mirrors !== null);
        expect(first).toHaveLength(Math.min(most, prompts * seeds));
        expect(new Set(first.map(({ block }) => block)).size).toBe(first.length);
        const onLeft = first.filter(({ left }) => left.variant === 'fast').length;
        expect(Math.abs(2 * onLeft - first.length)).toBeLessThanOrEqual(1);
        const counts = Array.from(
          { length: prompts },
          (_, at) => first.filter(({ prompt }) => prompt === `p${at}`).length,
        );
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        expect(mirrored).toHaveLength(mirrorsOf(first.length));
        for (const mirror of mirrored) {
          const original = first.find(({ ballot }) => ballot === mirror.mirrors);
          expect([mirror.left, mirror.right]).toEqual([original?.right, original?.left]);
          expect(ballots.indexOf(mirror)).toBeGreaterThanOrEqual(first.length);
        }
        expect(new Set(ballots.map(({ ballot }) => ballot)).size).toBe(ballots.length);
        for (const { ballot } of ballots) expect(ballot).toMatch(/^[0-9a-f]{32}$/);
      }),
    );
  });

  it('drawn ballots of 40 pairs show 4 again, of 20 pairs 3, of 2 pairs 2', () => {
    expect([40, 20, 2].map(mirrorsOf)).toEqual([4, 3, 2]);
  });

  it('identical pairs count in no number of pairs, and stay as a tie among those before the last', () => {
    const ballots = drawBallots(
      pairsOf(10, 4, (at) => at % 2 === 0),
      { seed: SEED, most: 10, scored: true },
    );
    const first = ballots.filter(({ mirrors }) => mirrors === null);
    const isIdentical = ({ block }: { readonly block: string }) => Number(block.slice('block '.length)) % 2 === 0;
    expect(first.filter((ballot) => !isIdentical(ballot))).toHaveLength(10);
    expect(first.filter(isIdentical).length).toBeGreaterThan(0);
    expect(ballots.filter(({ mirrors }) => mirrors !== null).some(isIdentical)).toBe(false);
    expect(ballots.every(({ scored }) => scored)).toBe(true);
  });
});
