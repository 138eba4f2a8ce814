import { allWithin, makeButton } from './elements.ts';

type SortOrder = 'ascending' | 'descending';

/** Sorts ascending, descending, then as before, by `data-value` or row heads. Rows without a value stay last. */
export function sortableTable(table: HTMLTableElement): void {
  const heads = allWithin(table, 'thead th', HTMLTableCellElement);
  const bodies = [...table.tBodies]
    .map((body) => ({ body, asWas: [...body.rows] }))
    .filter(({ asWas }) => asWas.length > 1);
  for (const head of heads) {
    const cells = bodies.flatMap(({ asWas }) => asWas.flatMap((row) => row.cells[head.cellIndex] ?? []));
    const canSort = cells.some(({ dataset, tagName }) => dataset.value !== undefined || tagName === 'TH');
    if (!canSort || head.textContent?.trim() === '') continue;
    const button = makeButton('', 'sort', () => {
      const order = nextOrder(head.ariaSort);
      for (const column of heads) column.removeAttribute('aria-sort');
      if (order !== null) head.ariaSort = order;
      for (const { body, asWas } of bodies) {
        body.append(...(order === null ? asWas : sorted(asWas, head.cellIndex, order)));
      }
    });
    button.append(...head.childNodes);
    head.append(button);
  }
}

function nextOrder(now: string | null): SortOrder | null {
  if (now === 'ascending') return 'descending';
  return now === 'descending' ? null : 'ascending';
}

function sorted(
  rows: readonly HTMLTableRowElement[],
  column: number,
  order: SortOrder,
): readonly HTMLTableRowElement[] {
  const cells = rows.map(({ cells }) => cells[column]);
  const isNumeric = cells.some((cell) => cell?.dataset.value !== undefined);
  const keyed = rows.map((row, at) => ({ row, key: isNumeric ? numberOf(cells[at]) : textOf(cells[at]) }));
  const sign = order === 'ascending' ? 1 : -1;
  return keyed
    .sort((a, b) => {
      if (a.key === b.key) return 0;
      if (a.key === null || b.key === null) return a.key === null ? 1 : -1;
      return a.key < b.key ? -sign : sign;
    })
    .map(({ row }) => row);
}

function numberOf(cell: HTMLTableCellElement | undefined): number | null {
  const value = cell?.dataset.value;
  return value === undefined || value === '' ? null : Number(value);
}

/** The name in a cell, without notes on it; else all its text. */
function textOf(cell: HTMLTableCellElement | undefined): string {
  return ((cell?.querySelector('.name') ?? cell)?.textContent ?? '').trim().toLowerCase();
}
