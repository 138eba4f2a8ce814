/** In pixels. */
export interface NamedDot {
  readonly x: number;
  readonly y: number;
  /** Null: the dot has no name, and no other name covers it. */
  readonly name: string | null;
  readonly isFirst: boolean;
}

/** The left end of the line and the middle of its height, in pixels. */
export interface PlacedLabel {
  readonly x: number;
  readonly y: number;
  readonly name: string;
}

interface LabelBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Pixels of a dot, and of a line of words. */
const DOT_SIZE = 6;
const LINE = 15;

/** Distances of a name from its dot, in lines, in the order they are tried. */
const LINES_AWAY = [0, -1, 1, -2, 2, -3, 3] as const;

/**
 * Keeps names off each other and off dots, inside the frame; names marked first, then the topmost, are placed first. A
 * name that fits nowhere is left out.
 *
 * @param widthOf a name as written, in pixels
 */
export function placeLabels(
  dots: readonly NamedDot[],
  frame: { readonly width: number; readonly height: number },
  widthOf: (name: string) => number,
): readonly PlacedLabel[] {
  const taken: LabelBox[] = dots.map(({ x, y }) => box(x - DOT_SIZE, y - DOT_SIZE, 2 * DOT_SIZE, 2 * DOT_SIZE));
  return dots
    .toSorted((a, b) => Number(b.isFirst) - Number(a.isFirst) || a.y - b.y || a.x - b.x)
    .flatMap(({ x, y, name }): PlacedLabel[] => {
      if (name === null) return [];
      const width = widthOf(name);
      for (const away of LINES_AWAY) {
        for (const left of [x + DOT_SIZE + 3, x - DOT_SIZE - 3 - width, x - width / 2]) {
          const middle = y + away * LINE;
          const own = box(left, middle - LINE / 2, width, LINE);
          const inside = own.left >= 0 && own.right <= frame.width && own.top >= 0 && own.bottom <= frame.height;
          if (!inside || taken.some((other) => overlap(own, other))) continue;
          taken.push(own);
          return [{ x: left, y: middle, name }];
        }
      }
      return [];
    });
}

function box(left: number, top: number, width: number, height: number): LabelBox {
  return { left, right: left + width, top, bottom: top + height };
}

function overlap(a: LabelBox, b: LabelBox): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
