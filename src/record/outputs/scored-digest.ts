/** Of an output, from its fact or from a sample that was examined. */
interface ScoredOutput {
  readonly sha256: string;
  readonly shown?: { readonly pixelSha256: string } | null;
}

/**
 * The digest by which lines of scores.jsonl name an output: that of its pixels, so that equal images have one score;
 * that of its bytes where it has no pixels.
 */
export function scoredDigest({ sha256, shown }: ScoredOutput): string {
  return shown?.pixelSha256 ?? sha256;
}
