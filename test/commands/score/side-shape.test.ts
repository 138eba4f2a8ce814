import { describe, expect, it } from 'vitest';
import { boxOf, commonShape, type DecodedOutput, motionOf } from '../../../src/commands/score/make-ballots.ts';

const SHOWN = {
  pixelSha256: 'ab'.repeat(32),
  strippedSha256: null,
  pdq: '00'.repeat(32),
  pdqQuality: 100,
  blank: false,
} as const;

function output(width: number, height: number, frames = 1, video: DecodedOutput['video'] = null): DecodedOutput {
  const mime = video === null ? 'image/png' : 'video/mp4';
  const shown = { ...SHOWN, first: {} as DecodedOutput['shown']['first'], moving: null };
  const file = { fact: 'output', sha256: 'cd'.repeat(32), bytes: 1, mime } as const;
  return { ...file, decodes: true, width, height, frames, thumbnail: true, video, shown };
}

function video(width: number, height: number, fps: number | null, durationS: number | null): DecodedOutput {
  const coded = { codec: 'h264', pixelFormat: 'yuv420p', framesSha256: 'ef'.repeat(32), preview: true };
  return output(width, height, 50, { fps, durationS, ...coded });
}

describe('the shape of both sides', () => {
  it('the shape of two images is the smaller width and height, at most 1,024 pixels', () => {
    expect(boxOf([output(512, 768), output(640, 700)])).toEqual({ width: 512, height: 700 });
    expect(boxOf([output(4096, 2048)])).toEqual({ width: 1024, height: 512 });
    expect(boxOf([output(4096, 1)])).toEqual({ width: 1024, height: 1 });
    expect(commonShape(output(8, 8), output(9, 9))).toEqual({ box: { width: 8, height: 8 }, video: null });
  });

  it('the shape of two videos has even sides, the faster rate up to 30, and ends with the shorter one', () => {
    const { video: shape } = commonShape(video(161, 91, 16, 4), video(320, 180, 24, 5));
    expect(shape).toEqual({ width: 162, height: 92, fps: 24, frames: 96 });
    expect(commonShape(video(8, 8, 60, 25), video(8, 8, 50, 30)).video).toMatchObject({ fps: 30, frames: 300 });
    expect(commonShape(video(8, 8, 24, 0.01), video(8, 8, 24, 5)).video).toMatchObject({ frames: 1 });
  });

  it('the shape is the same whichever side an output is on', () => {
    const [one, other] = [video(640, 360, 23.976, 5.005), video(500, 500, 30, 7)];
    expect(commonShape(one, other)).toEqual(commonShape(other, one));
  });

  it('an animation, and a video of unknown length, are neither an image nor a video to vote on', () => {
    expect(motionOf(output(8, 8))).toBe('still');
    expect(motionOf(video(8, 8, 24, 1))).toBe('video');
    expect([output(8, 8, 12), video(8, 8, null, null)].map(motionOf)).toEqual([null, null]);
  });
});
