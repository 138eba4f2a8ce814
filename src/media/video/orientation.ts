/** Quarter turns clockwise, after mirroring. */
export interface Orientation {
  readonly quarters: 0 | 1 | 2 | 3;
  readonly mirrored: boolean;
}

export const UPRIGHT: Orientation = { quarters: 0, mirrored: false };

/**
 * The orientation of a display matrix: nine 32-bit integers in the machine's byte order (FFmpeg); a point (p, q) is
 * shown at (a p + c q, b p + d q), q downwards (ISO/IEC 14496-12, section 8.3.2). Upright without a matrix, and if it
 * is no quarter turn, as in players.
 */
export function orientationOf(matrix: Uint8Array | null): Orientation {
  if (matrix === null || matrix.byteLength < 36) return UPRIGHT;
  const view = new DataView(matrix.buffer, matrix.byteOffset, matrix.byteLength);
  const sign = (index: number): number => Math.sign(view.getInt32(4 * index, true));
  const [a, b, c, d] = [sign(0), sign(1), sign(3), sign(4)];
  const at = MATRICES.findIndex((matrix) => matrix[0] === a && matrix[1] === b && matrix[2] === c && matrix[3] === d);
  if (at < 0) return UPRIGHT;
  return { quarters: QUARTERS[at % 4] ?? 0, mirrored: at >= 4 };
}

const QUARTERS = [0, 1, 2, 3] as const;

/** Signs of a, b, c, d: turned by 0 to 3 quarters clockwise, then the same mirrored before. */
const MATRICES: readonly (readonly [number, number, number, number])[] = [
  [1, 0, 0, 1],
  [0, 1, -1, 0],
  [-1, 0, 0, -1],
  [0, -1, 1, 0],
  [-1, 0, 0, 1],
  [0, -1, -1, 0],
  [1, 0, 0, -1],
  [0, 1, 1, 0],
];

export function swapsSides({ quarters }: Orientation): boolean {
  return quarters % 2 === 1;
}
