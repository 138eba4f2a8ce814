import { dataUrl } from '../../../markup/document.ts';
import type { ReportSource } from '../../../report/reporter.ts';

/** Bytes of images and previews in a page; the sheet says how many are left out. */
const MOST_BYTES = 24_000_000;
/** Bytes of previews among these: a page with all images and some videos is better than the opposite. */
const MOST_VIDEO_BYTES = 12_000_000;
/** Bytes for a page of about 8 MB with everything in base64. Copies are added only below it. */
const WANTED_BYTES = 5_200_000;
/** Bytes of heat maps besides: about 450 places. */
const MOST_HEAT_BYTES = 500_000;
/** Bytes of small thumbnails besides, which lead to rows: about 150. */
const MOST_SMALL_BYTES = 500_000;

/** In the metadata of a heat map: where it hides least. */
const CORNER = /least: ((?:top|bottom) (?:left|right))/;

type Small = Pick<ReportSource, 'thumbnail' | 'smallThumbnail' | 'copy' | 'preview' | 'heatMap'>;

/** Digests, the most important first. */
export interface ImagePlan {
  readonly strips: readonly (readonly string[])[];
  readonly sheet: readonly string[];
  /** Outputs compared with each other: all of a group get a large copy, or none. Groups of strips come first. */
  readonly groups: readonly (readonly string[])[];
}

export interface EmbeddedMedia {
  readonly image: string;
  /** A smaller one for paper, where browsers store every pixel without loss; null where the image is small. */
  readonly printed: string | null;
  /** A video's preview; null where there is none, or no room. */
  readonly video: string | null;
}

/** `image` is null where the place with this number has the media already. */
export type SheetMedia = { readonly number: number } & (
  | (EmbeddedMedia & { readonly isRepeated: boolean })
  | { readonly image: null }
);

/** Media that a page holds, each once: strips first, then thumbnails, previews and large copies while there is room. */
export class Images {
  readonly #source: Small;
  readonly #inStrips: ReadonlySet<string>;
  readonly #sheetSize: 'thumbnail' | 'smallThumbnail';
  readonly #stripThumbnails = new Map<string, Uint8Array>();
  readonly #sheetThumbnails = new Map<string, Uint8Array>();
  readonly #previews = new Map<string, Uint8Array | null>();
  readonly #copies = new Map<string, Uint8Array>();
  readonly #numbers = new Map<string, number>();
  /** Stands in the contact sheet more than once. */
  readonly #repeated = new Set<string>();
  readonly #absent = new Set<string>();
  readonly #left = new Set<string>();
  #bytes = 0;
  #videoBytes = 0;
  #crowdedOutVideos = 0;
  #heatBytes = 0;
  #smallBytes = 0;

