import { closable, make, within } from './elements.ts';
import { takeTable } from './take-table.ts';
import { cellFacts } from './takes-data.ts';

/** The view of a cell's takes; what it gives opens it with the cell of a number. */
export function openingTakes(dialog: HTMLDialogElement): (cell: number) => void {
  const title = within(dialog, 'h2 span', HTMLElement);
  const content = within(dialog, '.content', HTMLElement);
  closable(dialog);
  return (number) => {
    const cell = cellFacts(number);
    if (cell === null) return;
    title.textContent = `${cell.prompt}, ${cell.variant}, seed ${cell.seed}`;
    content.replaceChildren(
      cell.takes.length === 0 ? make('p', 'empty', 'No take was sent.') : takeTable(cell, cell.takes),
    );
    dialog.showModal();
  };
}
