import { oneOf } from './wording.ts';

/**
 * The candidate that `word` most likely means: the fewest edits, ignoring case, the first of equals. Null if more than
 * a third of the longer word would have to change.
 */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  const wanted = word.toLowerCase();
  let best: { readonly candidate: string; readonly edits: number } | null = null;
  for (const candidate of candidates) {
    const longest = Math.max(word.length, candidate.length);
    const allowed = Math.max(1, Math.floor(longest / 3));
    if (Math.abs(word.length - candidate.length) > allowed || longest < 2) continue;
    const edits = distance(wanted, candidate.toLowerCase());
    if (edits <= allowed && (best === null || edits < best.edits)) best = { candidate, edits };
  }
  return best?.candidate ?? null;
}

/** Up to so many candidates are all listed; of more, only the nearest. */
const MOST_LISTED = 25;
const LISTED_OF_MORE = 8;

/** The remedy for an unknown word: what was meant, else candidates that begin with it, else all. */
export function suggest(word: string, candidates: readonly string[], plural = 'known are'): string {
  const family = candidates.filter((candidate) => candidate.toLowerCase().startsWith(`${word.toLowerCase()}.`));
  if (family.length > 0) return `did you mean ${oneOf(family)}?`;
  const near = nearest(word, candidates);
  if (near !== null) return `did you mean "${near}"?`;
  if (candidates.length <= MOST_LISTED) return `${plural} ${candidates.join(', ')}`;
  const shown = nearestOf(word, candidates, LISTED_OF_MORE);
  return `${plural} ${shown.join(', ')} and ${candidates.length - shown.length} more`;
}

/** The `count` nearest candidates: those that contain `word`, then by edits, ignoring case, the first of equals. */
export function nearestOf(word: string, candidates: readonly string[], count: number): readonly string[] {
  const wanted = word.toLowerCase();
  return candidates
    .map((candidate) => {
      const text = candidate.toLowerCase();
      return { candidate, far: text.includes(wanted) ? 0 : 1, edits: distance(wanted, text) };
    })
    .sort((a, b) => a.far - b.far || a.edits - b.edits)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours cost 1 each. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const here = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (above[column] ?? 0) + 1,
        (here[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      }
      here.push(cost);
    }
    before = above;
    above = here;
  }
  return above[b.length] ?? 0;
}
