import { dataUrl } from '../../../markup/document.ts';
import type { ReportSource } from '../../../report/reporter.ts';

/** Bytes that each kind of media may bring its counters to. */
const LIMITS = {
  /** A page with all images and some videos is better than the opposite; the sheet says how many are left out. */
  image: { page: 24_000_000 },
  video: { page: 24_000_000, videos: 12_000_000 },
  /** A page of about 8 MB with everything in base64. */
  copy: { page: 5_200_000 },
  /** About 450 places. */
  heatMap: { heatMaps: 500_000 },
  /** Small thumbnails that lead to rows, or lie on an input: about 150. */
  link: { links: 500_000 },
};

type MediaKind = keyof typeof LIMITS;

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

type ReadMedia = (sha256: string) => Uint8Array | null;

/** Media that a page holds, each once, taken in the order of importance: of each kind while it has room. */
export class Images {
  readonly #source: Small;
  readonly #limits: Readonly<Record<MediaKind, Readonly<Record<string, number>>>>;
  readonly #spent = new Map<string, number>();
  readonly #full = new Set<MediaKind>();
  readonly #inStrips: ReadonlySet<string>;
  readonly #stripThumbnails = new Map<string, Uint8Array>();
  readonly #sheetThumbnails = new Map<string, Uint8Array>();
  readonly #previews = new Map<string, Uint8Array>();
  readonly #copies = new Map<string, Uint8Array>();
  readonly #numbers = new Map<string, number>();
  /** Stands in the contact sheet more than once. */
  readonly #repeated = new Set<string>();
  readonly #absent = new Set<string>();
  readonly #left = new Set<string>();
  readonly #leftVideos = new Set<string>();

  constructor(source: Small, { strips, sheet, groups }: ImagePlan, limits = LIMITS) {
    this.#source = source;
    this.#limits = limits;
    this.#inStrips = new Set(strips.flat());
    const outputs = new Set<string>();
    for (const sha256 of sheet) (outputs.has(sha256) ? this.#repeated : outputs).add(sha256);
    const atSight = new Set(groups.slice(0, strips.length).flat());
    const size = sheetSize(source, this.#inStrips, atSight, outputs, limits.copy.page);
    for (const sha256 of this.#inStrips) this.#takeThumbnail(sha256, source.thumbnail, this.#stripThumbnails);
    for (const sha256 of outputs) this.#takeThumbnail(sha256, thumbnails(source, size), this.#sheetThumbnails);
    const shown = [...this.#inStrips, ...outputs].filter((sha256) => this.#sheetThumbnails.has(sha256));
    for (const sha256 of new Set(shown)) this.#takePreview(sha256);
    for (const group of groups) this.#takeCopies(group);
  }

  get crowdedOut(): number {
    return this.#left.size;
  }

  get crowdedOutVideos(): number {
    return this.#leftVideos.size;
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
  small(sha256: string, size: ThumbnailSize = 'smallThumbnail'): string | null {
    const bytes = thumbnails(this.#source, size)(sha256);
    return bytes === null || !this.#hasRoom('link', bytes.length) ? null : dataUrl('image/webp', bytes);
  }

  /** Null without a map or room. Those asked for first have room. */
  heatMap(one: string, other: string): { readonly image: string; readonly corner: string } | null {
    const bytes = this.#source.heatMap(one, other);
    if (bytes === null || !this.#hasRoom('heatMap', bytes.length)) return null;
    return {
      image: dataUrl('image/webp', bytes),
      corner: CORNER.exec(Buffer.from(bytes).toString('latin1'))?.[1] ?? 'bottom right',
    };
  }

  #embedded(sha256: string, image: Uint8Array, printed: ThumbnailSize | null): EmbeddedMedia {
    const preview = this.#previews.get(sha256) ?? null;
    const small = printed === null ? null : thumbnails(this.#source, printed)(sha256);
    return {
      image: dataUrl('image/webp', image),
      printed: small === null ? null : dataUrl('image/webp', small),
      video: preview === null ? null : dataUrl('video/mp4', preview),
    };
  }

  /** Counts the bytes. Once something had no room, less important media of its kind have none either. */
  #hasRoom(kind: MediaKind, bytes: number): boolean {
    const counted = Object.entries(this.#limits[kind]).map(
      ([counter, most]) => [counter, (this.#spent.get(counter) ?? 0) + bytes, most] as const,
    );
    if (counted.some(([, spent, most]) => spent > most)) this.#full.add(kind);
    if (this.#full.has(kind)) return false;
    for (const [counter, spent] of counted) this.#spent.set(counter, spent);
    return true;
  }

  #takeThumbnail(sha256: string, read: ReadMedia, taken: Map<string, Uint8Array>): void {
    const bytes = read(sha256);
    if (bytes === null) this.#absent.add(sha256);
    else if (this.#hasRoom('image', bytes.length)) taken.set(sha256, bytes);
    else this.#left.add(sha256);
  }

  #takePreview(sha256: string): void {
    const bytes = this.#source.preview(sha256);
    // A strip holds its own.
    const times = this.#inStrips.has(sha256) ? 2 : 1;
    if (bytes === null) return;
    if (this.#hasRoom('video', times * bytes.length)) this.#previews.set(sha256, bytes);
    else this.#leftVideos.add(sha256);
  }

  /** Of the whole group, or of none. */
  #takeCopies(group: readonly string[]): void {
    if (this.#full.has('copy')) return;
    const copies = group.flatMap((sha256) => {
      const replaced = (this.#inStrips.has(sha256) ? this.#stripThumbnails : this.#sheetThumbnails).get(sha256);
      const copy = replaced === undefined || this.#copies.has(sha256) ? null : this.#source.copy(sha256);
      return copy === null ? [] : [[sha256, copy] as const];
    });
    const bytes = copies.reduce((sum, [, { length }]) => sum + length, 0);
    if (this.#hasRoom('copy', bytes)) for (const [sha256, copy] of copies) this.#copies.set(sha256, copy);
  }
}

type ThumbnailSize = 'thumbnail' | 'smallThumbnail';

function thumbnails(source: Small, size: ThumbnailSize): ReadMedia {
  return (sha256) => source[size](sha256) ?? source.thumbnail(sha256);
}

/** Small if large thumbnails would leave no room for copies in the strips, or not even for themselves. */
function sheetSize(
  source: Small,
  inStrips: ReadonlySet<string>,
  atSight: ReadonlySet<string>,
  sheet: ReadonlySet<string>,
  most: number,
): ThumbnailSize {
  const bytesOf = (outputs: Iterable<string>, read: ReadMedia): number => {
    let bytes = 0;
    for (const sha256 of outputs) if (bytes <= most) bytes += read(sha256)?.length ?? 0;
    return bytes;
  };
  const copies = bytesOf(inStrips, (of) => (atSight.has(of) ? source.copy(of) : null) ?? source.thumbnail(of));
  const large = bytesOf(sheet, source.thumbnail);
  if (copies + large <= most) return 'thumbnail';
  const small = bytesOf(sheet, thumbnails(source, 'smallThumbnail'));
  const strips = bytesOf(inStrips, source.thumbnail);
  return copies + small <= most || strips + large > most ? 'smallThumbnail' : 'thumbnail';
}
