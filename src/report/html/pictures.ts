import type { ReportSource } from '../reporter.ts';
import { html, type Markup } from './markup.ts';

/** Thumbnails beyond this many bytes are not put into the page; the sheet says how many are left out. */
const MOST_THUMBNAIL_BYTES = 24_000_000;

/** The thumbnails of a page. Each digest's bytes stand in it once: where it is first shown; later places refer to it. */
export class Pictures {
  readonly #thumbnail: ReportSource['thumbnail'];
  /** Number of the picture in the page, by digest; null where there is none, or no room. */
  readonly #numbers = new Map<string, number | null>();
  #bytes = 0;
  #crowdedOut = 0;

  constructor(thumbnail: ReportSource['thumbnail']) {
    this.#thumbnail = thumbnail;
  }

  /** Distinct pictures that found no room. */
  get crowdedOut(): number {
    return this.#crowdedOut;
  }

  /** The picture of an output as SVG, with a name for those who do not see it; null where there is none. */
  shown(sha256: string, label: string, size: { readonly width: number; readonly height: number }): Markup | null {
    const known = this.#numbers.get(sha256);
    if (known === null) return null;
    const frame = `0 0 ${size.width} ${size.height}`;
    if (known !== undefined) {
      return html`<svg class="picture" viewBox="${frame}" role="img" aria-label="${label}"><use href="#picture-${known}"/></svg>`;
    }
    const bytes = this.#thumbnail(sha256);
    if (bytes === null || this.#bytes + bytes.length > MOST_THUMBNAIL_BYTES) {
      this.#numbers.set(sha256, null);
      if (bytes !== null) this.#crowdedOut += 1;
      return null;
    }
    const number = this.#numbers.size;
    this.#numbers.set(sha256, number);
    this.#bytes += bytes.length;
    return html`<svg class="picture" viewBox="${frame}" role="img" aria-label="${label}"><image id="picture-${number}" width="${size.width}" height="${size.height}" href="data:image/webp;base64,${base64(bytes)}"/></svg>`;
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
