import type { Fact } from '../model/fact.ts';

/** Two digests in the order that a pair fact names them. */
export function orderedPair(one: string, other: string): readonly [a: string, b: string] {
  return one < other ? [one, other] : [other, one];
}

/** What is known of two images holds for all outputs that show them. */
export interface ShownImages {
  /** The digest of its pixels; null where it was not decoded. */
  readonly imageOf: (sha256: string) => string | null;
  /** The key of the two images that two outputs show, in either order. */
  readonly pairOf: (a: string, b: string) => string;
}

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
