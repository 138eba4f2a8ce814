import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Examiners } from '../../src/examine/examiners.ts';
import type { OutputFiles, ShowHow } from '../../src/examine/show-output.ts';
import { decodeImage } from '../../src/media/decode.ts';
import { decodeVideo, VIDEO_LIMITS } from '../../src/media/decode-video.ts';
import { openVideoSequence } from '../../src/media/difference-of.ts';
import { loadLibav } from '../../src/media/libav.ts';
import type { Pixels } from '../../src/media/pixels.ts';
import { integrityOf } from '../../src/media/signals/blank.ts';
import type { OutputFact } from '../../src/record/fact.ts';
import { keeperOfMedia } from '../../src/record/output-files.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { goldenVideo } from '../fixtures/golden-video.ts';
import { NO_NODE_AV } from '../fixtures/no-node-av.ts';
import { rawPng } from '../fixtures/plain-png.ts';

/** Child processes start from the built files. */
const BUILT = new URL('../../dist/examine/examiners.js', import.meta.url).href;
const { openExaminers }: typeof import('../../src/examine/examiners.ts') = await import(BUILT);

let examiners: Examiners;
beforeAll(() => {
  const timeLimitMs = { image: 60_000, video: 60_000 };
  examiners = openExaminers({ workers: 1, timeLimitMs, signal: new AbortController().signal });
});
afterAll(() => examiners.close());

const PLAIN: Omit<ShowHow, 'to'> = { frames: 8, worsening: null, original: false };

interface Shown extends OutputFiles {
  readonly fact: OutputFact;
  /** The folder of its files. */
  readonly to: string;
}

/** What is shown of an output with these bytes. */
async function show(bytes: Uint8Array, extension: string, how: Partial<ShowHow> = {}): Promise<Shown> {
  const folder = freshFolder();
  const sha256 = keeperOfMedia(folder)(bytes, extension);
  const mime = extension === 'mp4' ? 'video/mp4' : `image/${extension}`;
  const fact = await examiners.examine(folder, { sha256, bytes: bytes.length, mime });
  if (fact === null) throw new Error('it was not examined');
  const to = freshFolder();
  const shown = await examiners.show(folder, fact, { ...PLAIN, to, ...how });
  if (shown === null || !('images' in shown)) throw new Error(`it is not shown: ${JSON.stringify(shown)}`);
  return { ...shown, fact, to };
}

async function pixelsOf(path: string): Promise<Pixels> {
  const decoding = await decodeImage(readFileSync(path));
  if (decoding.ok !== true) throw new Error('it does not decode');
  return decoding.image.frames[0].pixels;
}

function chunksOf(png: Buffer): readonly string[] {
  const names: string[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) names.push(png.toString('latin1', at + 4, at + 8));
  return [...new Set(names)];
}

/** Noise, so that every pixel and each turn of it can be told apart. */
function noise(channels: 3 | 4): Buffer {
  return Buffer.from(Uint8Array.from({ length: 64 * 48 * channels }, (_, at) => (at * 7919 + (at >> 3) * 31) % 256));
}

const raw = (channels: 3 | 4) => sharp(noise(channels), { raw: { width: 64, height: 48, channels } });

