/**
 * Webster's method (Sainte-Laguë): each seat goes to the party with the largest `sizes / (2 seats + 1)`, the first of
 * ties. More seats never take one from a party (Balinski and Young, Fair Representation, 1982): a sample of 60 is part
 * of one of 100. No party gets more seats than its size, unless seats exceed all sizes together.
 * @param sizes positive integers, one per party
 */
export function apportion(sizes: readonly number[], seats: number): readonly number[] {
  const given = sizes.map(() => 0);
  for (let seat = 0; seat < seats; seat++) {
    let best = 0;
    for (const [party, size] of sizes.entries()) {
      // In whole numbers, because rounding would break ties.
      if (size * (2 * (given[best] ?? 0) + 1) > (sizes[best] ?? 0) * (2 * (given[party] ?? 0) + 1)) best = party;
    }
    given[best] = (given[best] ?? 0) + 1;
  }
  return given;
}
