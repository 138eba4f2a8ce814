import type { Diagnostic, Place, Source } from '../../kit/diagnostic.ts';
import type { Json } from '../../kit/json.ts';
import { nearest } from '../../kit/nearest.ts';
import { isPromptField } from '../declare/prompts.ts';

/** A run cannot send more prompts: a limit for wrong files. */
export const MOST_PROMPTS = 200_000;

/** Errors reported per file: more have one cause. */
export const MOST_FAULTS = 100;

export interface PromptRow {
  /** In the file, from 1, without headers. */
  readonly number: number;
  readonly place: Place;
  readonly columns: readonly string[];
  /** A cell, or the value of a key or JSON pointer; undefined if missing or empty. */
  readonly value: (column: string) => Json | undefined;
  readonly sourceOf: (column: string) => Source;
  /** A diagnostic at a cell, or at the row if it has no such column. */
  readonly refuse: (column: string, cause: string, remedy: string) => Diagnostic;
}

export interface PromptRows {
  /** `cells`: texts, with a notation for lists and numbers; `json`: typed values; `lines`: only texts. */
  readonly kind: 'cells' | 'json' | 'lines';
  readonly rows: readonly PromptRow[];
}

/** A row while it is read. `placeOf` gives the row's place for a missing column. */
export interface OpenRow extends Pick<PromptRow, 'columns' | 'value'> {
  readonly placeOf: (column: string) => Place;
}

/** Reads the rows of one file from their pieces. */
export class RowReader<Piece> {
  readonly startOf: (piece: Piece) => Place;
  readonly #open: (piece: Piece) => OpenRow;
  /** The last row: its columns are read one after the other. */
  #last: { readonly piece: Piece; readonly row: OpenRow } | null = null;

  constructor(startOf: (piece: Piece) => Place, open: (piece: Piece) => OpenRow) {
    this.startOf = startOf;
    this.#open = open;
  }

  open(piece: Piece): OpenRow {
    if (this.#last?.piece !== piece) this.#last = { piece, row: this.#open(piece) };
    return this.#last.row;
  }
}

/** Keeps its text, not its values: for up to 200,000 rows, parsing again costs less than that memory. */
export class PieceRow<Piece> implements PromptRow {
  readonly #reader: RowReader<Piece>;
  readonly #piece: Piece;
  readonly number: number;

  constructor(reader: RowReader<Piece>, piece: Piece, number: number) {
    this.#reader = reader;
    this.#piece = piece;
    this.number = number;
  }

  get place(): Place {
    return this.#reader.startOf(this.#piece);
  }

  get columns(): readonly string[] {
    return this.#reader.open(this.#piece).columns;
  }

  value(column: string): Json | undefined {
    return this.#reader.open(this.#piece).value(column);
  }

  sourceOf(column: string): Source {
    return { place: this.#reader.open(this.#piece).placeOf(column), setBy: null, filled: false };
  }

  refuse(column: string, cause: string, remedy: string): Diagnostic {
    return { place: this.#reader.open(this.#piece).placeOf(column), cause, remedy };
  }
}

export function columnsIn(rows: readonly PromptRow[]): ReadonlySet<string> {
  const known = new Set<string>();
  let met: PromptRow['columns'] = [];
  for (const { columns } of rows) {
    // Rows of a table share one list.
    if (columns !== met) for (const column of columns) known.add(column);
    met = columns;
  }
  return known;
}

/** Reports an error at a key of the suite's entry for this file. */
export type RefuseEntry = (path: readonly (string | number)[], cause: string, remedy: string) => Diagnostic;

/** The remedy for rows without `text`. */
export function nameTheText(columns: readonly string[]): string {
  const meant = nearest('text', columns);
  if (meant !== null) return `did you mean "${meant}"?`;
  const likely =
    columns.find((column) => /prompt/i.test(column)) ??
    nearest('prompt', columns) ??
    columns.find((column) => !isPromptField(column)) ??
    'prompt';
  return `say which it is: map: { text: ${JSON.stringify(likely)} }`;
}

interface Line {
  readonly line: number;
  readonly at: number;
  readonly content: string;
}

const LINE_END = /\r\n?|\n/g;

/** Lines ending with CRLF, LF or CR, one at a time to save memory. */
export function* linesOf(text: string): Generator<Line> {
  let at = 0;
  for (let line = 1; at <= text.length; line += 1) {
    const content = lineAt(text, at);
    yield { line, at, content };
    at += content.length;
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
}

export function lineAt(text: string, at: number): string {
  LINE_END.lastIndex = at;
  return text.slice(at, LINE_END.exec(text)?.index);
}
