import sharp, { type Sharp } from 'sharp';
import { decodeImage } from '../../../src/media/decode.ts';
import type { Pixels } from '../../../src/media/pixels.ts';
import { edited, noisy, shifted } from '../../fixtures/constructed/edited-pixels.ts';

/** What people would say of an image and what was made of it; `disputed`: some this, some that. */
export type Truth = 'same' | 'another' | 'disputed';

export interface Change {
  readonly kind: string;
  readonly truth: Truth;
  /** By levels of 255, or around the middle one: more than faint images differ in. */
  readonly isAbsolute: boolean;
  readonly of: (image: Pixels) => Promise<Pixels>;
}

type Edit = (image: Sharp) => Sharp;

const change = (truth: Truth, isAbsolute = false) => {
  const of = (kind: string, make: Change['of']): Change => ({ kind, truth, isAbsolute, of: make });
  return {
    of,
    /** Written to a file and read by the decoder of outputs. */
    coded: (kind: string, encode: Edit) => of(kind, coded(encode)),
    drawn: (kind: string, edit: Edit) => of(kind, drawn(edit)),
  };
};
const [same, disputed, another] = [change('same'), change('disputed'), change('another')];
const [sameButFaint, disputedButFaint] = [change('same', true), change('disputed', true)];

/** What coding, scaling and colours do to an image that stays the same, and where people begin to disagree. */
export const CHANGES: readonly Change[] = [
  ...[95, 85, 75, 60].map((quality) => same.coded(`JPEG ${quality}`, (image) => image.jpeg({ quality }))),
  disputed.coded('JPEG 10', (image) => image.jpeg({ quality: 10 })),
  ...[90, 75].map((quality) => same.coded(`WebP ${quality}`, (image) => image.webp({ quality, effort: 1 }))),
  ...[60, 45].map((quality) => same.coded(`AVIF ${quality}`, (image) => image.avif({ quality, effort: 1 }))),
  ...[0.6, 1].map((sigma) => same.drawn(`blur of ${sigma}`, (image) => image.blur(sigma))),
  ...[4, 12].map((sigma) => disputed.drawn(`blur of ${sigma}`, (image) => image.blur(sigma))),
  same.drawn('sharpened', (image) => image.sharpen({ sigma: 1 })),
  ...[3, 8].map((by) => sameButFaint.of(`noise of ${by}`, async (image) => noisy(image, by, 1))),
  disputedButFaint.of('noise of 40', async (image) => noisy(image, 40, 1)),
  ...[0.9, 1.1].map((by) => same.drawn(`brightness x ${by}`, (image) => image.linear(by, 0))),
  ...[-12, 12].map((by) => sameButFaint.drawn(`brightness ${by}`, (image) => image.linear(1, by))),
  ...[0.4, 1.6].map((by) => disputed.drawn(`brightness x ${by}`, (image) => image.linear(by, 0))),
  ...[0.85, 1.15].map((by) => sameButFaint.drawn(`contrast ${by}`, (image) => image.linear(by, 128 * (1 - by)))),
  disputedButFaint.drawn('contrast 0.3', (image) => image.linear(0.3, 128 * 0.7)),
  ...[0.8, 1.2].map((by) => same.drawn(`saturation ${by}`, (image) => image.modulate({ saturation: by }))),
  disputed.drawn('grey', (image) => image.modulate({ saturation: 0 })),
  same.drawn('white balance by 5 %', (image) => image.linear([1.05, 1, 0.95], [0, 0, 0])),
  sameButFaint.of('a mark on 0.6 % in a corner', async (image) => marked(image)),
  same.coded('sRGB to Display P3', (image) => image.withIccProfile('p3').png()),
  same.of('Display P3 without its profile', withoutProfile),
  same.of('cropped by 2 %, scaled back', (image) => cropped(image, 0.02, true)),
  same.of('cropped by 2 %', (image) => cropped(image, 0.02, false)),
  ...[4, 6, 10, 25].map((by) =>
    disputed.of(`cropped by ${by} %, scaled back`, (image) => cropped(image, by / 100, true)),
  ),
  ...[1, 3].map((by) => same.of(`shifted by ${by} pixels`, async (image) => shifted(image, by, by))),
  ...[6, 24].map((by) => disputed.of(`shifted by ${by} pixels`, async (image) => shifted(image, by, by))),
  same.of('half the size and back', (image) => scaled(image, 0.5, true)),
  ...[0.5, 0.75, 2].map((by) => same.of(`${by} x the size`, (image) => scaled(image, by, false))),
  disputed.of('an eighth of the size and back', (image) => scaled(image, 0.125, true)),
  another.drawn('mirrored', (image) => image.flop()),
  another.drawn('upside down', (image) => image.flip()),
];

const opened = ({ data, width, height }: Pixels): Sharp =>
  sharp(data as Uint8Array, { raw: { width, height, channels: 3 } });

function drawn(edit: Edit): Change['of'] {
  return async (image) => {
    const { data, info } = await edit(opened(image)).raw().toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, channels: 3, depth: 8, data };
  };
}

/** A grey square in the lower right corner, as of a logo. */
function marked(image: Pixels): Pixels {
  const side = Math.round(Math.sqrt(0.006 * image.width * image.height));
  return edited(image, (sample, x, y) => (x >= image.width - side && y >= image.height - side ? 128 : sample));
}

function coded(encode: Edit): Change['of'] {
  return async (image) => shownBy(await encode(opened(image)).toBuffer());
}

async function shownBy(file: Buffer): Promise<Pixels> {
  const decoding = await decodeImage(file);
  if (!decoding.ok) throw new Error(decoding.reason.code);
  return decoding.image.frames[0].pixels;
}

/** As where a service loses the profile: the numbers of Display P3 shown as sRGB. */
async function withoutProfile(image: Pixels): Promise<Pixels> {
  const tagged = await opened(image).withIccProfile('p3').png().toBuffer();
  // Without `keepIccProfile` and without a conversion the numbers stay.
  const { data, info } = await sharp(tagged, { ignoreIcc: true }).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 3, depth: 8, data };
}

/** So much of each side cut off, half at each end. */
async function cropped(image: Pixels, by: number, back: boolean): Promise<Pixels> {
  const [left, top] = [Math.round((image.width * by) / 2), Math.round((image.height * by) / 2)];
  const [width, height] = [image.width - 2 * left, image.height - 2 * top];
  const inner = await drawn((whole) => whole.extract({ left, top, width, height }))(image);
  return back ? resized(inner, image.width, image.height) : inner;
}

async function scaled(image: Pixels, by: number, back: boolean): Promise<Pixels> {
  const other = await resized(image, Math.round(image.width * by), Math.round(image.height * by));
  return back ? resized(other, image.width, image.height) : other;
}

const resized = (image: Pixels, width: number, height: number): Promise<Pixels> =>
  drawn((whole) => whole.resize(width, height, { fit: 'fill' }))(image);
