import { ssim } from '../media/compare/ssim.ts';
import { type DecodedImage, decodeImage } from '../media/decode.ts';
import { findingsOf } from '../media/image-findings.ts';
import { type Luma, lumaOf } from '../media/pixels.ts';
import { decodeVideo } from '../media/video/decode-video.ts';
import type { CalibrationMeasures } from '../record/model/calibration.ts';
import { type Effort, type SamplingEdge, timePart } from './sampling.ts';
import { specimenImage, specimenVideo, VIDEO_FRAMES } from './specimen.ts';

/**
 * What examination takes for an image, for a frame of a video (decoded, hashed, thumbnail and preview made, as
 * src/media does it) and for the SSIM of two images. In this process. Null when aborted; without node-av the frame is
 * null.
 */
export async function timeDecoding(
  effort: Effort,
  edge: SamplingEdge,
): Promise<Pick<CalibrationMeasures, 'decodeImage' | 'decodeVideoFrame' | 'ssim'> | null> {
  const png = await specimenImage();
  const image = await timePart('decode an image', () => timeImage(png, edge.now), effort, edge);
  const mp4 = await specimenVideo();
  const frame =
    mp4 === null ? null : await timePart('decode a video frame', () => timeFrame(mp4, edge.now), effort, edge);
  const luma = lumaOf((await decoded(png)).frames[0].pixels);
  const other = { ...luma, data: luma.data.map((value, at) => Math.max(0, value - (at % 3))) };
  const similarity = await timePart('compare two images', () => timeSsim(luma, other, edge.now), effort, edge);
  return edge.signal.aborted ? null : { decodeImage: image, decodeVideoFrame: frame, ssim: similarity };
}

async function timeImage(png: Uint8Array, now: () => number): Promise<number> {
  const beganMs = now();
  await findingsOf(await decoded(png));
  return now() - beganMs;
}

async function decoded(png: Uint8Array): Promise<DecodedImage> {
  const decoding = await decodeImage(png);
  if (!decoding.ok) throw new Error(`the specimen image does not decode: ${decoding.reason.code}`);
  return decoding.image;
}

async function timeSsim(one: Luma, other: Luma, now: () => number): Promise<number> {
  const beganMs = now();
  ssim(one, other);
  return now() - beganMs;
}

async function timeFrame(mp4: Uint8Array, now: () => number): Promise<number> {
  const beganMs = now();
  const decoding = await decodeVideo(mp4, 'video/mp4');
  if (decoding.ok !== true) throw new Error(`the specimen video does not decode: ${decoding.reason.code}`);
  return (now() - beganMs) / VIDEO_FRAMES;
}
