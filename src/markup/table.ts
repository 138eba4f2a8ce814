import { groupBy } from '../kit/grouping.ts';
import { unbroken } from '../kit/wording.ts';
import { type Fill, html, type Markup } from './markup.ts';

export interface TableColumn<Row> {
  readonly head: string | Markup;
  readonly cell: (row: Row) => Fill;
  /** Numbers are set to the right. */
  readonly number?: boolean;
  /** By which a reader may sort; null of a row that stays last. */
  readonly by?: (row: Row) => number | null;
  /** What style makes room for: `NAME-head` and `NAME-cell`. */
  readonly room?: string | null;
}

interface TableParts<Row> {
  readonly label: string;
  /** Rows of a narrow screen: scrolled sideways in a frame that keys can reach, or each a block. */
  readonly as: 'scroll' | 'stack';
  readonly classes?: string;
  readonly frame?: string;
  /** The first has the heads of rows; false leaves a column out. */
  readonly columns: readonly (TableColumn<Row> | false)[];
  readonly rows: readonly Row[];
  /** Rows in a row with equal texts share the head of the first. */
  readonly group?: (row: Row) => string;
  readonly attributes?: (row: Row) => Markup | false;
}

export function table<Row>({ columns: given, ...parts }: TableParts<Row>): Markup {
  const { label, as, classes = 'plain', frame = 'scroll', rows, group, attributes } = parts;
  // Blocks are no table without roles.
  const role = (name: string) => as === 'stack' && html` role="${name}"`;
  const columns = given.filter((column) => column !== false);
  const head = ({ head: words, ...column }: TableColumn<Row>): Markup =>
    html`<th scope="col"${role('columnheader')}${classOf(column, 'head')}>${typeof words === 'string' ? unbroken(words) : words}</th>`;
  const cell = (row: Row, column: TableColumn<Row>): Markup => {
    const { head: words, by } = column;
    return html`<td${role('cell')}${as === 'stack' && html` data-label="${words}"`}${classOf(column, 'cell')}${by !== undefined && sortValue(by(row))}>${column.cell(row)}</td>`;
  };
  const [first, ...others] = columns;
  const groups = group === undefined ? [rows] : [...groupBy(rows, group).values()];
  const bodies = groups.map((members) => {
    const lines = members.map((row, at) => {
      const scope = group === undefined ? html` scope="row"` : html` scope="rowgroup" rowspan="${members.length}"`;
      const name = (group === undefined || at === 0) && html`<th${scope}${role('rowheader')}>${first?.cell(row)}</th>`;
      return html`<tr${role('row')}${attributes?.(row)}>${name}${others.map((column) => cell(row, column))}</tr>
`;
    });
    return html`<tbody${role('rowgroup')}>${lines}</tbody>`;
  });
  const named = as === 'stack' && html` role="table" aria-label="${label}"`;
  const made = html`<table class="${classes}"${named}><thead${role('rowgroup')}><tr${role('row')}>${columns.map(head)}</tr></thead>
${bodies}</table>`;
  return as === 'stack'
    ? made
    : html`<div class="${frame}" tabindex="0" role="group" aria-label="${`${label}: scrolls sideways`}">${made}</div>`;
}

function classOf<Row>(
  { number = false, room = null }: Partial<TableColumn<Row>>,
  part: 'head' | 'cell',
): Markup | false {
  const classes = [...(number ? ['number'] : []), ...(room === null ? [] : [`${room}-${part}`])];
  return classes.length > 0 && html` class="${classes.join(' ')}"`;
}

function sortValue(by: number | null): Markup | false {
  return by !== null && html` data-value="${by}"`;
}
