/**
 * The first whole number from `from` to `to` for which `holds` is true, by halving; to + 1 if none. Once true, `holds`
 * must stay true.
 */
export function firstWhere(from: number, to: number, holds: (at: number) => boolean): number {
  let [below, first] = [from - 1, to + 1];
  while (first - below > 1) {
    const middle = Math.floor((below + first) / 2);
    if (holds(middle)) first = middle;
    else below = middle;
  }
  return first;
}
