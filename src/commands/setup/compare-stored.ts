import { comparedOutput } from '../../examine/compared-output.ts';
import { openExaminers } from '../../examine/examiners.ts';
import type { OutputFact, PairFact } from '../../record/model/fact.ts';
import { orderedPair } from '../../record/outputs/image-pairs.ts';

/** A person waits for it, so less than for an examination. */
const LIMITS_MS = { image: 20_000, video: 60_000 };

/**
 * Null if one does not decode, or `signal` is aborted. Killed at its limit.
 * @param folders of their runs
 */
export async function compareStored(
  folders: readonly string[],
  [one, other]: readonly [OutputFact, OutputFact],
  signal: AbortSignal,
): Promise<PairFact | null> {
  const [first] = orderedPair(one.sha256, other.sha256);
  const isOrdered = one.sha256 === first;
  const a = comparedOutput(isOrdered ? one : other);
  const b = comparedOutput(isOrdered ? other : one);
  if (a === null || b === null) return null;
  const examiners = openExaminers({ workers: 1, timeLimitMs: LIMITS_MS, signal });
  try {
    return await examiners.compare(folders, a, b);
  } finally {
    await examiners.close();
  }
}
