import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeVideo, VIDEO_LIMITS, type VideoDecoding, type VideoLimits } from '../../src/media/decode-video.ts';
import type { DecodeFault } from '../../src/media/facts.ts';
import { sniff } from '../../src/media/header.ts';
import { ffmpeg, NO_FFMPEG } from '../fixtures/ffmpeg.ts';
import { goldenVideo, goldenVideos } from '../fixtures/golden-video.ts';
import { NIGHTLY } from '../test-options.ts';

function decode(bytes: Uint8Array, limits?: Partial<VideoLimits>): Promise<VideoDecoding> {
  return decodeVideo(bytes, sniff(bytes)?.mime ?? '', { ...VIDEO_LIMITS, ...limits });
}

async function decoded(bytes: Uint8Array): Promise<Extract<VideoDecoding, { ok: true }>> {
  const decoding = await decode(bytes);
  if (decoding.ok !== true) throw new Error(decoding.reason.code);
  return decoding;
}

async function refusal(bytes: Uint8Array, limits?: Partial<VideoLimits>): Promise<DecodeFault> {
  const decoding = await decode(bytes, limits);
  if (decoding.ok !== false) throw new Error(`not refused: ${JSON.stringify(decoding.ok)}`);
  return decoding.reason;
}

/** A copy whose sample entry declares the largest width and height that it can. */
function giant(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const entry = copy.indexOf('avc1', copy.indexOf('stsd'));
  return copy.fill(0xff, entry + 28, entry + 32);
}

/** A file whose first track is one picture and whose second is a film of 12 frames. */
const pictureThenFilm = (
  extension: string,
  defaults: readonly (0 | 'default')[],
  more: readonly string[] = [],
): Buffer => {
  const before = ['-f', 'rawvideo', '-pixel_format', 'gray', '-video_size', '64x48', '-framerate', '12'];
  const split = '[0:v]split[a][film];[a]trim=end_frame=1,format=yuvj420p[picture]';
  const tracks = [
    '-filter_complex',
    split,
    '-map',
    '[picture]',
    '-map',
    '[film]',
    '-c:v:0',
    'mjpeg',
    '-c:v:1',
    'libx264',
  ];
  const chosen = defaults.flatMap((flag, at) => [`-disposition:v:${at}`, `${flag}`]);
  const noise = Buffer.from(Array.from({ length: 12 * 64 * 48 }, (_, at) => Math.imul(at, 2654435761) >>> 24));
  return ffmpeg(noise, before, [...tracks, ...chosen, ...more], extension);
};

describe.skipIf(NO_FFMPEG !== null)(`a video of several tracks${NO_FFMPEG === null ? '' : `: ${NO_FFMPEG}`}`, () => {
  const fragments = ['-movflags', 'frag_keyframe+empty_moov'];
  it.each([
    ['mp4', [0, 'default'], []],
    ['mov', [0, 'default'], []],
    ['mkv', [0, 'default'], []],
    ['mp4', ['default', 'default'], []],
    ['mp4', ['default', 'default'], fragments],
    ['mkv', ['default', 'default'], []],
    ['mkv', [0, 0], []],
  ] as const)('the film is decoded, not the picture before it: %s, %j, %j', async (extension, defaults, more) => {
    const { video } = await decoded(pictureThenFilm(extension, defaults, more));
    expect(video).toMatchObject({ codec: 'h264', frames: 12 });
  });

  it('the default track is decoded, also a shorter one', async () => {
    const { video } = await decoded(pictureThenFilm('mp4', ['default', 0]));
    expect(video).toMatchObject({ codec: 'mjpeg', frames: 1 });
  });
});

