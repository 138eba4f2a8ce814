import sharp from 'sharp';
import { type DecodedImage, decodeImage, findingsOf } from '../../media/decode.ts';
import { decodeVideo } from '../../media/decode-video.ts';
import { ssimFromAfar } from '../../media/difference-of.ts';
import { loadLibav } from '../../media/libav.ts';
import { lumaOf } from '../../media/pixels.ts';
import { previewOf } from '../../media/video-copies.ts';
import type { CalibrationMeasures } from '../../record/calibration.ts';
import { createRandom } from '../../statistics/random.ts';
import { type Effort, type SamplingEdge, timePart } from './sampling.ts';

/**
 * Times of examining an image, a video frame (as src/media does it), and the SSIM of two images, in this process. Null
 * when aborted; the frame is null without node-av.
 */
export async function timeDecoding(
  effort: Effort,
  edge: SamplingEdge,
): Promise<Pick<CalibrationMeasures, 'decodeImage' | 'decodeVideoFrame' | 'ssim'> | null> {
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const beganMs = edge.now();
    await work();
    return edge.now() - beganMs;
  };
  const png = await specimenImage();
  const image = await timePart(
    'decode an image',
    () => timed(async () => findingsOf(png, await decoded(png))),
    effort,
    edge,
  );
  const mp4 = await specimenVideo();
  const frame =
    mp4 === null
      ? null
      : await timePart(
          'decode a video frame',
          async () => (await timed(() => decodedFrames(mp4))) / VIDEO_FRAMES,
          effort,
          edge,
        );
  const luma = lumaOf((await decoded(png)).frames[0].pixels);
  const other = { ...luma, data: luma.data.map((value, at) => Math.max(0, value - (at % 3))) };
  const compare = () => timed(async () => ssimFromAfar(luma, other));
  const similarity = await timePart('compare two images', compare, effort, edge);
  return edge.signal.aborted ? null : { decodeImage: image, decodeVideoFrame: frame, ssim: similarity };
}

async function decoded(png: Uint8Array): Promise<DecodedImage> {
  const decoding = await decodeImage(png);
  if (!decoding.ok) throw new Error(`the specimen image does not decode: ${decoding.reason.code}`);
  return decoding.image;
}

async function decodedFrames(mp4: Uint8Array): Promise<void> {
  const decoding = await decodeVideo(mp4, 'video/mp4');
  if (decoding.ok !== true) throw new Error(`the specimen video does not decode: ${decoding.reason.code}`);
}

/* The same on every machine: gradients with grain, as flat colour decodes faster than photographs, noise slower. */

const IMAGE_SIDE = 1024;
const VIDEO_SIDE = 512;
const GRAIN = 12;
const RATE = 24;
const VIDEO_FRAMES = 12;

async function specimenImage(): Promise<Uint8Array> {
  const rgb = Buffer.alloc(3 * IMAGE_SIDE * IMAGE_SIDE);
  const { below } = createRandom(1);
  for (let y = 0, at = 0; y < IMAGE_SIDE; y += 1) {
    for (let x = 0; x < IMAGE_SIDE; x += 1, at += 3) {
      const grain = below(GRAIN);
      rgb[at] = Math.floor((240 * x) / IMAGE_SIDE) + grain;
      rgb[at + 1] = Math.floor((240 * y) / IMAGE_SIDE) + grain;
      rgb[at + 2] = Math.floor((120 * (x + y)) / IMAGE_SIDE) + grain;
    }
  }
  const raw = { width: IMAGE_SIDE, height: IMAGE_SIDE, channels: 3 } as const;
  return sharp(rgb, { raw }).png().toBuffer();
}

/** An MP4 of half a second with 512 x 512 pixels; null if node-av or its encoder is missing. */
async function specimenVideo(): Promise<Uint8Array | null> {
  const loaded = await loadLibav();
  if (!loaded.ok) return null;
  const { libav } = loaded;
  const side = VIDEO_SIDE;
  const maker = previewOf(libav, { width: side, height: side, fps: RATE, durationS: VIDEO_FRAMES / RATE });
  const timeBase = new libav.Rational(1, RATE);
  try {
    for (let index = 0; index < VIDEO_FRAMES; index += 1) {
      const shape = { width: side, height: side, format: libav.AV_PIX_FMT_YUV420P, pts: BigInt(index), timeBase };
      const frame = libav.Frame.fromVideoBuffer(planesOf(index), shape);
      maker.add(frame, index / RATE);
      frame.free();
    }
    return maker.end();
  } finally {
    maker.close();
  }
}

function planesOf(index: number): Buffer {
  const planes = Buffer.alloc((VIDEO_SIDE * VIDEO_SIDE * 3) / 2, 128);
  const { below } = createRandom(index);
  for (let at = 0; at < VIDEO_SIDE * VIDEO_SIDE; at += 1) {
    planes[at] = 16 + (((at % VIDEO_SIDE) + 4 * index) % VIDEO_SIDE) * (200 / VIDEO_SIDE) + below(GRAIN);
  }
  return planes;
}
