import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ComparedOutput, compareOutputs, OutputMemory } from '../../src/examine/compare-outputs.ts';
import { decodeImage } from '../../src/media/decode.ts';
import { decodeVideo } from '../../src/media/decode-video.ts';
import { sniff } from '../../src/media/header.ts';
import { animated } from '../fixtures/constructed/image-pairs.ts';
import { writePng } from '../fixtures/constructed/png-writer.ts';
import { goldenVideo } from '../fixtures/golden-video.ts';
import { paint } from '../fixtures/painted-images.ts';

interface Stored {
  readonly bytes: Uint8Array;
  readonly output: ComparedOutput;
}

async function stored(bytes: Uint8Array, name: string): Promise<Stored> {
  const mime = sniff(bytes)?.mime ?? '';
  const known = { sha256: name, mime };
  if (mime.startsWith('video/')) {
    const decoding = await decodeVideo(bytes, mime);
    if (decoding.ok !== true) throw new Error(decoding.reason.code);
    const { width, height, frames, fps } = decoding.video;
    return { bytes, output: { ...known, width, height, frames, fps } };
  }
  const decoding = await decodeImage(bytes);
  if (!decoding.ok) throw new Error(decoding.reason.code);
  const { width, height, frames } = decoding.image;
  return { bytes, output: { ...known, width, height, frames: frames.length, fps: null } };
}

const still = (seed: number, width = 60, alpha = false) =>
  paint({ texture: 'fractal', width, height: 50, seed, alpha });
const moving = (seeds: readonly number[]) => animated(seeds.map((seed) => still(seed)));

const OUTPUTS = await Promise.all(
  [
    ...[still(1), still(2), still(3), still(1, 40), still(2, 60, true)].map((pixels) => writePng(pixels)),
    ...[
      [1, 2, 3],
      [1, 2, 4],
      [3, 2],
    ].map(moving),
    ...['odd.mp4', 'turned.mp4'].map(goldenVideo),
  ].map(async (bytes, at) => stored(await bytes, `output ${at}`)),
);

const compare = ([one, other]: readonly [Stored, Stored], memory: OutputMemory) =>
  compareOutputs(one.output, other.output, memory, async (sha256) => {
    const found = OUTPUTS.find(({ output }) => output.sha256 === sha256);
    if (found === undefined) throw new Error(`${sha256} is not stored`);
    return found.bytes;
  });

describe('compareOutputs', () => {
  it('compareOutputs gives the same difference whatever was compared before', async () => {
    const output = fc.constantFrom(...OUTPUTS);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(output, output), { minLength: 2, maxLength: 5 }), async (pairs) => {
        const memory = new OutputMemory();
        for (const pair of pairs) expect(await compare(pair, memory)).toEqual(await compare(pair, new OutputMemory()));
      }),
      { numRuns: 20 },
    );
  });
});

describe('OutputMemory', () => {
  it('OutputMemory keeps the outputs that were used last, up to 16 megapixels in all', () => {
    const memory = new OutputMemory();
    // Of each frame of 1000 x 1000 pixels counts a little more.
    const output = (sha256: string, frames: number): ComparedOutput => ({
      ...{ sha256, mime: 'image/png', width: 1000, height: 1000, frames, fps: null },
    });
    const keep = (name: string, frames: number) =>
      memory.keep(output(name, frames), { frames: [], count: frames, frameS: null });
    keep('baseline', 8);
    keep('small', 1);
    keep('other', 7);
    expect(memory.recall('baseline')?.count).toBe(8);
    keep('next', 2);
    expect(['baseline', 'small', 'other', 'next'].filter((name) => memory.recall(name) !== null)).toEqual([
      'baseline',
      'next',
    ]);
  });
});
