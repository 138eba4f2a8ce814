import type { ReportSource } from '../../reporter.ts';
import { html, type Markup } from './markup.ts';

/** Thumbnails and previews beyond this many bytes are not put into the page; the sheet says how many are left out. */
const MOST_BYTES = 24_000_000;
/** Previews of videos may take this many of them: a page with all its images and some of its videos beats the opposite. */
const MOST_VIDEO_BYTES = 12_000_000;

/** The preview of a video, held by the page. */
export interface PlayableVideo {
  readonly number: number;
  /** Its bytes, where it is first shown; null afterwards. */
  readonly data: Markup | null;
}

/**
 * The thumbnails of a page, and the previews of its videos. Each digest's bytes stand in it once: where it is first
 * shown; later places refer to it. A preview is data that the page's script may play, no element that plays by itself.
 */
export class Images {
  readonly #source: Pick<ReportSource, 'thumbnail' | 'preview'>;
  /** Number of the image in the page, by digest; null where there is none, or no room. */
  readonly #numbers = new Map<string, number | null>();
  readonly #videos = new Map<string, number | null>();
  readonly #absent = new Set<string>();
  #bytes = 0;
  #videoBytes = 0;
  #crowdedOut = 0;
  #crowdedOutVideos = 0;

  constructor(source: Pick<ReportSource, 'thumbnail' | 'preview'>) {
    this.#source = source;
  }

  /** Distinct images that found no room. */
  get crowdedOut(): number {
    return this.#crowdedOut;
  }

  /** Whether an image was asked for whose bytes are not there. */
  isAbsent(sha256: string): boolean {
    return this.#absent.has(sha256);
  }

  /** Distinct videos that found no room. */
  get crowdedOutVideos(): number {
    return this.#crowdedOutVideos;
  }

  /** The preview of a video; null where there is none, or no room. */
  video(sha256: string): PlayableVideo | null {
    const known = this.#videos.get(sha256);
    if (known === null) return null;
    if (known !== undefined) return { number: known, data: null };
    const bytes = this.#source.preview(sha256);
    const room = Math.min(MOST_VIDEO_BYTES - this.#videoBytes, MOST_BYTES - this.#bytes);
    if (bytes === null || bytes.length > room) {
      this.#videos.set(sha256, null);
      if (bytes !== null) this.#crowdedOutVideos += 1;
      return null;
    }
    const number = this.#videos.size;
    this.#videos.set(sha256, number);
    this.#bytes += bytes.length;
    this.#videoBytes += bytes.length;
    const url = `data:video/mp4;base64,${base64(bytes)}`;
    return { number, data: html`<data hidden id="video-${number}" value="${url}"></data>` };
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
      if (bytes === null) this.#absent.add(sha256);
      else this.#crowdedOut += 1;
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
