import type { ReportSource } from '../../reporter.ts';

/** Images and previews beyond this many bytes are not put into the page; the sheet says how many are left out. */
const MOST_BYTES = 24_000_000;
/** Previews of videos may take this many of them: a page with all its images and some of its videos beats the opposite. */
const MOST_VIDEO_BYTES = 12_000_000;
/** Copies are put in while all this together stays below this many bytes: in base64, with the rest of the page, about 8 MB. */
const MOST_BYTES_WITH_COPIES = 5_200_000;

/** What a page is to show, by digests, the most important first. */
export interface ImagePlan {
  /** What each strip shows. */
  readonly strips: readonly (readonly string[])[];
  /** What the contact sheet shows. */
  readonly sheet: readonly string[];
  /** What is compared at one glance: of each of these all outputs get a large copy, or no one does. The strips are first. */
  readonly groups: readonly (readonly string[])[];
}

/** What stands in the page of one output, as URLs that hold the data. */
export interface EmbeddedMedia {
  readonly image: string;
  /** Of a video its preview; null where there is none, or no room. */
  readonly video: string | null;
}

/** An output's place in the contact sheet: its media, or the number of the place that has them already. */
export type SheetMedia = { readonly number: number } & (EmbeddedMedia | { readonly image: null });

/**
 * The images and videos that a page holds. A strip holds its own; in the contact sheet each digest's bytes stand once. Strips come
 * first, then every thumbnail, previews, and large copies while there is room.
 */
export class Images {
  readonly #source: Pick<ReportSource, 'thumbnail' | 'copy' | 'preview'>;
  readonly #thumbnails = new Map<string, Uint8Array | null>();
  readonly #previews = new Map<string, Uint8Array | null>();
  readonly #copies = new Map<string, Uint8Array>();
  readonly #inStrips: ReadonlySet<string>;
  readonly #numbers = new Map<string, number>();
  readonly #absent = new Set<string>();
  #bytes = 0;
  #videoBytes = 0;
  #crowdedOut = 0;
  #crowdedOutVideos = 0;

  constructor(source: Pick<ReportSource, 'thumbnail' | 'copy' | 'preview'>, { strips, sheet, groups }: ImagePlan) {
    this.#source = source;
    this.#inStrips = new Set(strips.flat());
    for (const sha256 of this.#inStrips) this.#takeThumbnail(sha256, 2);
    for (const sha256 of sheet) this.#takeThumbnail(sha256, 1);
    for (const sha256 of this.#inStrips) this.#takePreview(sha256, 2);
    for (const sha256 of sheet) this.#takePreview(sha256, 1);
    for (const group of groups) if (!this.#takeCopies(group)) break;
  }

  /** Distinct images that found no room. */
  get crowdedOut(): number {
    return this.#crowdedOut;
  }

  /** Distinct videos that found no room. */
  get crowdedOutVideos(): number {
    return this.#crowdedOutVideos;
  }

  /** Whether an image was asked for whose bytes are not there. */
  isAbsent(sha256: string): boolean {
    return this.#absent.has(sha256);
  }

  /** What a strip shows of an output; null where there is nothing, or no room. */
  inStrip(sha256: string): EmbeddedMedia | null {
    const image = this.#copies.get(sha256) ?? this.#thumbnails.get(sha256) ?? null;
    return image === null ? null : this.#embedded(sha256, image);
  }

  /** What the contact sheet shows of an output; null where there is nothing, or no room. */
  inSheet(sha256: string): SheetMedia | null {
    const known = this.#numbers.get(sha256);
    if (known !== undefined) return { number: known, image: null };
    const thumbnail = this.#thumbnails.get(sha256) ?? null;
    if (thumbnail === null) return null;
    const number = this.#numbers.size;
    this.#numbers.set(sha256, number);
    // Where a strip has the copy, it stands there alone.
    const copy = this.#inStrips.has(sha256) ? null : this.#copies.get(sha256);
    return { number, ...this.#embedded(sha256, copy ?? thumbnail) };
  }

  #embedded(sha256: string, image: Uint8Array): EmbeddedMedia {
    const preview = this.#previews.get(sha256) ?? null;
    return { image: dataUrl('image/webp', image), video: preview === null ? null : dataUrl('video/mp4', preview) };
  }

  #takeThumbnail(sha256: string, times: number): void {
    if (this.#thumbnails.has(sha256)) return;
    const bytes = this.#source.thumbnail(sha256);
    const fits = bytes !== null && this.#bytes + times * bytes.length <= MOST_BYTES;
    this.#thumbnails.set(sha256, fits ? bytes : null);
    if (bytes === null) this.#absent.add(sha256);
    else if (fits) this.#bytes += times * bytes.length;
    else this.#crowdedOut += 1;
  }

  #takePreview(sha256: string, times: number): void {
    if (this.#previews.has(sha256) || (this.#thumbnails.get(sha256) ?? null) === null) return;
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

  /** Whether the copies of a group found room. */
  #takeCopies(group: readonly string[]): boolean {
    const copies = new Map<string, Uint8Array>();
    let more = 0;
    for (const sha256 of new Set(group)) {
      const thumbnail = this.#thumbnails.get(sha256) ?? null;
      const copy = thumbnail === null || this.#copies.has(sha256) ? null : this.#source.copy(sha256);
      if (thumbnail === null || copy === null) continue;
      copies.set(sha256, copy);
      more += copy.length - thumbnail.length;
      if (this.#bytes + more > MOST_BYTES_WITH_COPIES) return false;
    }
    for (const [sha256, copy] of copies) this.#copies.set(sha256, copy);
    this.#bytes += more;
    return true;
  }
}

function dataUrl(mime: string, bytes: Uint8Array): string {
  return `data:${mime};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`;
}
