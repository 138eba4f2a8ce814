import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { copyOf, decodeImage, thumbnailOf } from '../../../src/media/decode.ts';
import { decodeVideo } from '../../../src/media/decode-video.ts';
import { openVideoSequence } from '../../../src/media/difference-of.ts';
import { loadLibav } from '../../../src/media/libav.ts';
import { fitUpload } from '../../../src/service/forms/video-form.ts';
import { openVideoEncoder } from '../../../src/service/rendering/encode-video.ts';
import { encodePng } from '../../../src/service/rendering/image.ts';
import { drawScene } from '../../../src/service/scene/scene.ts';
import { createRandom } from '../../../src/statistics/random.ts';
import { paint } from '../../fixtures/painted-images.ts';

/** In pixels; both even. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A digest of one result of native code, and the name of that result: all digests under one name have to be equal. */
export type NamedDigest = readonly [name: string, digest: string];

/** What the calls have in common: the input of each follows from the size alone. */
export type NativeCall = (size: Size) => Promise<readonly NamedDigest[]>;

/** Frames of a video: enough for x264 to look ahead and to choose among its kinds of frames. */
const FRAMES = 12;
const RATE = 24;

/** The instruction sets that x264 is limited to, beside all that the processor has. */
const INSTRUCTIONS = process.arch === 'x64' ? ['avx2', 'sse2', '0'] : [];

/** The native calls whose results are said to be the same for the same input. */
export const NATIVE_CALLS = {
  'service video': async (size) => [['MP4', digest(await videoOf(size))]],
  'service video by instructions': async (size) =>
    Promise.all(
      [null, ...INSTRUCTIONS].map(async (each): Promise<NamedDigest> => ['MP4', digest(await videoOf(size, each))]),
    ),
  'service image': async (size) => [
    [
      'scene',
      digest(
        await sharp(Buffer.from(drawScene('a fox at dusk', 'realistic', size, 1)))
          .raw()
          .toBuffer(),
      ),
    ],
    ['PNG', digest(await encodePng({ ...size, rgb: bytesOf(rgbOf(size)) }))],
    ['thumbnail', digest(await sharp(rgbOf(size), rawRgb(size)).webp({ quality: 80 }).toBuffer())],
  ],
  'service upload': async (size) => {
    const files = { png: await pngOf(size), jpeg: await sharp(rgbOf(size), rawRgb(size)).jpeg().toBuffer() };
    const fitted = async (bytes: Buffer) => digest((await fitUpload(bytes, '16:9')).rgb);
    return [
      ['PNG', await fitted(files.png)],
      ['JPEG', await fitted(files.jpeg)],
    ];
  },
  'decoded video': async (size) => decodedVideo(await videoOf(size), 'video/mp4'),
  'decoded VP9': async () =>
    decodedVideo(readFileSync(new URL('../../../../../../test/golden/video/vp9.webm', import.meta.url)), 'video/webm'),
  'decoded frames': async (size) => [['pixels', await framesDigest(await videoOf(size))]],
  'decoded images': async (size) => {
    const open = () => sharp(rgbOf(size), rawRgb(size));
    const files = {
      PNG: await pngOf(size),
      JPEG: await open().jpeg({ quality: 85 }).toBuffer(),
      'progressive JPEG': await open().jpeg({ quality: 60, progressive: true }).toBuffer(),
      'JPEG in P3': await open().withIccProfile('p3').jpeg().toBuffer(),
      WebP: await open().webp({ quality: 80 }).toBuffer(),
      AVIF: await open().avif({ effort: 1 }).toBuffer(),
      GIF: await open().gif().toBuffer(),
      'deep PNG': await open().toColourspace('rgb16').png().toBuffer(),
    };
    return (
      await Promise.all(
        Object.entries(files).map(async ([name, bytes]): Promise<readonly NamedDigest[]> => {
          const decoding = await decodeImage(bytes);
          if (!decoding.ok) throw new Error(`${name} does not decode: ${decoding.reason.code}`);
          const { pixelSha256, frames } = decoding.image;
          return [
            [`${name} pixels`, pixelSha256],
            [`${name} thumbnail`, digest(await thumbnailOf(frames[0].pixels))],
            [`${name} copy`, digest((await copyOf(frames[0].pixels)) ?? new Uint8Array())],
          ];
        }),
      )
    ).flat();
  },
} as const satisfies Readonly<Record<string, NativeCall>>;

export type NativeCallName = keyof typeof NATIVE_CALLS;

function digest(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

function bytesOf(rgb: Uint8Array | Uint16Array): Uint8Array {
  if (rgb instanceof Uint8Array) return rgb;
  throw new Error('the painting has 16 bits');
}

/** What `make` gives for a size, made once. */
function perSize<T>(make: (size: Size) => T): (size: Size) => T {
  const made = new Map<string, T>();
  return (size) => {
    const key = `${size.width} ${size.height}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(size);
    made.set(key, fresh);
    return fresh;
  };
}

const rgbOf = perSize(({ width, height }) => bytesOf(paint({ texture: 'fractal', width, height, seed: 5 }).data));

function rawRgb({ width, height }: Size) {
  return { raw: { width, height, channels: 3 } } as const;
}

function pngOf(size: Size): Promise<Buffer> {
  return sharp(rgbOf(size), rawRgb(size)).png().toBuffer();
}

/** Gradients with a grain that move: the planes Y, Cb and Cr of each frame. */
const framesOf = perSize(({ width, height }): readonly Buffer[] =>
  Array.from({ length: FRAMES }, (_, number) => {
    const planes = Buffer.alloc((width * height * 3) / 2);
    const { below } = createRandom(number % 5);
    for (let at = 0; at < width * height; at += 1) {
      const [x, y] = [at % width, Math.floor(at / width)];
      planes[at] = 16 + ((3 * x + 2 * y + 5 * number) % 150) + (((x + number) >> 4) % 2) * 40 + below(12);
    }
    for (let at = width * height; at < planes.length; at += 1) planes[at] = 100 + ((at + 2 * number) % 50);
    return planes;
  }),
);

async function videoOf(size: Size, instructions: string | null = null): Promise<Buffer> {
  const encoder = await openVideoEncoder(instructions);
  if (encoder === null) throw new Error('node-av has no libx264');
  return encoder.encode(framesOf(size), size, RATE);
}

async function decodedVideo(bytes: Uint8Array, mime: string): Promise<readonly NamedDigest[]> {
  const decoding = await decodeVideo(bytes, mime);
  if (decoding.ok !== true) throw new Error(`a video does not decode: ${decoding.reason.code}`);
  const { video, poster, preview } = decoding;
  if (preview === null) throw new Error('a video has no preview');
  return [
    ['pixels', video.pixelSha256],
    ['signals', digest(JSON.stringify(video))],
    ['poster', digest(poster)],
    ['preview', digest(preview)],
  ];
}

async function framesDigest(bytes: Uint8Array): Promise<string> {
  const loaded = await loadLibav();
  if (!loaded.ok) throw new Error(loaded.reason.code);
  const { sequence, close } = openVideoSequence(loaded.libav, bytes, 'video/mp4', { frames: FRAMES, fps: RATE });
  const all = createHash('sha256');
  for (const { pixels } of sequence.frames) all.update(pixels.data);
  close();
  return all.digest('hex').slice(0, 16);
}
