import { cellOf, isMeasured } from '../plan/plan.ts';
import type { Fact } from '../record/model/fact.ts';
import type { Sample } from '../record/model/sample.ts';
import { orderedPair, type ShownImages, shownImages } from '../record/outputs/image-pairs.ts';
import { probePairs } from '../record/probe-takes.ts';

/** Digests in ascending order. */
export type OutputPair = readonly [a: string, b: string];

/** If a cell has more distinct images, the first are compared with each other: 276 pairs. */
const MOST_DISTINCT = 24;

/**
 * The pairs to compare, each once: distinct images of a variant for one prompt and seed, and those that probes compare.
 * Without outputs that do not decode, pairs with equal pixels, and pairs whose images were compared already.
 */
export function pairsOf(samples: readonly Sample[], facts: readonly Fact[]): readonly OutputPair[] {
  const { imageOf, pairOf } = shownImages(facts);
  const known = new Set(facts.flatMap((fact) => (fact.fact === 'pair' ? [pairOf(fact.a, fact.b)] : [])));
  const pairs: OutputPair[] = [];
  for (const [one, other] of [...cellPairs(samples, imageOf), ...probePairs(samples)]) {
    const [first, second] = [imageOf(one), imageOf(other)];
    const key = pairOf(one, other);
    if (first === null || second === null || first === second || known.has(key)) continue;
    known.add(key);
    pairs.push(orderedPair(one, other));
  }
  // Pairs with a common output are adjacent: it is decoded once.
  return pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function* cellPairs(samples: readonly Sample[], imageOf: ShownImages['imageOf']): Generator<readonly [string, string]> {
  const cells = new Map<string, Map<string, string>>();
  for (const { trial, ...sample } of samples) {
    if (sample.outcome !== 'ok' || !isMeasured(trial)) continue;
    const { sha256 } = sample.outputs[0];
    const shown = imageOf(sha256);
    if (shown === null) continue;
    const key = cellOf(trial);
    const cell = cells.get(key) ?? new Map<string, string>();
    if (cell.size < MOST_DISTINCT && !cell.has(shown)) cell.set(shown, sha256);
    cells.set(key, cell);
  }
  for (const cell of cells.values()) {
    const outputs = [...cell.values()];
    for (const [at, one] of outputs.entries()) for (const other of outputs.slice(at + 1)) yield [one, other];
  }
}
