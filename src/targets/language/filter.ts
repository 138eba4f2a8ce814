import type { Fault, Refuse } from '../../kit/diagnostic.ts';
import type { Json, JsonObject } from '../../kit/json.ts';
import { suggest } from '../../kit/nearest.ts';
import type { MaskForm } from '../../suite/kind.ts';
import type { InputImage } from '../../suite/suite.ts';

/** An image as requests send it. */
export interface SentImage extends Pick<InputImage, 'fileName' | 'sha256' | 'mime' | 'bytes'> {
  /** Of a mask that is not sent as its own file: the bytes were made from it. */
  readonly form?: Exclude<MaskForm, 'white'>;
}

/** An image; every other value of a template is JSON, or a list of images. */
export class FileValue {
  readonly image: SentImage;

  constructor(image: SentImage) {
    this.image = image;
  }
}

/** Text that ends in an image as base64: tens of megabytes, so only made while encoding (`outgoing.ts`). */
export class ImageText {
  readonly before: string;
  readonly image: SentImage;

  constructor(before: string, image: SentImage) {
    this.before = before;
    this.image = image;
  }

  toString(): string {
    return this.before + base64(this.image.bytes);
  }
}

export type Value = Json | FileValue | ImageText | readonly (FileValue | ImageText | string)[] | undefined;

export type Filter =
  | { readonly name: 'str' | 'int' | ImageFilter }
  | { readonly name: 'wxh'; readonly separator: string }
  | { readonly name: 'pick'; readonly member: string }
  | { readonly name: 'default'; readonly value: string | number | boolean };

const IMAGE_FILTERS = ['file', 'data_uri', 'b64', 'mime'] as const;
type ImageFilter = (typeof IMAGE_FILTERS)[number];
const FILTER_NAMES = ['str', 'int', 'wxh', 'pick', ...IMAGE_FILTERS, 'default'] as const;

export type FileForm = 'bytes' | 'digest';

export type Filtered = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly cause: string };

type Given = Exclude<Value, undefined>;

type ParsedFilter = { readonly ok: true; readonly filter: Filter } | ({ readonly ok: false } & Fault);

/** Reads one filter after `|`: `str`, `wxh('x')`, `pick(width)`, `default('realistic')`. */
export function parseFilter(source: string): ParsedFilter {
  const [, word = '', call, argument] = /^([A-Za-z0-9_]*)\s*(\(([\s\S]*)\))?$/.exec(source) ?? [];
  const name = FILTER_NAMES.find((known) => known === word);
  const refuse: Refuse<ParsedFilter> = (cause, remedy) => ({ ok: false, cause, remedy });
  if (name === undefined) {
    const shown = word === '' ? source : word;
    return refuse(`unknown filter "${shown}"`, suggest(shown, FILTER_NAMES));
  }
  const value = argument === undefined || argument.trim() === '' ? null : parseArgument(argument.trim());
  if (value === 'invalid')
    return refuse(`"${argument}" is not a valid argument`, "write 'text', a number, a word, true or false");
  switch (name) {
    case 'wxh':
      if (value !== null && typeof value.value !== 'string') return refuse('wxh takes a text', "write wxh('x')");
      return { ok: true, filter: { name, separator: typeof value?.value === 'string' ? value.value : 'x' } };
    case 'pick':
      if (value === null) return refuse('pick needs the name of a member', 'write pick(name)');
      return { ok: true, filter: { name, member: String(value.value) } };
    case 'default':
      if (value === null) return refuse('default needs a value', "write default('value')");
      return { ok: true, filter: { name, value: value.value } };
    default:
      return call === undefined ? { ok: true, filter: { name } } : refuse(`${name} takes no argument`, `write ${name}`);
  }
}

