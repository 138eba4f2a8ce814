/** The colours of a heat map at equal steps, from no difference to the end of its scale; brighter is more. */
export const HEAT_COLOURS: readonly (readonly [red: number, green: number, blue: number])[] = [
  [22, 11, 42],
  [92, 24, 106],
  [200, 58, 78],
  [250, 142, 60],
  [253, 242, 176],
];

/** End of the scale of stored maps, of 255: one for all pairs, so that a brighter map shows a larger difference. */
export const SCALE_END = 64;

/** The colour of a share of the scale; the last beyond its end. */
export function heatColour(share: number): readonly [red: number, green: number, blue: number] {
  const steps = HEAT_COLOURS.length - 1;
  const place = Math.min(1, Math.max(0, share)) * steps;
  const step = Math.min(steps - 1, Math.floor(place));
  const [from = [0, 0, 0], to = [0, 0, 0]] = [HEAT_COLOURS[step], HEAT_COLOURS[step + 1]];
  const between = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * (place - step));
  return [between(0), between(1), between(2)];
}