  constructor(source: Small, { strips, sheet, groups }: ImagePlan) {
    this.#source = source;
    this.#inStrips = new Set(strips.flat());
    const outputs = new Set<string>();
    for (const sha256 of sheet) (outputs.has(sha256) ? this.#repeated : outputs).add(sha256);
    this.#sheetSize = sheetSize(source, this.#inStrips, new Set(groups.slice(0, strips.length).flat()), outputs);
    for (const sha256 of this.#inStrips) this.#takeThumbnail(sha256, 'thumbnail', this.#stripThumbnails);
    for (const sha256 of outputs) this.#takeThumbnail(sha256, this.#sheetSize, this.#sheetThumbnails);
    for (const sha256 of this.#inStrips) this.#takePreview(sha256, 2);
    for (const sha256 of outputs) this.#takePreview(sha256, 1);
    for (const group of groups) if (!this.#takeCopies(group)) break;
  }

  get crowdedOut(): number {
    return this.#left.size;
  }

  get crowdedOutVideos(): number {
    return this.#crowdedOutVideos;
  }

  isCrowdedOut(sha256: string): boolean {
    return this.#left.has(sha256);
  }

  /** True if an image was wanted and its bytes are missing. */
  isAbsent(sha256: string): boolean {
    return this.#absent.has(sha256);
  }

  inStrip(sha256: string): EmbeddedMedia | null {
    const image = this.#copies.get(sha256) ?? this.#stripThumbnails.get(sha256) ?? null;
    return image === null ? null : this.#embedded(sha256, image, this.#copies.has(sha256) ? 'thumbnail' : null);
  }

  inSheet(sha256: string): SheetMedia | null {
    const known = this.#numbers.get(sha256);
    if (known !== undefined) return { number: known, image: null };
    const thumbnail = this.#sheetThumbnails.get(sha256);
    if (thumbnail === undefined) return null;
    const number = this.#numbers.size;
    this.#numbers.set(sha256, number);
    // A copy in a strip is not repeated in the sheet.
    const copy = this.#inStrips.has(sha256) ? undefined : this.#copies.get(sha256);
    const printed = copy === undefined ? null : 'smallThumbnail';
    return { number, ...this.#embedded(sha256, copy ?? thumbnail, printed), isRepeated: this.#repeated.has(sha256) };
  }

  /** Thumbnail that leads to a row, or lies on an input; null without bytes or room. Those asked for first have room. */
  small(sha256: string, size: 'thumbnail' | 'smallThumbnail' = 'smallThumbnail'): string | null {
    const bytes = thumbnailIn(this.#source, size, sha256);
    if (bytes === null || this.#smallBytes + bytes.length > MOST_SMALL_BYTES) return null;
    this.#smallBytes += bytes.length;
    return dataUrl('image/webp', bytes);
  }

  /** Null without a map or room. Those asked for first have room. */
  heatMap(one: string, other: string): { readonly image: string; readonly corner: string } | null {
    const bytes = this.#source.heatMap(one, other);
    if (bytes === null || this.#heatBytes + bytes.length > MOST_HEAT_BYTES) return null;
    this.#heatBytes += bytes.length;
    return {
      image: dataUrl('image/webp', bytes),
      corner: CORNER.exec(Buffer.from(bytes).toString('latin1'))?.[1] ?? 'bottom right',
    };
  }

  #embedded(sha256: string, image: Uint8Array, printed: 'thumbnail' | 'smallThumbnail' | null): EmbeddedMedia {
    const preview = this.#previews.get(sha256) ?? null;
    const small = printed === null ? null : thumbnailIn(this.#source, printed, sha256);
    return {
      image: dataUrl('image/webp', image),
      printed: small === null ? null : dataUrl('image/webp', small),
      video: preview === null ? null : dataUrl('video/mp4', preview),
    };
  }

  #takeThumbnail(sha256: string, size: 'thumbnail' | 'smallThumbnail', taken: Map<string, Uint8Array>): void {
    const bytes = thumbnailIn(this.#source, size, sha256);
    if (bytes === null) {
      this.#absent.add(sha256);
    } else if (this.#bytes + bytes.length > MOST_BYTES) {
      this.#left.add(sha256);
    } else {
      taken.set(sha256, bytes);
      this.#bytes += bytes.length;
    }
  }

  #takePreview(sha256: string, times: number): void {
    if (this.#previews.has(sha256) || !this.#sheetThumbnails.has(sha256)) return;
    const bytes = this.#source.preview(sha256);
    const room = Math.min(MOST_VIDEO_BYTES - this.#videoBytes, MOST_BYTES - this.#bytes);
    const fits = bytes !== null && times * bytes.length <= room;
    this.#previews.set(sha256, fits ? bytes : null);
    if (bytes === null) return;
    if (!fits) this.#crowdedOutVideos += 1;
    else {
      this.#bytes += times * bytes.length;
      this.#videoBytes += times * bytes.length;
    }
  }

  #takeCopies(group: readonly string[]): boolean {
    const copies = new Map<string, Uint8Array>();
    let more = 0;
    for (const sha256 of new Set(group)) {
      const replaced = (this.#inStrips.has(sha256) ? this.#stripThumbnails : this.#sheetThumbnails).get(sha256);
      if (replaced === undefined || this.#copies.has(sha256)) continue;
      const copy = this.#source.copy(sha256);
      if (copy === null) continue;
      copies.set(sha256, copy);
      more += copy.length;
      if (this.#bytes + more > WANTED_BYTES) return false;
    }
    for (const [sha256, copy] of copies) this.#copies.set(sha256, copy);
    this.#bytes += more;
    return true;
  }
}

function thumbnailIn(source: Small, size: 'thumbnail' | 'smallThumbnail', sha256: string): Uint8Array | null {
  return source[size](sha256) ?? source.thumbnail(sha256);
}

/** Small if large thumbnails would leave no room for copies in the strips, or not even for themselves. */
function sheetSize(
  source: Small,
  inStrips: ReadonlySet<string>,
  atSight: ReadonlySet<string>,
  sheet: ReadonlySet<string>,
): 'thumbnail' | 'smallThumbnail' {
  const strips = bytesOf(inStrips, (sha256) => source.thumbnail(sha256));
  const shown = (sha256: string) => (atSight.has(sha256) ? source.copy(sha256) : null) ?? source.thumbnail(sha256);
  const copies = bytesOf(inStrips, shown);
  const large = bytesOf(sheet, (sha256) => source.thumbnail(sha256));
  if (copies + large <= WANTED_BYTES) return 'thumbnail';
  const small = bytesOf(sheet, (sha256) => thumbnailIn(source, 'smallThumbnail', sha256));
  return copies + small <= WANTED_BYTES || strips + large > WANTED_BYTES ? 'smallThumbnail' : 'thumbnail';
}

function bytesOf(outputs: ReadonlySet<string>, read: (sha256: string) => Uint8Array | null): number {
  let bytes = 0;
  for (const sha256 of outputs) {
    bytes += read(sha256)?.length ?? 0;
    if (bytes > WANTED_BYTES) break;
  }
  return bytes;
}