function parseArgument(source: string): { readonly value: string | number | boolean } | 'invalid' {
  const [, quote, text] = /^(['"])((?:\\[\s\S]|(?!\1)[^\\])*)\1$/.exec(source) ?? [];
  if (quote !== undefined && text !== undefined) return { value: text.replace(/\\([\s\S])/g, '$1') };
  if (source === 'true' || source === 'false') return { value: source === 'true' };
  if (/^-?\d+(?:\.\d+)?$/.test(source)) return { value: Number(source) };
  if (/^[A-Za-z0-9_-]+$/.test(source)) return { value: source };
  return 'invalid';
}

/**
 * Applies one filter. `default` fills an undefined value; every other filter passes undefined on.
 *
 * | filter       | takes                                              | gives                                         |
 * |--------------|----------------------------------------------------|-----------------------------------------------|
 * | `str`        | text, number, boolean, list, object                | text; a list or object as JSON                |
 * | `int`        | a whole number below 2^53, also in a text          | a number                                      |
 * | `wxh(s)`     | `{width, height}`, `"16:9"`, `"1024x576"`          | the two numbers joined by `s`, by default `x` |
 * | `pick(name)` | an object, or a list with an index for the name    | its member of that name; else undefined       |
 * | `file`       | an image, or a list of them                       | form parts (multipart) or the body (raw)      |
 * | `data_uri`   | an image, or a list of them                       | text: `data:<type>;base64,...`; a list of it  |
 * | `b64`        | an image, a list of them, or text (as UTF-8)      | text: base64 (RFC 4648, section 4)            |
 * | `mime`       | an image, or a list of them                       | text: its media type, such as `image/png`     |
 * | `default(v)` | anything                                           | the value, or `v` where it is undefined       |
 */
export function applyFilter(filter: Filter, value: Value, files: FileForm): Filtered {
  if (filter.name === 'default') return give(value === undefined ? filter.value : value);
  if (value === undefined) return give(undefined);
  if (ofImages(filter)) {
    if (value instanceof FileValue) return give(imageAs(filter.name, value, files));
    if (isImages(value)) return give(value.map((image) => imageAs(filter.name, image, files)));
  }
  switch (filter.name) {
    case 'str':
      return asText(value);
    case 'int':
      return asWholeNumber(value);
    case 'wxh':
      return asPair(value, filter.separator);
    case 'pick':
      return pick(value, filter.member);
    case 'file':
    case 'data_uri':
    case 'mime':
      return fail(`${filter.name} takes an image`);
    case 'b64':
      return typeof value === 'string' || value instanceof ImageText
        ? give(base64(Buffer.from(String(value), 'utf8')))
        : fail('b64 takes an image or a text');
  }
}

function ofImages(filter: Filter): filter is { readonly name: ImageFilter } {
  return IMAGE_FILTERS.some((name) => name === filter.name);
}

function isImages(value: Value): value is readonly FileValue[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => item instanceof FileValue);
}

function imageAs(filter: ImageFilter, value: FileValue, files: FileForm): FileValue | ImageText | string {
  const { image } = value;
  switch (filter) {
    case 'file':
      return value;
    case 'mime':
      return image.mime;
    case 'data_uri':
      return files === 'digest'
        ? `data:${image.mime};sha256,${digestText(image)}`
        : new ImageText(`data:${image.mime};base64,`, image);
    case 'b64':
      return files === 'digest' ? `sha256,${digestText(image)}` : new ImageText('', image);
  }
}

/** Of a mask in another form: its file and the form, as its bytes depend on the machine. */
function digestText({ sha256, form }: SentImage): string {
  return form === undefined ? sha256 : `${sha256},${form}`;
}

function asText(value: Given): Filtered {
  if (value instanceof FileValue || isImages(value)) return fail('str takes no image');
  return give(typeof value === 'string' || value instanceof ImageText ? value : JSON.stringify(value));
}

function asWholeNumber(value: Given): Filtered {
  const number = typeof value === 'string' && /^[-+]?\d+$/.test(value.trim()) ? Number(value) : value;
  const isWhole = typeof number === 'number' && Number.isSafeInteger(number);
  return isWhole ? give(number) : fail('int takes a whole number below 2^53');
}

function asPair(value: Given, separator: string): Filtered {
  const pair = pairOf(value);
  return pair === null ? fail('wxh takes {width, height}, "W:H" or "WxH"') : give(pair.join(separator));
}

/** Two positive whole numbers from `"16:9"`, `"1024x576"` or `{width, height}`; else null. */
export function pairOf(value: Value): readonly [width: number, height: number] | null {
  if (typeof value === 'string') {
    const [, width, height] = /^(\d{1,6})[:x*×](\d{1,6})$/.exec(value.trim()) ?? [];
    return width === undefined || height === undefined ? null : positive(Number(width), Number(height));
  }
  return positive(member(value, 'width'), member(value, 'height'));
}

function positive(width: Value, height: Value): readonly [number, number] | null {
  if (typeof width !== 'number' || typeof height !== 'number') return null;
  return Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0 ? [width, height] : null;
}

function pick(value: Given, name: string): Filtered {
  return isPlain(value) ? give(member(value, name)) : fail('pick takes an object');
}

/** An own member of an object, or an item of a list by index; else undefined. Null counts as undefined. */
export function member(value: Value, name: string): Value {
  if (!isPlain(value)) return undefined;
  if (Array.isArray(value)) return /^\d+$/.test(name) ? (value[Number(name)] ?? undefined) : undefined;
  if (!Object.hasOwn(value, name)) return undefined;
  return (value as { readonly [key: string]: Json })[name] ?? undefined;
}

function isPlain(value: Value): value is readonly Json[] | JsonObject {
  if (value instanceof FileValue || value instanceof ImageText) return false;
  return typeof value === 'object' && value !== null;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function give(value: Value): Filtered {
  return { ok: true, value };
}

function fail(cause: string): Filtered {
  return { ok: false, cause };
}