describe('an image for a program', () => {
  it.each([3, 4] as const)(
    'an image for a program has the pixels that were measured: %i channels',
    async (channels) => {
      const { fact, images } = await show(await raw(channels).webp({ lossless: true }).toBuffer(), 'webp');
      const [path = ''] = images;
      const decoding = await decodeImage(readFileSync(path));
      expect(images).toHaveLength(1);
      expect(
        fact.decodes === true && decoding.ok === true && decoding.image.pixelSha256 === fact.shown.pixelSha256,
      ).toBe(true);
    },
  );

  it('an image for a program is upright and has no metadata, and its name says nothing', async () => {
    const turned = await raw(3).jpeg({ quality: 95 }).withMetadata({ orientation: 6 }).toBuffer();
    const { images, to, original } = await show(turned, 'jpeg');
    const [path = ''] = images;
    // The resolution tells a copy from its output.
    expect(chunksOf(readFileSync(path))).toEqual(['IHDR', 'IDAT', 'IEND']);
    expect(await sharp(path).metadata()).toMatchObject({ width: 48, height: 64, depth: 'uchar', space: 'srgb' });
    expect(basename(path)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.png$/);
    expect(readdirSync(to)).toEqual([basename(path)]);
    expect(original).toBe(null);
  });

  it('an image for a program has 8 bits where it came with 16', async () => {
    const samples = Uint16Array.from({ length: 64 * 48 * 3 }, (_, at) => (at * 7919) % 65_536);
    const png = await sharp(samples, { raw: { width: 64, height: 48, channels: 3 } })
      .toColourspace('rgb16')
      .png()
      .toBuffer();
    const { images } = await show(png, 'png');
    const { depth, data } = await pixelsOf(images[0] ?? '');
    const decoding = await decodeImage(png);
    if (decoding.ok !== true) throw new Error('it does not decode');
    const { data: deep, depth: was } = decoding.image.frames[0].pixels;
    expect([was, depth]).toEqual([16, 8]);
    expect([...data]).toEqual([...deep].map((sample) => Math.floor((sample + 128) / 257)));
  });

  it('an image for a program comes with its file where that is asked for', async () => {
    const webp = await raw(3).webp().toBuffer();
    const { images, original, to } = await show(webp, 'webp', { original: true });
    expect(readFileSync(original ?? '').equals(webp)).toBe(true);
    expect(readdirSync(to).sort()).toEqual([...images, original ?? ''].map((path) => basename(path)).sort());
    expect(basename(original ?? '')).toMatch(/^[0-9a-f-]{36}\.webp$/);
  });

  it('a worse copy of an image has less detail, and the file of a JPEG is that JPEG', async () => {
    const png = await raw(3).png().toBuffer();
    const plain = await show(png, 'png', { original: true });
    const blurred = await show(png, 'png', { worsening: 'blurred', original: true });
    const jpeg = await show(png, 'png', { worsening: 'jpeg', original: true });
    const sharpness = async ({ images }: Shown) => integrityOf(await pixelsOf(images[0] ?? '')).sharpness;
    expect(await sharpness(blurred)).toBeLessThan(await sharpness(plain));
    expect(await sharpness(jpeg)).not.toBe(await sharpness(plain));
    expect(readFileSync(blurred.original ?? '').equals(readFileSync(blurred.images[0] ?? ''))).toBe(true);
    expect((await sharp(jpeg.original ?? '').metadata()).format).toBe('jpeg');
    expect((await pixelsOf(jpeg.original ?? '')).data).toEqual((await pixelsOf(jpeg.images[0] ?? '')).data);
  });

  it('a blur is as wide as 6 pixels of 1,024', async () => {
    // The steps of a blurred edge are the bell of the blur.
    const edge = Buffer.alloc(1024 * 9 * 3);
    for (let row = 0; row < 9; row += 1) edge.fill(255, (row * 1024 + 512) * 3, (row + 1) * 1024 * 3);
    const png = await rawPng(edge, 1024, 9);
    const { images } = await show(png, 'png', { worsening: 'blurred' });
    const { data } = await pixelsOf(images[0] ?? '');
    const level = (column: number) => data[(4 * 1024 + column) * 3] ?? 0;
    let squares = 0;
    for (let column = 1; column < 1024; column += 1) {
      squares += (level(column) - level(column - 1)) * (column - 512) * (column - 512);
    }
    expect(Math.abs(Math.sqrt(squares / 255) - 6)).toBeLessThan(0.1);
  });

  it('a video for a program is frames in the middle of equal parts of its time', async () => {
    const bytes = goldenVideo('plain.mp4');
    const { images } = await show(bytes, 'mp4', { frames: 6 });
    const loaded = await loadLibav();
    if (!loaded.ok) throw new Error('no decoder');
    const { sequence, close } = openVideoSequence(loaded.libav, bytes, 'video/mp4', { frames: 24, fps: 24 });
    const frames = [...sequence.frames].map(({ pixels }) => Buffer.from(pixels.data));
    close();
    const shown = await Promise.all(images.map(pixelsOf));
    const numbers = shown.map(({ data }) => frames.findIndex((frame) => frame.equals(Buffer.from(data))));
    expect(numbers).toEqual([2, 6, 10, 14, 18, 22]);
  });

  it('an animation for a program is frames too', async () => {
    const pages = Buffer.concat([0, 80, 160, 240].map((grey) => Buffer.alloc(64 * 48 * 3, grey)));
    const raws = { raw: { width: 64, height: 48 * 4, channels: 3, pageHeight: 48 } } as const;
    const webp = await sharp(pages, raws)
      .webp({ lossless: true, delay: [100, 100, 100, 100] })
      .toBuffer();
    const { images } = await show(webp, 'webp', { frames: 4 });
    const shown = await Promise.all(images.map(pixelsOf));
    expect(shown.map(({ data }) => data[0])).toEqual([0, 80, 160, 240]);
  });

  it('an output whose media have gone is not shown', async () => {
    const folder = freshFolder();
    const png = await raw(3).png().toBuffer();
    const sha256 = keeperOfMedia(folder)(png, 'png');
    const fact = await examiners.examine(folder, { sha256, bytes: png.length, mime: 'image/png' });
    rmSync(join(folder, 'media'), { recursive: true });
    if (fact === null) throw new Error('it was not examined');
    expect(await examiners.show(folder, fact, { ...PLAIN, to: freshFolder() })).toEqual({ code: 'media_missing' });
  });
});

