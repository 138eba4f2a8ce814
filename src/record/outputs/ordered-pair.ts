/** Two digests in the order that a pair fact names them. */
export function orderedPair(one: string, other: string): readonly [a: string, b: string] {
  return one < other ? [one, other] : [other, one];
}
