import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodePicture } from '../../src/media/decode.ts';

async function noisyPng(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3, 0).map((_, at) => (at * 2654435761) >>> 24);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

describe('decodePicture', () => {
  it('gives size, frames and a thumbnail that fits the side', async () => {
    const decoding = await decodePicture(await noisyPng(600, 300));
    if (!decoding.ok) throw new Error(decoding.reason);
    expect(decoding.picture).toEqual({ width: 600, height: 300, frames: 1 });
    const thumbnail = await sharp(decoding.thumbnail).metadata();
    expect([thumbnail.format, thumbnail.width, thumbnail.height]).toEqual(['webp', 256, 128]);
  });

  it('reports the size as shown, after the declared orientation', async () => {
    const turned = await sharp(await noisyPng(40, 20))
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const decoding = await decodePicture(turned);
    expect(decoding).toMatchObject({ ok: true, picture: { width: 20, height: 40 } });
  });

  it('counts the frames of an animation', async () => {
    const frame = (grey: number) =>
      sharp({ create: { width: 16, height: 16, channels: 3, background: { r: grey, g: grey, b: grey } } })
        .png()
        .toBuffer();
    const animation = await sharp([await frame(10), await frame(120), await frame(240)], { join: { animated: true } })
      .gif()
      .toBuffer();
    expect(await decodePicture(animation)).toMatchObject({ ok: true, picture: { width: 16, height: 16, frames: 3 } });
  });

  it('finds a picture that is cut off in its middle, wherever', async () => {
    const whole = await noisyPng(200, 200);
    for (const share of [0.1, 0.5, 0.9]) {
      const decoding = await decodePicture(whole.subarray(0, Math.floor(whole.length * share)));
      expect(decoding.ok).toBe(false);
    }
    const jpeg = await sharp(whole).jpeg().toBuffer();
    expect((await decodePicture(jpeg.subarray(0, jpeg.length / 2))).ok).toBe(false);
  });

  it('refuses a header that declares more pixels than it will allocate', async () => {
    const header = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    header.writeUInt32BE(60_000, 16);
    header.writeUInt32BE(60_000, 20);
    const decoding = await decodePicture(header);
    expect(decoding.ok).toBe(false);
  });

  it('gives a reason for bytes that are no picture', async () => {
    for (const bytes of [new Uint8Array(0), Buffer.from('<html>'), Buffer.alloc(1000, 7)]) {
      const decoding = await decodePicture(bytes);
      expect(decoding.ok ? '' : decoding.reason).toMatch(/\S/);
    }
  });
});
