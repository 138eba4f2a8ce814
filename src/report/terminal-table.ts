import { clipped, padded, shortened, textWidth } from '../kit/text-width.ts';
import { GAP, type Paint } from './paint.ts';

/** Below its number, the interval or the reason why there is none. */
export interface TableCell {
  readonly value: string;
  readonly evidence: string;
}

/** The name is hostile text, already made visible. */
export interface TableRow {
  readonly name: string;
  readonly cells: readonly TableCell[];
}

const NARROWEST_NAME = 8;
const WIDEST_NAME = 28;

/** Where `width` columns are too narrow, a line for each number. */
export function tableLines(
  title: string,
  heads: readonly string[],
  rows: readonly TableRow[],
  width: number,
  paint: Paint,
): readonly string[] {
  const columns = heads.map((label, index) =>
    Math.max(
      textWidth(label),
      ...rows.map(({ cells }) =>
        Math.max(textWidth(cells[index]?.value ?? ''), textWidth(cells[index]?.evidence ?? '')),
      ),
    ),
  );
  const room = width - columns.reduce((sum, column) => sum + column + GAP.length, 0);
  if (room < NARROWEST_NAME) {
    return [paint('bold', title), ...rows.flatMap((row) => stacked(row, heads, width, paint))];
  }
  // A name that does not fit beside its numbers has a line of its own, above them.
  const first = Math.max(
    ...rows.map(({ name }) => textWidth(name)).filter((each) => each <= Math.min(room, WIDEST_NAME)),
    NARROWEST_NAME,
  );
  const line = (start: string, texts: readonly string[]): string =>
    [padded(clipped(start, first), first), ...texts.map((text, index) => padded(text, columns[index] ?? 0))].join(GAP);
  return [
    paint('bold', title),
    paint('dim', line('', heads)),
    ...rows.flatMap(({ name, cells }) => {
      const beside = textWidth(name) <= first;
      const values = cells.map(({ value }) => value);
      const evidence = cells.map((cell) => cell.evidence);
      return [
        ...(beside ? [] : [shortened(name, width)]),
        line(beside ? name : '', values),
        ...(evidence.some((text) => text !== '') ? [paint('dim', line('', evidence))] : []),
      ];
    }),
  ];
}

function stacked({ name, cells }: TableRow, heads: readonly string[], width: number, paint: Paint): readonly string[] {
  const widest = Math.max(...heads.map(textWidth));
  return [
    shortened(name, width),
    ...cells.flatMap(({ value, evidence }, index) => {
      if (value === '' && evidence === '') return [];
      const start = `${GAP}${padded(heads[index] ?? '', widest)}${GAP}${value}`;
      return start + paint('dim', clipped(evidence === '' ? '' : `${GAP}${evidence}`, width - textWidth(start)));
    }),
  ];
}
