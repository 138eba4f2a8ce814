import type { ReportSource } from '../../reporter.ts';
import { html, type Markup } from './markup.ts';

/** Thumbnails and clips beyond this many bytes are not put into the page; the sheet says how many are left out. */
const MOST_BYTES = 24_000_000;
/** Of these, clips may take so many: a page with all its images and some of its clips beats the opposite. */
const MOST_CLIP_BYTES = 12_000_000;

/** A small clip that stands in the page. */
export interface Clip {
  readonly number: number;
  /** Its bytes, where it is first shown; null afterwards. */
  readonly data: Markup | null;
}

/**
 * The thumbnails of a page, and the small clips of its videos. Each digest's bytes stand in it once: where it is first
 * shown; later places refer to it. A clip is data that the page's script may play, no element that plays by itself.
 */
export class Images {
  readonly #source: Pick<ReportSource, 'thumbnail' | 'preview'>;
  /** Number of the image in the page, by digest; null where there is none, or no room. */
  readonly #numbers = new Map<string, number | null>();
  readonly #clips = new Map<string, number | null>();
  #bytes = 0;
  #clipBytes = 0;
  #crowdedOut = 0;
  #crowdedOutClips = 0;

  constructor(source: Pick<ReportSource, 'thumbnail' | 'preview'>) {
    this.#source = source;
  }

  /** Distinct images that found no room. */
  get crowdedOut(): number {
    return this.#crowdedOut;
  }

  /** Distinct clips that found no room. */
  get crowdedOutClips(): number {
    return this.#crowdedOutClips;
  }

  /** The small clip of an output; null where there is none, or no room. */
  clip(sha256: string): Clip | null {
    const known = this.#clips.get(sha256);
    if (known === null) return null;
    if (known !== undefined) return { number: known, data: null };
    const bytes = this.#source.preview(sha256);
    const room = Math.min(MOST_CLIP_BYTES - this.#clipBytes, MOST_BYTES - this.#bytes);
    if (bytes === null || bytes.length > room) {
      this.#clips.set(sha256, null);
      if (bytes !== null) this.#crowdedOutClips += 1;
      return null;
    }
    const number = this.#clips.size;
    this.#clips.set(sha256, number);
    this.#bytes += bytes.length;
    this.#clipBytes += bytes.length;
    const url = `data:video/mp4;base64,${base64(bytes)}`;
    return { number, data: html`<data hidden id="clip-${number}" value="${url}"></data>` };
  }

  /** The image of an output as SVG, with a name for those who do not see it; null where there is none. */
  shown(sha256: string, label: string, size: { readonly width: number; readonly height: number }): Markup | null {
    const known = this.#numbers.get(sha256);
    if (known === null) return null;
    const frame = `0 0 ${size.width} ${size.height}`;
    if (known !== undefined) {
      return html`<svg class="image" viewBox="${frame}" role="img" aria-label="${label}"><use href="#image-${known}"/></svg>`;
    }
    const bytes = this.#source.thumbnail(sha256);
    if (bytes === null || this.#bytes + bytes.length > MOST_BYTES) {
      this.#numbers.set(sha256, null);
      if (bytes !== null) this.#crowdedOut += 1;
      return null;
    }
    const number = this.#numbers.size;
    this.#numbers.set(sha256, number);
    this.#bytes += bytes.length;
    return html`<svg class="image" viewBox="${frame}" role="img" aria-label="${label}"><image id="image-${number}" width="${size.width}" height="${size.height}" href="data:image/webp;base64,${base64(bytes)}"/></svg>`;
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
