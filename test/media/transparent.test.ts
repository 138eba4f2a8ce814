import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeImage, findingsOf } from '../../src/media/decode.ts';
import { decodeVideo } from '../../src/media/decode-video.ts';
import { differenceOf, imageSequence, openVideoSequence, type Sequence } from '../../src/media/difference-of.ts';
import { openHeatMap } from '../../src/media/heat-map.ts';
import { isAtLeast, levelOf } from '../../src/media/level.ts';
import { loadLibav } from '../../src/media/libav.ts';
import type { Pixels } from '../../src/media/pixels.ts';
import { flatImage, stillImage } from '../../src/media/still-image.ts';
import { ffmpeg, NO_FFMPEG } from '../fixtures/ffmpeg.ts';

/* Shapes on nothing: what a sticker, a logo or an overlay is. On white, the white ones show nothing. */

const SIDE = 96;
type Shape = 'square' | 'circle' | 'nothing' | 'everything';
const SHAPES: Readonly<Record<Shape, (x: number, y: number) => boolean>> = {
  square: (x, y) => Math.max(Math.abs(x - 48), Math.abs(y - 48)) < 30,
  circle: (x, y) => Math.hypot(x - 48, y - 48) < 33,
  nothing: () => false,
  everything: () => true,
};

/** @param soft how far the edge fades, in pixels */
const sticker = (shape: Shape, level: number, opacity = 1, depth: 8 | 16 = 8, soft = 0): Pixels => {
  const scale = depth === 8 ? 1 : 257;
  const isIn = SHAPES[shape];
  const data = depth === 8 ? new Uint8Array(SIDE * SIDE * 4) : new Uint16Array(SIDE * SIDE * 4);
  data.fill(level * scale);
  for (let at = 0; at < SIDE * SIDE; at += 1) {
    const [x, y] = [at % SIDE, Math.floor(at / SIDE)];
    const fade = soft === 0 ? 1 : Math.min(1, Math.min(x, y, SIDE - x, SIDE - y) / soft);
    data[4 * at + 3] = isIn(x, y) ? Math.round(255 * opacity * fade) * scale : 0;
  }
  return { width: SIDE, height: SIDE, channels: 4, depth, data };
};

const coded = async (pixels: Pixels, format: 'png' | 'webp' | 'gif' | 'avif'): Promise<Buffer> => {
  const image = sharp(pixels.data, { raw: { width: SIDE, height: SIDE, channels: 4 } });
  if (pixels.depth === 16) return await image.toColourspace('rgb16').png().toBuffer();
  return await (format === 'webp' ? image.webp({ lossless: true }) : image.toFormat(format)).toBuffer();
};

const sequenceIn = async (file: Uint8Array): Promise<Sequence> => {
  const decoding = await decodeImage(file);
  if (!decoding.ok) throw new Error(decoding.reason.code);
  return imageSequence(decoding.image.frames);
};

const findingsIn = async (file: Uint8Array) => {
  const decoding = await decodeImage(file);
  if (!decoding.ok) throw new Error(decoding.reason.code);
  return await findingsOf(file, decoding.image);
};

const still = (pixels: Pixels): Sequence => imageSequence([{ atS: 0, pixels }]);

const FORMATS = [
  ['png', 8],
  ['png', 16],
  ['webp', 8],
  ['gif', 8],
  ['avif', 8],
] as const;
const ARTWORK = [
  ['white', 255, 1, 0],
  ['pale', 250, 1, 0],
  ['half transparent', 255, 0.5, 0],
  ['soft', 255, 0.8, 20],
  ['black', 0, 1, 0],
] as const;

