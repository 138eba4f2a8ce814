import { beforeAll, describe, expect, it } from 'vitest';
import { type DecodedVideo, decodeVideo } from '../../../src/media/decode-video.ts';
import { sniff } from '../../../src/media/header.ts';
import { layerOf } from '../../../src/media/level.ts';
import { coded, panOver } from '../../fixtures/constructed/raw-video.ts';
import { ffmpeg, ffmpegAll, NO_FFMPEG } from '../../fixtures/ffmpeg.ts';
import { NO_NODE_AV } from '../../fixtures/no-node-av.ts';

async function decoded(bytes: Uint8Array): Promise<DecodedVideo> {
  const decoding = await decodeVideo(bytes, sniff(bytes)?.mime ?? '');
  if (!decoding.ok) throw new Error(decoding.reason.code);
  return decoding.video;
}

/** The layer in which two files of unequal bytes differ. */
const layer = (a: DecodedVideo, b: DecodedVideo) => layerOf({ ...a, sha256: 'a' }, { ...b, sha256: 'b' });

const CODINGS = {
  h264: ['mp4', ['-c:v', 'libx264']],
  hevc: ['mp4', ['-c:v', 'libx265', '-x265-params', 'log-level=none']],
  vp9: ['webm', ['-c:v', 'libvpx-vp9', '-lossless', '1']],
} as const;

type Codec = keyof typeof CODINGS;

const SMALL = { width: 64, height: 48, fps: 8, count: 2 };
const HIGH = { width: 32, height: 720, fps: 8, count: 1 };
const BT709 = 'colour_primaries=1:transfer_characteristics=1:matrix_coefficients=1';
const BT601 = 'colour_primaries=6:transfer_characteristics=6:matrix_coefficients=6';
const HDR_BOX = ['-movflags', '+write_colr', '-color_primaries', '9', '-color_trc', '16', '-colorspace', '9'];

const plainFiles = new Map<string, Buffer>();

/** One coding of the same picture for each codec and height. */
function plain(codec: Codec, size: typeof SMALL = SMALL): Buffer {
  const [extension, coder] = CODINGS[codec];
  const key = `${codec} ${size.height}`;
  const made = plainFiles.get(key);
  if (made !== undefined) return made;
  const painting = { texture: 'scene', seed: 4, width: size.width, height: size.height } as const;
  const file = coded(panOver(painting, size, 2), coder, extension);
  plainFiles.set(key, file);
  return file;
}

const plainVideos = new Map<Codec, DecodedVideo>();

async function plainVideo(codec: Codec): Promise<DecodedVideo> {
  const video = plainVideos.get(codec) ?? (await decoded(plain(codec)));
  plainVideos.set(codec, video);
  return video;
}

const copy = (after: readonly string[]) => ['-fflags', '+bitexact', '-c', 'copy', ...after];

/** The same coded samples, written with other options. */
const copied = (file: Buffer, after: readonly string[], extension: string): Buffer =>
  ffmpeg(file, [], copy(after), extension);

const bsf = (codec: Codec, options: string): readonly string[] => ['-bsf:v', `${codec}_metadata=${options}`];

const SKIPS = NO_FFMPEG !== null || NO_NODE_AV;

