import sharp from 'sharp';
import { loadLibav } from '../media/video/libav.ts';
import { UPRIGHT } from '../media/video/orientation.ts';
import { previewOf } from '../media/video/video-preview.ts';
import { createRandom } from '../statistics/distributions/random.ts';

/* The same on every machine: gradients with grain, as flat colour decodes faster than photographs, noise slower. */

const IMAGE_SIDE = 1024;
const VIDEO_SIDE = 512;
const GRAIN = 12;
const RATE = 24;
export const VIDEO_FRAMES = 12;

export async function specimenImage(): Promise<Uint8Array> {
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

/** An MP4 of VIDEO_FRAMES frames of 512 x 512, half a second; null if node-av or its encoder is missing. */
export async function specimenVideo(): Promise<Uint8Array | null> {
  const loaded = await loadLibav();
  if (!loaded.ok) return null;
  const { libav } = loaded;
  const side = VIDEO_SIDE;
  const maker = previewOf(libav, {
    width: side,
    height: side,
    orientation: UPRIGHT,
    fps: RATE,
    durationS: VIDEO_FRAMES / RATE,
  });
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
