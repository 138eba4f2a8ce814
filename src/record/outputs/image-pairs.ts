import type { Fact } from '../model/fact.ts';
import { orderedPair } from './ordered-pair.ts';

/** The images that outputs show, by the digests of the outputs: what is known of two images holds for all that show them. */
export interface ShownImages {
  /** The digest of the pixels of an output; null where it was not decoded. */
  readonly imageOf: (sha256: string) => string | null;
  /** The key of the two images that two outputs show, in either order. */
  readonly pairOf: (a: string, b: string) => string;
}

/** What facts say of the images that outputs show. */
export function shownImages(facts: readonly Fact[]): ShownImages {
  const pixels = new Map<string, string>();
  for (const fact of facts) {
    if (fact.fact === 'output' && fact.decodes === true) pixels.set(fact.sha256, fact.shown.pixelSha256);
  }
  return {
    imageOf: (sha256) => pixels.get(sha256) ?? null,
    pairOf: (a, b) => orderedPair(pixels.get(a) ?? a, pixels.get(b) ?? b).join(' '),
  };
}
