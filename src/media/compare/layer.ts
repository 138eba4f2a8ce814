export const LAYERS = ['none', 'metadata', 'encoding', 'pixels'] as const;
export type Layer = (typeof LAYERS)[number];

/** The digests of one output, each of less than the one before. */
export interface OutputDigests {
  readonly sha256: string;
  /** Without metadata; null for formats and files whose metadata cannot be separated. */
  readonly strippedSha256: string | null;
  /** Of pixels with size, depth, alpha and times. */
  readonly pixelSha256: string;
}

/**
 * `none`: equal bytes. `metadata`: equal without metadata. `encoding`: equal pixels. If metadata cannot be separated, a
 * difference only in metadata is `encoding`.
 */
export function layerOf(a: OutputDigests, b: OutputDigests): Layer {
  if (a.sha256 === b.sha256) return 'none';
  if (a.strippedSha256 !== null && a.strippedSha256 === b.strippedSha256) return 'metadata';
  return a.pixelSha256 === b.pixelSha256 ? 'encoding' : 'pixels';
}
