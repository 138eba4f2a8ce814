/** Where two outputs first differ, from nothing at all to what they show. */
export const LAYERS = ['none', 'metadata', 'encoding', 'pixels'] as const;
export type Layer = (typeof LAYERS)[number];

/** The digests of one output, each blinder than the one before. */
export interface OutputDigests {
  /** Of its bytes. */
  readonly sha256: string;
  /** Of its bytes without metadata; null where that is not told for its format, or for this file. */
  readonly strippedSha256: string | null;
  /** Of what it shows: its pixels, with size, depth, alpha and times. */
  readonly pixelSha256: string;
}

/**
 * Which layer two outputs differ in: `none` for equal bytes; `metadata` where the bytes are equal once metadata are left
 * out; `encoding` where the same is shown, coded or packed otherwise; else `pixels`. A format whose metadata are not told
 * apart differs in `encoding` when it differs in metadata alone.
 */
export function layerOf(a: OutputDigests, b: OutputDigests): Layer {
  if (a.sha256 === b.sha256) return 'none';
  if (a.strippedSha256 !== null && a.strippedSha256 === b.strippedSha256) return 'metadata';
  return a.pixelSha256 === b.pixelSha256 ? 'encoding' : 'pixels';
}