describe('what is transparent in part', () => {
  it.each(FORMATS)('artwork on nothing is never blank, nor two shapes alike: %s of %i bits', async (format, depth) => {
    for (const [name, level, opacity, soft] of ARTWORK) {
      // A GIF has no half transparency: its pixels are all or nothing.
      if (format === 'gif' && opacity < 1) continue;
      const files = await Promise.all(
        (['square', 'circle'] as const).map((shape) => coded(sticker(shape, level, opacity, depth, soft), format)),
      );
      const [square, circle] = files;
      if (square === undefined || circle === undefined) throw new Error('no files');
      expect((await findingsIn(square)).blank, name).toBe(false);
      const [one, same, other] = await Promise.all([square, square, circle].map(sequenceIn));
      if (one === undefined || same === undefined || other === undefined) throw new Error('no images');
      expect(isAtLeast(levelOf(differenceOf(one, other)), 'similar'), name).toBe(false);
      expect(differenceOf(one, same).samples?.maxDifference, name).toBe(0);
    }
  });

  it('an image is blank where its opacity is plain too', async () => {
    const blankOf = async (pixels: Pixels) => (await findingsIn(await coded(pixels, 'png'))).blank;
    expect(await blankOf(sticker('nothing', 255))).toBe(true);
    expect(await blankOf(sticker('everything', 255, 0.5))).toBe(true);
    expect(await blankOf(sticker('everything', 255, 0.5, 16))).toBe(true);
  });

  it('signals of a white shape are those of the shape: sharpness, contrast and the hash', async () => {
    const [white, black] = await Promise.all(
      [255, 0].map(async (level) => findingsIn(await coded(sticker('circle', level), 'png'))),
    );
    expect(white?.first.lumaStdDev).toBeCloseTo(black?.first.lumaStdDev ?? 0, 6);
    expect(white?.first.sharpness).toBeCloseTo(black?.first.sharpness ?? 0, 6);
  });

  it('an opaque image has the same numbers with and without an alpha that hides nothing', () => {
    const full = sticker('everything', 90);
    const samples = Uint8Array.from({ length: SIDE * SIDE * 4 }, (_, at) => (at % 4 === 3 ? 255 : (at * 7919) >>> 3));
    const flat = Uint8Array.from(
      { length: SIDE * SIDE * 3 },
      (_, at) => samples[4 * Math.floor(at / 3) + (at % 3)] ?? 0,
    );
    const one = still({ ...full, data: samples });
    const other = still({ ...full, channels: 3, data: flat });
    expect(differenceOf(one, other)).toMatchObject({ samples: { maxDifference: 0 }, pdqDistance: 0 });
  });

  it('a heat map shows where two white shapes differ', async () => {
    const map = openHeatMap();
    map.add(sticker('square', 255), sticker('circle', 255));
    const drawn = await map.draw();
    const { data, info } = await sharp(drawn ?? Buffer.alloc(0))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const redAt = (x: number, y: number) => data[3 * (y * info.width + x)] ?? 0;
    // The corner of the square lies outside the circle; their middle is the same.
    expect(redAt(20, 20)).toBeGreaterThan(200);
    expect(redAt(48, 48)).toBeLessThan(40);
  });

  it('people are shown a white shape on checks: thumbnails, images and videos for voters, copies', async () => {
    const white = sticker('circle', 255);
    const { thumbnail } = await findingsIn(await coded(white, 'png'));
    const box = { width: SIDE, height: SIDE };
    const shown = [
      sharp(thumbnail),
      sharp((await stillImage(white, null, box)).png),
      sharp((await stillImage(white, 'blurred', box)).png),
      sharp((await stillImage(white, 'jpeg')).png),
      sharp(await flatImage(white, box), { raw: { ...box, channels: 3 } }),
    ];
    for (const image of shown) {
      const { isOpaque } = await image.clone().stats();
      const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const row = Array.from({ length: 12 }, (_, x) => data[info.channels * x] ?? 0);
      expect([isOpaque, Math.max(...row) > 240, Math.min(...row) < 200]).toEqual([true, true, true]);
    }
  });

  it.skipIf(NO_FFMPEG !== null)(
    `a clip of a white shape on nothing is not blank, moves, and differs from another shape${NO_FFMPEG === null ? '' : `: ${NO_FFMPEG}`}`,
    async () => {
      const clip = (alpha: string): Buffer => {
        const geq = `format=yuva420p,geq=lum=255:cb=128:cr=128:a='255*${alpha}'`;
        const codec = '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuva420p -f webm'.split(' ');
        const source = ['-f', 'rawvideo', '-pixel_format', 'gray', '-video_size', '160x120', '-framerate', '8'];
        return ffmpeg(Buffer.alloc(160 * 120 * 8), source, ['-vf', geq, ...codec], 'webm');
      };
      const [circle, square] = [
        clip('lt(hypot(X-50-30*T,Y-60),30)'),
        clip('between(X,30+30*T,80+30*T)*between(Y,40,80)'),
      ];
      const decoding = await decodeVideo(circle, 'video/webm');
      const loaded = await loadLibav();
      if (decoding.ok !== true || !loaded.ok) throw new Error('no FFmpeg');
      const { moving, first, hash } = decoding.video;
      expect(moving).toMatchObject({ blankShare: 0, blackShare: 0, frozenShare: 0 });
      expect(moving.tiMean).toBeGreaterThan(5);
      expect(moving.siMean).toBeGreaterThan(5);
      expect([first.blank, hash.quality >= 50]).toEqual([false, true]);
      const [one, other] = [circle, square].map((file) =>
        openVideoSequence(loaded.libav, file, 'video/webm', decoding.video),
      );
      if (one === undefined || other === undefined) throw new Error('no clips');
      expect(isAtLeast(levelOf(differenceOf(one.sequence, other.sequence)), 'similar')).toBe(false);
      for (const each of [one, other]) each.close();
      // The preview too shows it on checks: light and dark squares around a white disc.
      const png = ffmpeg(decoding.preview ?? Buffer.alloc(0), [], ['-frames:v', '1', '-f', 'image2'], 'png');
      const corner = await sharp(png).extract({ left: 0, top: 0, width: 20, height: 4 }).greyscale().raw().toBuffer();
      expect([Math.max(...corner) > 235, Math.min(...corner) < 205]).toEqual([true, true]);
    },
  );
});
