import { unbroken } from '../../kit/wording.ts';
import { type Fill, html, type Markup } from '../../markup/markup.ts';

/** A column of numbers is set to the right; false leaves a column out. */
export type ColumnHead = string | Markup | { readonly number: string } | false;

/** A frame that may scroll must be reachable by keys. */
export function scrollingTable(
  label: string,
  heads: readonly ColumnHead[],
  rows: readonly Markup[],
  classes = 'plain',
): Markup {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${`${label}: scrolls sideways`}"><table class="${classes}">
<thead><tr>${heads.map(columnHead)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function columnHead(head: ColumnHead): Markup | false {
  if (head === false) return false;
  if (typeof head === 'object' && 'number' in head)
    return html`<th scope="col" class="number">${unbroken(head.number)}</th>`;
  return html`<th scope="col">${typeof head === 'string' ? unbroken(head) : head}</th>`;
}

/** On a narrow screen its rows are blocks, which only roles still make a table. */
export function stackedTable(
  label: string,
  heads: readonly string[],
  rows: readonly Markup[],
  classes = 'side-by-side',
): Markup {
  return html`<table class="${classes}" role="table" aria-label="${label}"><thead role="rowgroup"><tr role="row">${heads.map(
    (head) => html`<th scope="col" role="columnheader">${head}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table>`;
}

/** A row of a stacked table. @param cells the head of the column stands beside each where rows are blocks */
export function stackedRow(head: Fill, cells: readonly (readonly [column: string, cell: Fill])[]): Markup {
  return html`<tr role="row"><th scope="row" role="rowheader">${head}</th>${cells.map(
    ([column, cell]) => html`<td role="cell" data-label="${column}">${cell}</td>`,
  )}</tr>
`;
}
