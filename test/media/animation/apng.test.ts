import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { decodeImage } from '../../../src/media/decode.ts';
import type { Pixels } from '../../../src/media/pixels.ts';
import { withAlpha } from '../../fixtures/constructed/edited-pixels.ts';
import { pngChunk, type WrittenFrame, writeApng, writePng } from '../../fixtures/constructed/png-writer.ts';
import { ffmpeg, NO_FFMPEG } from '../../fixtures/ffmpeg.ts';
import { paint } from '../../fixtures/painted-images.ts';

const image = (seed: number, width = 40, height = 30): Pixels => paint({ texture: 'shapes', width, height, seed });
const clear = (seed: number, width = 40, height = 30): Pixels =>
  withAlpha(image(seed, width, height), (x, y) => [0, 255, 255, 90][(x + 3 * y) % 4] ?? 0);

async function decoded(bytes: Uint8Array) {
  const decoding = await decodeImage(bytes);
  if (!decoding.ok) throw new Error(decoding.reason.code);
  return decoding.image;
}

async function reasonOf(bytes: Uint8Array): Promise<unknown> {
  const decoding = await decodeImage(bytes);
  return decoding.ok ? 'decodes' : decoding.reason;
}

describe('an animated PNG', () => {
  test('an animated PNG is decoded to its last frame, with the time of each', async () => {
    const images = [image(1), image(2), image(3)];
    const animation = images.map((pixels, number) => ({ pixels, delayMs: [40, 0, 70][number] ?? 0 }));
    const { frames, width, height } = await decoded(writeApng(animation));
    expect([width, height]).toEqual([40, 30]);
    // A frame without a time is shown as long as browsers show it.
    expect(frames.map(({ atS }) => atS)).toEqual([0, 0.04, 0.14]);
    expect(
      frames.map(({ pixels }) => Buffer.from(pixels.data).equals(Buffer.from(images.shift()?.data ?? []))),
    ).toEqual([true, true, true]);
  });

  test('an animated PNG whose last frame differs has another digest of pixels', async () => {
    const digestOf = async (last: number) =>
      (await decoded(writeApng([{ pixels: image(1) }, { pixels: image(last) }]))).pixelSha256;
    expect(await digestOf(2)).not.toBe(await digestOf(3));
    expect(await digestOf(2)).toBe(await digestOf(2));
  });

  test('an animated PNG shows what a GIF of the same frames shows, by the digest of its pixels', async () => {
    const flat = [20, 200].map((grey) => ({ pixels: paint({ texture: 'plain', width: 12, height: 9, seed: grey }) }));
    const stills = await Promise.all(flat.map(({ pixels }) => writePng(pixels)));
    const webp = await sharp(stills, { join: { animated: true } })
      .webp({ lossless: true, delay: [100, 100] })
      .toBuffer();
    expect((await decoded(writeApng(flat))).pixelSha256).toBe((await decoded(webp)).pixelSha256);
  });

  test('an animated PNG leaves out a still image that is not a part of the animation', async () => {
    const frames = [{ pixels: image(1) }, { pixels: image(2) }];
    expect((await decoded(writeApng(frames, image(9)))).pixelSha256).toBe(
      (await decoded(writeApng(frames))).pixelSha256,
    );
  });

  test('an animated PNG of one frame is the still that it shows', async () => {
    expect((await decoded(writeApng([{ pixels: image(1) }]))).pixelSha256).toBe(
      (await decoded(writePng(image(1)))).pixelSha256,
    );
  });

  test.skipIf(NO_FFMPEG !== null)(
    'an animated PNG of parts, disposals and blends is drawn as FFmpeg draws it',
    async () => {
      const parts: readonly WrittenFrame[] = [
        { pixels: clear(1) },
        { pixels: clear(2, 20, 10), x: 7, y: 5, dispose: 2, blend: 0 },
        { pixels: clear(3, 15, 20), x: 20, y: 3, dispose: 1, blend: 1 },
        { pixels: clear(4, 30, 8), x: 3, y: 20, dispose: 0, blend: 1 },
        { pixels: clear(5, 9, 9), x: 0, y: 0, dispose: 0, blend: 0 },
      ];
      const file = writeApng(parts);
      const raw = ffmpeg(
        file,
        ['-f', 'apng'],
        ['-fps_mode', 'passthrough', '-f', 'rawvideo', '-pix_fmt', 'rgba'],
        'rgba',
      );
      const { frames } = await decoded(file);
      expect(frames.length).toBe(parts.length);
      for (const [number, { pixels }] of frames.entries()) {
        const expected = raw.subarray(number * 4800, (number + 1) * 4800);
        const far = pixels.data.filter((value, at) => {
          const isShown = (expected[at - (at % 4) + 3] ?? 0) > 0;
          // Programs round a mixture of two colours differently.
          return (isShown || at % 4 === 3) && Math.abs(value - (expected[at] ?? 0)) > 2;
        });
        expect([number, far.length]).toEqual([number, 0]);
      }
    },
  );

  test('an animated PNG that is damaged, or declares more than its limits, does not decode and says why', async () => {
    const whole = writeApng([{ pixels: image(1) }, { pixels: image(2) }]);
    const at = (type: string, from = 0) => whole.indexOf(type, from, 'latin1');
    const changed = (place: number) => {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8((bytes[place] ?? 0) ^ 1, place);
      return bytes;
    };
    expect(await reasonOf(changed(at('fdAT') + 30))).toEqual({
      code: 'not_decodable',
      detail: 'the checksum of a chunk fdAT is wrong',
    });
    const more = Buffer.from(whole);
    const control = Buffer.alloc(8);
    control.writeUInt32BE(3);
    pngChunk('acTL', control).copy(more, at('acTL') - 4);
    expect(await reasonOf(more)).toEqual({
      code: 'not_decodable',
      detail: 'the animation declares 3 frames and has 2',
    });
    control.writeUInt32BE(1_000_000);
    pngChunk('acTL', control).copy(more, at('acTL') - 4);
    expect(await reasonOf(more)).toEqual({ code: 'over_limit', detail: 'over the limit of 4096 frames' });
  });

  test('an animated PNG of 16 bits whose frames together take more than 256 MiB is refused before they are drawn', async () => {
    const dot: Pixels = { width: 1, height: 1, channels: 3, depth: 16, data: new Uint16Array(3) };
    const apng = writeApng(
      Array.from({ length: 3 }, () => ({ pixels: dot })),
      dot,
    );
    // Frames of one pixel, each shown on a canvas of 12 million.
    const header = Buffer.from(apng.subarray(16, 29));
    header.writeUInt32BE(4000, 0);
    header.writeUInt32BE(3000, 4);
    pngChunk('IHDR', header).copy(apng, 8);
    expect(await reasonOf(apng)).toEqual({
      code: 'over_limit',
      detail: `over the limit of ${2 ** 28} bytes of decoded frames`,
    });
  });
});
