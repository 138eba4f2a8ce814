import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import type { Checked, Diagnostic, Fault } from '../kit/diagnostic.ts';
import { imageHeader, sniff } from '../media/header.ts';
import type { ImageBox } from '../media/shown-shape.ts';
import { type Containment, findOutside, MIB, readBytes, shownPath } from './named-file.ts';
import type { Case, InputImage, InputMask } from './suite.ts';

/** The images and the mask of a prompt. */
export type CaseMedia = Pick<Case, 'images' | 'mask'>;

/** The files that a prompt names, as written: relative to `folder`, which is absolute. */
export interface NamedMedia {
  readonly images: readonly string[];
  readonly mask: string | null;
  readonly folder: string;
  readonly refuse: (field: 'images' | 'mask', cause: string, remedy: string) => Diagnostic;
}

const MOST_IMAGE_BYTES = 32 * MIB;

/** All inputs of a suite together: they stay in memory during its run. */
const MOST_BYTES = 512 * MIB;

const INPUT_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);

const BROKEN = { cause: 'it does not decode', remedy: 'save it again' };

const MASK_FAULTS = {
  black: { cause: 'it is black, so that nothing may change', remedy: 'make white what may change' },
  whole: {
    cause: 'it leaves nothing outside: no pixel lies 8 or more from what may change',
    remedy: 'make black what must stay, or leave the mask out',
  },
  transparent: {
    cause: 'it has transparent pixels',
    remedy: 'make white what may change and black what stays; each target is sent the form that it takes',
  },
  broken: BROKEN,
};

/** Reads the files of prompts, each file once, from the folders that are allowed. */
export class MediaReader {
  readonly #within: Containment;
  readonly #cwd: string;
  readonly #images = new Map<string, InputImage | Fault>();
  readonly #masks = new Map<string, Promise<InputMask['forms'] | Fault>>();
  #bytes = 0;

  constructor(within: Containment, cwd: string) {
    this.#within = within;
    this.#cwd = cwd;
  }

  /** Absolute paths of what was named. */
  files(): readonly string[] {
    return [...this.#images.keys()];
  }

  async read({ images: names, mask: maskName, folder, refuse }: NamedMedia): Promise<Checked<CaseMedia>> {
    const diagnostics: Diagnostic[] = [];
    const usable = <T extends InputImage>(field: 'images' | 'mask', path: string, read: T | Fault): T | null => {
      if ('bytes' in read) return read;
      diagnostics.push(refuse(field, `cannot use ${shownPath(path, this.#cwd)}: ${read.cause}`, read.remedy));
      return null;
    };
    const paths = names.map((name) => resolve(folder, name));
    const images: (InputImage | null)[] = [];
    for (const [at, path] of paths.entries()) {
      if (this.#isFull()) break;
      if (paths.indexOf(path) === at) images.push(usable('images', path, await this.#image(path)));
      else diagnostics.push(refuse('images', `${shownPath(path, this.#cwd)} is listed twice`, 'remove one of them'));
    }
    let mask: InputMask | null = null;
    if (maskName !== null && names.length === 0) {
      diagnostics.push(refuse('mask', 'a mask needs an image', 'give the prompt an image'));
    } else if (maskName !== null && !this.#isFull()) {
      const path = resolve(folder, maskName);
      mask = usable('mask', path, await this.#mask(path, images[0] ?? null));
    }
    if (diagnostics.length > 0 || this.#isFull()) return { ok: false, diagnostics };
    return { ok: true, value: { images: images.flatMap((image) => image ?? []), mask } };
  }

  /** Then one file was refused, and no further one is read. */
  #isFull(): boolean {
    return this.#bytes > MOST_BYTES;
  }

  async #image(path: string): Promise<InputImage | Fault> {
    const known = this.#images.get(path);
    if (known !== undefined) return known;
    const read = (await findOutside(path, this.#within, 'the suite')) ?? (await readImage(path));
    if ('bytes' in read) this.#bytes += read.bytes.length;
    const cause = `with it the input files are larger than ${MOST_BYTES / MIB} MiB`;
    const image = this.#isFull() ? { cause, remedy: 'use smaller files, or fewer' } : read;
    this.#images.set(path, image);
    return image;
  }

  async #mask(path: string, of: InputImage | null): Promise<InputMask | Fault> {
    const image = await this.#image(path);
    if (!('bytes' in image)) return image;
    if (image.mime !== 'image/png') return { cause: 'it is not a PNG image', remedy: 'save it as PNG' };
    const [own, first] = await Promise.all([image, of].map((file) => (file === null ? null : shownSize(file))));
    if (own && first && (own.width !== first.width || own.height !== first.height)) {
      const cause = `it is ${own.width}x${own.height}, and ${of?.fileName} is ${first.width}x${first.height}`;
      return { cause, remedy: 'make it as large as the first image' };
    }
    const reading = this.#masks.get(path) ?? formsOf(image.bytes);
    this.#masks.set(path, reading);
    const forms = await reading;
    return 'cause' in forms ? forms : { ...image, forms };
  }
}

/** A mask belongs to the upright image. */
async function shownSize(image: InputImage): Promise<Pick<InputImage, 'width' | 'height'>> {
  const { uprightSize } = await import('../media/still-image.ts');
  return (await uprightSize(image.bytes)) ?? image;
}

async function formsOf(png: Uint8Array): Promise<InputMask['forms'] | Fault> {
  const { readMask } = await import('../media/still-image.ts');
  const mask = await readMask(png);
  return mask.is === 'mask' ? { white: png, black: mask.inverted, transparent: mask.clear } : MASK_FAULTS[mask.is];
}

/** An input image by its absolute path, or why it cannot be used. */
async function readImage(path: string): Promise<InputImage | Fault> {
  const bytes = await readBytes(path, MOST_IMAGE_BYTES);
  if (!(bytes instanceof Uint8Array)) return bytes;
  const mime = sniff(bytes)?.mime ?? null;
  if (mime === null || !INPUT_TYPES.has(mime)) {
    return { cause: 'it is not a PNG, JPEG or WebP image', remedy: 'convert it' };
  }
  const header = imageHeader(bytes);
  if (header === null) return { cause: 'its header is broken', remedy: 'save it again' };
  const { width, height, alpha, animated } = header;
  if (animated) return { cause: 'it is animated', remedy: 'save one frame of it' };
  if (!(await isWhole(bytes, header))) return BROKEN;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { fileName: basename(path), sha256, mime, width, height, alpha, bytes };
}

/**
 * Whether an image decodes; true where sharp is not installed: commands that send do not begin without it. Sharp makes
 * receiving slower, so it is loaded only where there are images.
 */
async function isWhole(bytes: Uint8Array, box: ImageBox): Promise<boolean> {
  const stillImage = await import('../media/still-image.ts').catch(() => null);
  return stillImage === null || stillImage.isWhole(bytes, box);
}
