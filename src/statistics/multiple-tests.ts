/**
 * Holm's adjusted p values (Scandinavian Journal of Statistics 6, 1979, 65-70), which control the chance of any false
 * rejection: p_adjusted(i) = max over j <= i of min(1, (m - j + 1) p(j)), p(1) the smallest. In the order given.
 * @param m the size of the family, at least the number of p values: missing ones count as large
 */
export function holm(ps: readonly number[], m: number = ps.length): readonly number[] {
  const order = ascending(ps, m);
  const adjusted = new Array<number>(ps.length).fill(1);
  let largest = 0;
  for (const [j, at] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (m - j) * (ps[at] ?? 1)));
    adjusted[at] = largest;
  }
  return adjusted;
}

/**
 * Benjamini and Hochberg's adjusted p values (Journal of the Royal Statistical Society B 57, 1995, 289-300), which
 * control the expected share of false rejections: p_adjusted(i) = min over j >= i of min(1, m p(j) / j). In the order
 * given.
 */
export function benjaminiHochberg(ps: readonly number[]): readonly number[] {
  const m = ps.length;
  const order = ascending(ps, m);
  const adjusted = new Array<number>(ps.length).fill(1);
  let smallest = 1;
  for (const [j, at] of [...order.entries()].reverse()) {
    smallest = Math.min(smallest, (m / (j + 1)) * (ps[at] ?? 1));
    adjusted[at] = smallest;
  }
  return adjusted;
}

function ascending(ps: readonly number[], m: number): readonly number[] {
  if (!ps.every((p) => p >= 0 && p <= 1)) throw new RangeError('a p value lies between 0 and 1');
  if (!Number.isSafeInteger(m) || m < ps.length) throw new RangeError(`a family of ${m} has no ${ps.length} p values`);
  return [...ps.keys()].sort((a, b) => (ps[a] ?? 0) - (ps[b] ?? 0));
}
