/**
 * Marks pixels nearer than `distance` to one above 0, by the Euclidean distance of their centres: 1, else 0. Exact: the
 * distance along the column, then the least sum of squares along the row (Meijster, Roerdink, Hesselink 2000, cut off).
 */
export function markNear(values: Uint8Array, width: number, distance: number): Uint8Array {
  const columns = new Float32Array(values.length);
  for (let at = 0; at < values.length; at += 1) {
    columns[at] = (values[at] ?? 0) > 0 ? 0 : (columns[at - width] ?? distance) + 1;
  }
  for (let at = values.length - width - 1; at >= 0; at -= 1) {
    columns[at] = Math.min(columns[at] ?? 0, (columns[at + width] ?? 0) + 1);
  }
  const near = new Uint8Array(values.length);
  const reach = Math.ceil(distance) - 1;
  for (let at = 0; at < values.length; at += 1) {
    const own = columns[at] ?? 0;
    if (own >= distance) continue;
    // Along the row it reaches all that its column leaves of the disc.
    const x = at % width;
    const last = Math.min(reach, width - 1 - x);
    for (let across = Math.max(-reach, -x); across <= last; across += 1) {
      if (own * own + across * across < distance * distance) near[at + across] = 1;
    }
  }
  return near;
}
