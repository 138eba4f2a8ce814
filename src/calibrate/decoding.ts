import { decodePicture } from '../media/decode.ts';
import { decodeVideo } from '../media/decode-video.ts';
import type { CalibrationMeasures } from '../record/calibration.ts';
import { type Effort, type SamplingEdge, timePart } from './sampling.ts';
import { CLIP_FRAMES, specimenClip, specimenPicture } from './specimen.ts';

/**
 * What examination takes for a picture and for a frame of a clip: all pixels decoded, thumbnail and preview made, frames
 * hashed, as src/media does it. In this process, for there is no run beside it. Null when it was broken off; without
 * node-av the frame is null.
 */
export async function timeDecoding(
  effort: Effort,
  edge: SamplingEdge,
): Promise<Pick<CalibrationMeasures, 'decodePicture' | 'decodeVideoFrame'> | null> {
  const png = await specimenPicture();
  const picture = await timePart('decode a picture', () => timePicture(png, edge.now), effort, edge);
  const mp4 = await specimenClip();
  const frame =
    mp4 === null ? null : await timePart('decode a video frame', () => timeFrame(mp4, edge.now), effort, edge);
  return edge.signal.aborted ? null : { decodePicture: picture, decodeVideoFrame: frame };
}

async function timePicture(png: Uint8Array, now: () => number): Promise<number> {
  const beganMs = now();
  const decoding = await decodePicture(png);
  if (!decoding.ok) throw new Error(`the specimen picture does not decode: ${decoding.reason}`);
  return now() - beganMs;
}

/** The share of one frame in a whole clip. */
async function timeFrame(mp4: Uint8Array, now: () => number): Promise<number> {
  const beganMs = now();
  const decoding = await decodeVideo(mp4, 'video/mp4');
  if (decoding.ok !== true) throw new Error(`the specimen clip does not decode: ${decoding.reason}`);
  return (now() - beganMs) / CLIP_FRAMES;
}
