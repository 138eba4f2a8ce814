import { describe, expect, it } from 'vitest';
import { orientationOf, swapsSides, UPRIGHT } from '../../../src/media/video/frame-shaper.ts';
import { missingTail } from '../../../src/media/video/stream-digest.ts';
import { type DeclaredTimes, VideoTimeline } from '../../../src/media/video/video-pixels.ts';
import { goldenVideo } from '../../fixtures/golden-video.ts';

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

const MP4 = 'video/mp4';
const WEBM = 'video/webm';

function box(type: string, content: number, declared = content + 8): Buffer {
  const bytes = Buffer.alloc(content + 8);
  bytes.writeUInt32BE(declared, 0);
  bytes.write(type, 4, 'latin1');
  return bytes;
}

/** A box whose size stands in 64 bits. */
function largeBox(type: string, content: number, declared = content + 16): Buffer {
  const bytes = box(type, content + 8, 1);
  bytes.writeBigUInt64BE(BigInt(declared), 8);
  return bytes;
}

const EBML = Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x82, 0, 0]);
const segment = (size: readonly number[], content: number): Buffer =>
  Buffer.concat([EBML, Buffer.from([0x18, 0x53, 0x80, 0x67, ...size]), Buffer.alloc(content)]);

describe('missingTail', () => {
  it.each([
    ['boxes that end with the file', Buffer.concat([box('ftyp', 16), box('mdat', 40)]), MP4],
    ['a box of 64 bits', Buffer.concat([box('ftyp', 16), largeBox('mdat', 40)]), MP4],
    ['a last box to the end of the file', Buffer.concat([box('ftyp', 16), box('mdat', 40, 0)]), MP4],
    ['a few bytes behind the last box', Buffer.concat([box('ftyp', 16), Buffer.alloc(5)]), MP4],
    ['a size that cannot be, which the demuxer reports', Buffer.concat([box('ftyp', 16), box('mdat', 40, 3)]), MP4],
    ['a segment that ends with the file', segment([0x88], 8), WEBM],
    ['a segment of unknown size', segment([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 8), WEBM],
    ['no element at all', Buffer.from([0]), WEBM],
    ['nothing', Buffer.alloc(0), MP4],
  ])('missingTail finds nothing wrong with %s', (_, bytes, mime) => {
    expect(missingTail(bytes, mime)).toBeNull();
  });

  it.each([
    ['a box', Buffer.concat([box('ftyp', 16), box('mdat', 40, 1000)]), MP4, 24 + 1000],
    ['a box of 64 bits', Buffer.concat([box('ftyp', 16), largeBox('mdat', 40, 5e9)]), MP4, 24 + 5e9],
    ['a segment', segment([0x40, 0x64], 8), WEBM, 7 + 6 + 100],
  ])('missingTail finds %s that is cut off', (_, bytes, mime, end) => {
    expect(missingTail(bytes, mime)).toEqual({
      code: 'not_decodable',
      detail: `cut off: the file declares ${end} bytes and has ${bytes.length}`,
    });
  });

  it('missingTail finds one missing byte of a real file', () => {
    for (const [file, mime] of [
      ['plain.mp4', MP4],
      ['vp9.webm', WEBM],
    ] as const) {
      const whole = goldenVideo(file);
      expect(missingTail(whole, mime)).toBeNull();
      expect(missingTail(whole.subarray(0, -1), mime)).toMatchObject({
        detail: `cut off: the file declares ${whole.length} bytes and has ${whole.length - 1}`,
      });
    }
  });
});

/** A display matrix with a, b, c, d in 16.16 fixed point. */
function matrix(a: number, b: number, c: number, d: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(36));
  const values = [a, b, 0, c, d, 0, 0, 0, 1];
  for (const [index, value] of values.entries())
    bytes.setInt32(4 * index, value * (index === 8 ? 1 << 30 : 65_536), true);
  return new Uint8Array(bytes.buffer);
}

describe('orientationOf', () => {
  // Where the point right of the centre (1, 0) and the one below it (0, 1) are shown: (a, b) and (c, d).
  it.each([
    [[1, 0, 0, 1], 0, false],
    [[0, 1, -1, 0], 1, false],
    [[-1, 0, 0, -1], 2, false],
    [[0, -1, 1, 0], 3, false],
    [[-1, 0, 0, 1], 0, true],
    [[0, -1, -1, 0], 1, true],
    [[1, 0, 0, -1], 2, true],
    [[0, 1, 1, 0], 3, true],
  ] as const)('orientationOf reads %j as %i quarters, mirrored: %s', ([a, b, c, d], quarters, mirrored) => {
    const orientation = orientationOf(matrix(a, b, c, d));
    expect(orientation).toEqual({ quarters, mirrored });
    expect(swapsSides(orientation)).toBe(a === 0);
    // The same by doing it: mirror left and right, then turn clockwise, with the second axis downwards.
    const turned = ([x, y]: readonly [number, number]): readonly [number, number] => {
      let point: readonly [number, number] = [mirrored ? -x : x, y];
      for (let quarter = 0; quarter < quarters; quarter += 1) point = [-point[1], point[0]];
      return point;
    };
    expect([...turned([1, 0]), ...turned([0, 1])].map((each) => each + 0)).toEqual([a, b, c, d]);
  });

  it('orientationOf takes what is not a quarter turn, or not a matrix, for upright', () => {
    for (const each of [null, new Uint8Array(4), matrix(0.5, 0.5, -0.5, 0.5), matrix(0, 0, 0, 0)]) {
      expect(orientationOf(each)).toEqual(UPRIGHT);
    }
  });
});