describe.skipIf(SKIPS)(`the digest of a video's pixels${NO_FFMPEG === null ? '' : `: ${NO_FFMPEG}`}`, () => {
  const ofH26x = (codec: 'h264' | 'hevc') =>
    [
      [codec, 'matrix', bsf(codec, 'matrix_coefficients=1')],
      [codec, 'primaries', bsf(codec, 'colour_primaries=9')],
      [codec, 'transfer', bsf(codec, 'transfer_characteristics=16')],
      [codec, 'pixel aspect', bsf(codec, 'sample_aspect_ratio=4/3')],
      [codec, 'pixel aspect of the container', ['-aspect', '16:9']],
      [codec, 'colours of the container', HDR_BOX],
    ] as const;
  const OTHERS = [
    ...ofH26x('h264'),
    ['h264', 'place of chroma', bsf('h264', 'chroma_sample_loc_type=2')],
    ['h264', 'turn that the stream asks for', bsf('h264', 'display_orientation=insert:rotate=90')],
    ...ofH26x('hevc'),
    ['vp9', 'matrix', bsf('vp9', 'color_space=bt709')],
    ['vp9', 'range', bsf('vp9', 'color_range=pc')],
    ['vp9', 'pixel aspect', ['-aspect', '16:9']],
    ['vp9', 'primaries and transfer', ['-color_primaries', '9', '-color_trc', '16']],
    ['vp9', 'range of the container', ['-color_range', 'pc']],
  ] as const;
  const others = new Map<string, Buffer>();

  beforeAll(() => {
    for (const codec of ['h264', 'hevc', 'vp9'] as const) {
      const its = OTHERS.filter(([of]) => of === codec);
      const [extension] = CODINGS[codec];
      const files = ffmpegAll(
        plain(codec),
        [],
        its.map(([, , after]) => ({ after: copy(after), extension })),
      );
      for (const [at, [, what]] of its.entries()) others.set(`${codec} ${what}`, files[at] ?? Buffer.of());
    }
  });

  it.each(OTHERS)('the digest of pixels is another for equal samples of %s in another %s', async (codec, what) => {
    const one = await plainVideo(codec);
    const other = await decoded(others.get(`${codec} ${what}`) ?? Buffer.of());
    expect(other.frameDigests).toEqual(one.frameDigests);
    expect(layer(one, other)).toBe('pixels');
  });

  it.each([
    ['h264', 'BT.601', SMALL, bsf('h264', BT601)],
    ['h264', 'the narrow range', SMALL, bsf('h264', 'video_full_range_flag=0')],
    ['h264', 'BT.709 from 720 lines on', HIGH, bsf('h264', BT709)],
    ['hevc', 'BT.601', SMALL, bsf('hevc', BT601)],
    ['vp9', 'BT.601', SMALL, bsf('vp9', 'color_space=bt601')],
  ] as const)(
    'the digest of pixels is the same where %s declares what is assumed: %s',
    async (codec, _, size, after) => {
      const whole = plain(codec, size);
      const files = ffmpegAll(
        whole,
        [],
        [
          { after: copy(after), extension: CODINGS[codec][0] },
          { after: copy([]), extension: 'mkv' },
        ],
      );
      const { pixelSha256 } = await decoded(whole);
      for (const file of files) expect((await decoded(file)).pixelSha256).toBe(pixelSha256);
    },
  );

  it('the digest of pixels is another where a high video declares what is assumed of a low one', async () => {
    const whole = plain('h264', HIGH);
    const other = copied(whole, bsf('h264', BT601), 'mp4');
    expect(layer(await decoded(whole), await decoded(other))).toBe('pixels');
  });

  it('the digest of pixels is the same whether the container or the stream declares the colours', async () => {
    const options = 'colour_primaries=9:transfer_characteristics=16:matrix_coefficients=9';
    const inStream = await decoded(copied(plain('h264'), bsf('h264', options), 'mp4'));
    const inContainer = await decoded(copied(plain('h264'), HDR_BOX, 'mp4'));
    expect(layer(inStream, inContainer)).toBe('encoding');
  });

  it('the digest of pixels is another where colours change from a frame on', async () => {
    const whole = plain('h264');
    const bare = (file: Buffer) => copied(file, [], 'h264');
    const joined = (second: Buffer) =>
      decoded(ffmpeg(Buffer.concat([bare(whole), bare(second)]), ['-f', 'h264'], ['-c', 'copy'], 'mp4'));
    const [one, changed] = [
      await joined(whole),
      await joined(copied(whole, bsf('h264', 'matrix_coefficients=1'), 'mp4')),
    ];
    expect(changed.frameDigests).toEqual(one.frameDigests);
    expect(layer(one, changed)).toBe('pixels');
    expect(changed.moving.flicker).not.toBe(one.moving.flicker);
  });

  it('a matrix that only the container declares is followed where frames are shown', async () => {
    const colourful = async (after: readonly string[]) =>
      (await decoded(copied(plain('hevc'), after, 'mp4'))).first.colourfulness;
    expect(await colourful([])).not.toBe(await colourful(['-movflags', '+write_colr', '-colorspace', '1']));
  });
});
