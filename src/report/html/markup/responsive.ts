/** A chart is drawn twice, for a wide and for a narrow screen, so that its words keep their size; the style sheet shows one. */
export const WIDTHS = { wide: 860, narrow: 350 } as const;
export type Width = keyof typeof WIDTHS;

/** With more marks than this the narrow one is left out, for size: the wide one then scrolls within its frame. */
const MOST_MARKS_TWICE = 2500;

export function widthsFor(marks: number): readonly Width[] {
  return marks > MOST_MARKS_TWICE ? ['wide'] : ['narrow', 'wide'];
}