describe.skipIf(NO_NODE_AV)('a video for somebody who votes', () => {
  const SHAPE = { width: 120, height: 80, fps: 20, frames: 40 };
  const decoded = async ({ video: path, images, to }: Shown) => {
    expect([images, readdirSync(to)]).toEqual([[], [basename(path ?? '')]]);
    const bytes = readFileSync(path ?? '');
    const frames: Pixels[] = [];
    const decoding = await decodeVideo(bytes, 'video/mp4', VIDEO_LIMITS, ({ pixels }) => frames.push(pixels));
    if (decoding.ok !== true) throw new Error('it does not decode');
    return { bytes, frames, video: decoding.video };
  };

  it.each(['plain.mp4', 'turned.mp4', 'odd.mp4'])(
    'a video for somebody who votes has the shape that was asked for, without sound, and always the same bytes: %s',
    async (file) => {
      const { bytes, video } = await decoded(await show(goldenVideo(file), 'mp4', { video: SHAPE }));
      expect(video).toMatchObject({ width: 120, height: 80, fps: 20, durationS: 2, codec: 'h264' });
      expect(video.frames).toBe(40);
      const text = bytes.toString('latin1');
      expect(text.match(/trak/g)).toEqual(['trak']);
      expect(text).not.toMatch(/Lavf|Lavc|soun/);
      const again = await decoded(await show(goldenVideo(file), 'mp4', { video: SHAPE }));
      expect(again.bytes.equals(bytes)).toBe(true);
    },
  );

  it('a video for somebody who votes looks like the output, and stands still where that has ended', async () => {
    const shape = { width: 160, height: 90, fps: 24, frames: 36 };
    const { frames } = await decoded(await show(goldenVideo('plain.mp4'), 'mp4', { video: shape }));
    const source: Pixels[] = [];
    await decodeVideo(goldenVideo('plain.mp4'), 'video/mp4', VIDEO_LIMITS, ({ pixels }) => source.push(pixels));
    expect([frames.length, source.length]).toEqual([36, 24]);
    for (const at of [0, 11, 23]) expect(meanDifference(frames[at], source[at])).toBeLessThan(5);
    expect(meanDifference(frames[11], source[23])).toBeGreaterThan(8);
    expect(meanDifference(frames[35], source[23])).toBeLessThan(5);
  });

  it('an image of almost the shape of its box fills it, and another has nothing beside it', async () => {
    const white = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: 'white' } })
        .png()
        .toBuffer();
    const columnOf = async (width: number) => {
      const { images } = await show(await white(width, 100), 'png', { box: { width: 100, height: 100 } });
      const { data, info } = await sharp(images[0] ?? '')
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      return data[50 * info.width * 4 + 3];
    };
    expect(await columnOf(99)).toBe(255);
    expect(await columnOf(80)).toBe(0);
  });
});

function meanDifference(one: Pixels | undefined, other: Pixels | undefined): number {
  const [a, b] = [one?.data ?? [], other?.data ?? []];
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0));
  return a.length === b.length ? sum / a.length : Number.POSITIVE_INFINITY;
}
