import { nameOfOutput, type OutputFacts } from '../page-facts.ts';

/** What is shown of an output. */
export interface ShownMedia {
  readonly element: HTMLImageElement | HTMLVideoElement;
  /** The file that came, or a smaller copy that the page holds. */
  readonly source: 'original' | 'copy';
  /** The pixels of what is shown. */
  readonly width: number;
  readonly height: number;
}

/**
 * Whether the first original of a type that was asked for is beside this page; where it is missing, no other of the type is asked for. By
 * the end of the name: a browser that cannot decode one type still shows the others.
 */
const firstFound = new Map<string, Promise<boolean>>();

/**
 * The best that can be shown of an output: the file that came where this page lies in the folder of its run, else the largest copy in
 * the page. Null where there is neither.
 *
 * @param allowed `copy`: not the original
 */
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
    ...place.querySelectorAll<HTMLImageElement | HTMLVideoElement>('img, video'),
  ]);
  const [largest] = copies.sort((a, b) => b.src.length - a.src.length);
  if (largest === undefined) return null;
  return await load(largest.src, output, 'copy', largest instanceof HTMLVideoElement);
}

/** The address of the file that came, beside this page; null where the page links to none. */
export function originalOf(output: OutputFacts): string | null {
  const links = placesOf(output).map((place) => place.parentElement?.querySelector<HTMLAnchorElement>('a.original'));
  return links.find((link) => link !== null && link !== undefined)?.href ?? null;
}

/** Where the page shows an output. */
function placesOf({ cell, number }: OutputFacts): readonly Element[] {
  return [...document.querySelectorAll(`[data-cell="${cell.number}"][data-output="${number}"]`)];
}

async function load(
  url: string,
  output: OutputFacts,
  source: ShownMedia['source'],
  isVideo = output.durationS !== null,
): Promise<ShownMedia | null> {
  const name = nameOfOutput(output);
  return isVideo ? await loadVideo(url, name, source) : await loadImage(url, name, source);
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
