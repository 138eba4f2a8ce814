import { describe, expect, it } from 'vitest';
import { type DeclaredTimes, VideoTimeline } from '../../../src/media/video/video-timeline.ts';

const SILENT: DeclaredTimes = { tickS: 0.001, declaredFps: null, declaredDurationS: null, declaredFrames: null };

function sumOf(times: readonly number[], declared: Partial<DeclaredTimes> = {}, lastMs = 0) {
  const timeline = new VideoTimeline({ ...SILENT, ...declared });
  for (const [index, ms] of times.entries()) {
    const duration = index === times.length - 1 ? lastMs : 0;
    timeline.add({ bestEffortTimestamp: BigInt(ms), duration: BigInt(duration) });
  }
  return timeline.sum();
}

/** 24 frames a second, rounded to milliseconds. */
const TWO_SECONDS = Array.from({ length: 48 }, (_, index) => Math.round((index * 1000) / 24));

describe('VideoTimeline', () => {
  it.each([
    ['measures what no header says', [0, 100, 200, 300], {}, { frames: 4, fps: 10, durationS: 0.4 }],
    ['counts from the first frame, not from zero', [5000, 5100, 5200, 5300], {}, { fps: 10, durationS: 0.4 }],
    [
      'believes a header that the frames bear out',
      TWO_SECONDS,
      { declaredFps: 24, declaredDurationS: 2 },
      { fps: 24, durationS: 2 },
    ],
    ['does not believe a rate they do not', [0, 100, 200, 300], { declaredFps: 24 }, { fps: 10, durationS: 0.4 }],
    ['does not believe a duration they do not', [0, 100, 200, 300], { declaredDurationS: 0.2 }, { durationS: 0.4 }],
    [
      'gives a single frame the duration its rate says',
      [0],
      { declaredFps: 25 },
      { frames: 1, fps: 25, durationS: 0.04 },
    ],
    ['gives a single frame of no rate no duration', [0], {}, { frames: 1, fps: null, durationS: null }],
  ] as const)('VideoTimeline times %s', (_, times, declared, expected) => {
    expect(sumOf(times, declared)).toMatchObject(expected);
  });

  it('VideoTimeline averages a rate that varies', () => {
    expect(sumOf([0, 100, 300, 400], {}, 100)).toEqual({ frames: 4, fps: 8, durationS: 0.5 });
  });

  it('VideoTimeline refuses a header that promises frames that are not there', () => {
    const fault = { code: 'not_decodable', detail: 'its header declares 10 s, but its frames end after 0.3 s' };
    const early = expect.objectContaining({ fault });
    expect(() => sumOf([0, 100, 200], { declaredDurationS: 10 })).toThrow(early);
    expect(() => sumOf([0, 100, 200], { declaredDurationS: 10, declaredFrames: 100 })).toThrow(early);
  });

  it('VideoTimeline lets a last frame stand for long', () => {
    expect(sumOf([0, 100, 200], { declaredDurationS: 10, declaredFrames: 3 }).frames).toBe(3);
  });

  it('VideoTimeline places frames without a time stamp one after the other', () => {
    const timeline = new VideoTimeline({ ...SILENT, declaredFps: 10 });
    for (let frame = 0; frame < 5; frame += 1) timeline.add({ bestEffortTimestamp: -(2n ** 63n), duration: 0n });
    expect(timeline.sum()).toEqual({ frames: 5, fps: 10, durationS: 0.5 });
  });
});
