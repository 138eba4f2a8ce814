import type { OutputFacts } from '../page-facts.ts';

export interface ShownMedia {
  readonly element: HTMLImageElement | HTMLVideoElement;
  /** The original, or a smaller copy that the page holds. */
  readonly source: 'original' | 'copy';
  readonly width: number;
  readonly height: number;
}

/** By file extension: whether the first original is beside this page. If not, no more are requested. */
const firstFound = new Map<string, Promise<boolean>>();

/** Loads the original if it is beside this page, else the largest copy. @param allowed `copy`: no original */
export async function loadMedia(output: OutputFacts, allowed: 'any' | 'copy' = 'any'): Promise<ShownMedia | null> {
  const url = allowed === 'any' ? originalOf(output) : null;
  const type = url?.slice(url.lastIndexOf('.')) ?? '';
  const isFound = firstFound.get(type);
  if (url !== null && (isFound === undefined || (await isFound))) {
    const loading = load(url, output, 'original');
    if (isFound === undefined) {
      firstFound.set(
        type,
        loading.then((shown) => shown !== null),
      );
    }
    const shown = await loading;
    if (shown !== null) return shown;
  }
  const copies = placesOf(output).flatMap((place) => [
    ...place.querySelectorAll<HTMLImageElement | HTMLVideoElement>('.image'),
  ]);
  const [largest] = copies.sort((a, b) => b.src.length - a.src.length);
  if (largest === undefined) return null;
  return await load(largest.src, output, 'copy', largest instanceof HTMLVideoElement);
}

/** Null if the page has no link to the original. */
export function originalOf(output: OutputFacts): string | null {
  const links = placesOf(output).map((place) => place.parentElement?.querySelector<HTMLAnchorElement>('a.original'));
  return links.find((link) => link !== null && link !== undefined)?.href ?? null;
}

/** Of an input with a mask: what may change. */
export function outlineOf(output: OutputFacts): SVGElement | null {
  const outline = placesOf(output)[0]?.querySelector('.outline')?.cloneNode(true);
  return outline instanceof SVGElement ? outline : null;
}

function placesOf({ cell, number }: OutputFacts): readonly Element[] {
  const output = number === 0 ? ':not([data-output])' : `[data-output="${number}"]`;
  return [...document.querySelectorAll(`.pick[data-cell="${cell.number}"]${output}`)];
}

async function load(
  url: string,
  output: OutputFacts,
  source: ShownMedia['source'],
  isVideo = output.durationS !== null,
): Promise<ShownMedia | null> {
  return isVideo ? await loadVideo(url, output.name, source) : await loadImage(url, output.name, source);
}

async function loadImage(url: string, name: string, source: ShownMedia['source']): Promise<ShownMedia | null> {
  const element = new Image();
  element.alt = name;
  // A drag moves the view.
  element.draggable = false;
  element.src = url;
  try {
    await element.decode();
  } catch {
    return null;
  }
  return { element, source, width: element.naturalWidth, height: element.naturalHeight };
}

function loadVideo(url: string, name: string, source: ShownMedia['source']): Promise<ShownMedia | null> {
  const element = document.createElement('video');
  element.setAttribute('aria-label', name);
  element.muted = true;
  element.playsInline = true;
  element.preload = 'auto';
  return new Promise((resolve) => {
    element.addEventListener('error', () => resolve(null), { once: true });
    element.addEventListener(
      'loadeddata',
      () => resolve({ element, source, width: element.videoWidth, height: element.videoHeight }),
      { once: true },
    );
    element.src = url;
  });
}
