import { loadLibav } from '../../src/media/libav.ts';
import { openVideo, type VideoStream } from '../../src/media/video/video-frames.ts';

/** A video as FFmpeg decodes it. */
export interface DecodedVideo {
  readonly stream: VideoStream;
  /** The luma samples of each frame, 16 to 235. */
  readonly luma: readonly Uint8Array[];
}

export async function decodeVideo(mp4: Uint8Array): Promise<DecodedVideo> {
  const loaded = await loadLibav();
  if (!loaded.ok) throw new Error(loaded.reason.code);
  const video = openVideo(loaded.libav, mp4, 'video/mp4', 1 << 24);
  try {
    const samples = video.stream.width * video.stream.height;
    const luma: Uint8Array[] = [];
    for (const frame of video.frames()) luma.push(Uint8Array.from(frame.toBuffer().subarray(0, samples)));
    return { stream: video.stream, luma };
  } finally {
    video.close();
  }
}

/** The root mean square of the differences of two frames. */
export function rms(a: Uint8Array | undefined, b: Uint8Array | undefined): number {
  if (a === undefined || b === undefined) throw new Error('no such frame');
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0) / a.length);
}

/** Peak signal-to-noise ratio in decibels, of luma in studio range. */
export function psnr(a: Uint8Array | undefined, b: Uint8Array | undefined): number {
  return 20 * Math.log10(219 / rms(a, b));
}

/** The names of the boxes that an MP4 has at its top, in their order. */
export function boxes(mp4: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at < mp4.length; at += Math.max(8, mp4.readUInt32BE(at))) {
    names.push(mp4.toString('latin1', at + 4, at + 8));
  }
  return names;
}