describe('decodeVideo', () => {
  it.each(goldenVideos())("decodeVideo agrees with ffprobe and ffmpeg's framemd5: $file", async (golden) => {
    const { streams, format } = golden.probed;
    const { video } = await decoded(goldenVideo(golden.file));
    expect(video.frameDigests).toEqual(golden.frames);
    expect(video.frames).toBe(golden.frames.length);
    const [stream] = streams;
    if (stream === undefined) throw new Error('no stream');
    const turned = stream.side_data_list?.some(({ rotation }) => rotation % 180 !== 0) ?? false;
    const [over = 0, under = 1] = stream.avg_frame_rate.split('/').map(Number);
    expect(video).toMatchObject({
      codec: stream.codec_name,
      pixelFormat: stream.pix_fmt,
      width: turned ? stream.height : stream.width,
      height: turned ? stream.width : stream.height,
    });
    expect(video.fps).toBeCloseTo(over / under, 9);
    // WebM declares a duration for the container only.
    expect(video.durationS).toBeCloseTo(Number(stream.duration ?? format.duration), 3);
  });

  it('decodeVideo makes a poster of the first frame, as shown', async () => {
    const { poster } = await decoded(goldenVideo('turned.mp4'));
    const image = await sharp(poster).metadata();
    expect([image.format, image.width, image.height]).toEqual(['webp', 98, 178]);
    // The video's clock stands in the upper left corner; turned by a quarter to the left, in the lower left one.
    const corner = (top: number) =>
      sharp(poster).extract({ left: 4, top, width: 30, height: 50 }).greyscale().raw().toBuffer();
    const mean = (pixels: Buffer) => pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
    expect(mean(await corner(110))).toBeLessThan(mean(await corner(2)) - 20);
  });

  it('decodeVideo makes an H.264 preview that decodes, as long as the video', async () => {
    for (const { file } of goldenVideos()) {
      const { video, preview } = await decoded(goldenVideo(file));
      if (preview === null) throw new Error('no preview');
      expect(sniff(preview)?.mime).toBe('video/mp4');
      const small = (await decoded(preview)).video;
      expect(small).toMatchObject({ codec: 'h264', pixelFormat: 'yuv420p' });
      // To a frame: where the rate varies, FFmpeg's own duration is one short.
      expect(Math.abs((small.durationS ?? 0) - (video.durationS ?? 0))).toBeLessThan(1 / (video.fps ?? 1));
      expect(Math.abs(small.width - video.width) + Math.abs(small.height - video.height)).toBeLessThanOrEqual(2);
      expect(preview.length).toBeLessThan(60_000);
    }
  });

  it('decodeVideo gives the same poster and preview for the same bytes', async () => {
    const [one, other] = [await decoded(goldenVideo('plain.mp4')), await decoded(goldenVideo('plain.mp4'))];
    expect(other).toEqual(one);
  });

  it('decodeVideo finds a video that is cut off, wherever', async () => {
    for (const { file } of goldenVideos()) {
      const whole = goldenVideo(file);
      for (const share of [0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 0.999]) {
        expect(await refusal(whole.subarray(0, Math.floor(whole.length * share))), `${file} at ${share}`).toMatchObject(
          { code: expect.stringMatching(/^[a-z_]+$/) },
        );
      }
    }
  });

  it('decodeVideo finds damage in the middle of the frames', async () => {
    for (const { file } of goldenVideos()) {
      const damaged = goldenVideo(file);
      const middle = Math.floor(damaged.length / 2);
      damaged.fill(0x5a, middle, middle + 400);
      expect(await refusal(damaged), file).toMatchObject({
        detail: expect.stringMatching(/^frame \d+ |^cut off or damaged after|frames end after/),
      });
    }
  });

  it.each(['plain.mp4', 'vp9.webm'])(
    'decodeVideo never throws nor dies, whatever bytes are changed: %s',
    async (file) => {
      const whole = goldenVideo(file);
      for (let at = 0; at < 1500; at += NIGHTLY ? 37 : 111) {
        const changed = Buffer.from(whole);
        changed.writeUInt8((changed.readUInt8(at) + 0x81) & 0xff, at);
        // Whole elements of the header, too: a container without any stream must close as well as another.
        if (at % 2 === 0) changed.fill(0, at, at + 260);
        const decoding = await decode(changed);
        if (decoding.ok !== true) expect(decoding.reason.code).toMatch(/^[a-z_]+$/);
      }
    },
  );

  it('decodeVideo says so where the codec is unknown', async () => {
    const other = goldenVideo('plain.mp4');
    other.write('zzzz', other.indexOf('avc1', other.indexOf('stsd')), 'latin1');
    expect(await refusal(other)).toEqual({ code: 'not_decodable', detail: 'the format of its video is unknown' });
  });

  it('decodeVideo refuses headers that promise what is not there', async () => {
    const whole = goldenVideo('turned.mp4');
    expect(await refusal(giant(whole))).toEqual({
      code: 'over_limit',
      detail: 'frames of 65535 x 65535 pixels are over the limit',
    });
    // Cut off, and the box that holds the frames made to fit: the index still speaks of them all.
    const front = goldenVideo('plain.mp4');
    for (const share of [0.2, 0.4, 0.6]) {
      const cut = Buffer.from(front.subarray(0, Math.floor(front.length * share)));
      const mdat = cut.indexOf('mdat');
      cut.writeUInt32BE(cut.length - mdat + 4, mdat - 4);
      expect(await refusal(cut)).toMatchObject({
        detail: expect.stringMatching(/^cut off or damaged after \d+ frame/),
      });
    }
  });

  it('decodeVideo says when a file has no video', async () => {
    expect(await refusal(goldenVideo('sound.mp4'))).toEqual({
      code: 'not_decodable',
      detail: 'it has no video stream',
    });
  });

  it('decodeVideo gives a reason for bytes that are not a video', async () => {
    for (const bytes of [new Uint8Array(0), Buffer.from('<html>'), Buffer.alloc(1000, 7)]) {
      const decoding = await decodeVideo(bytes, 'video/mp4');
      expect(decoding).toMatchObject({
        ok: false,
        reason: { detail: expect.stringMatching(/^(the container cannot be read|cut off): /) },
      });
    }
  });

  it.each([
    [{ pixels: 160 * 90 - 1 }, 'frames of 160 x 90 pixels are over the limit'],
    [{ frames: 23 }, 'over the limit of 23 frames'],
    [{ seconds: 0.9 }, 'over the limit of 0.9 s'],
    [{ bytes: 24 * 160 * 90 * 1.5 - 1 }, `over the limit of ${24 * 160 * 90 * 1.5 - 1} bytes of decoded frames`],
  ])('decodeVideo keeps to its limits: %j', async (limits, detail) => {
    expect(await refusal(goldenVideo('plain.mp4'), limits)).toEqual({ code: 'over_limit', detail });
  });

  it('decodeVideo accepts what just keeps to every limit', async () => {
    const limits = { pixels: 160 * 90, frames: 24, seconds: 1, bytes: 24 * 160 * 90 * 1.5 };
    expect((await decode(goldenVideo('plain.mp4'), limits)).ok).toBe(true);
  });
});
