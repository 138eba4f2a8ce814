import { arriveAtParts } from './arrive.ts';
import { betweenWords } from './compare/between.ts';
import { comparedOf } from './compare/compare-hash.ts';
import { clickedOutput, compareView } from './compare/compare-view.ts';
import { allWithin, makeButton, within } from './elements.ts';
import { followPicks, hoverPlayer, makePicks } from './pick-buttons.ts';
import { filterSheet } from './sheet-filter.ts';
import { sortableTable } from './sort-table.ts';
import { switchableStrip } from './strip-switch.ts';
import { openingTakes } from './take-table.ts';

/*
 * The build bundles this into markup/client-script.ts. The page is whole without it. It makes elements and copies
 * nodes, and never turns text into markup.
 */

document.documentElement.classList.add('scripted');
const player = hoverPlayer();
const compare = compareView(within(document, '#compare', HTMLDialogElement), {
  isCalm: player.isCalm,
  between: betweenWords,
  place: '#images',
});
const takes = openingTakes(within(document, '#takes', HTMLDialogElement));
const prepared = new WeakSet<Element>();

/** Makes a prompt's buttons only when needed: a page with very many prompts is ready at once. */
const prepare = (article: HTMLElement): void => {
  if (prepared.has(article)) return;
  prepared.add(article);
  makePicks(article);
  for (const place of allWithin(article, 'td[id]', HTMLTableCellElement)) {
    const button = makeButton('Timings', 'quiet-button', () => takes(Number(place.id.slice('cell-'.length))));
    button.setAttribute('aria-haspopup', 'dialog');
    const original = place.querySelector('.original');
    if (original === null) place.append(button);
    else original.after(' ', button);
  }
};
const prepareCell = (number: number): void => {
  const article = document.getElementById(`cell-${number}`)?.closest<HTMLElement>('#images article') ?? null;
  if (article !== null) prepare(article);
};

for (const strip of allWithin(document, '.strip', HTMLElement)) makePicks(strip);
followPicks(player, (pick) => {
  player.stop();
  prepareCell(Number(pick.dataset.cell));
  const compared = clickedOutput(pick);
  if (compared !== null) compare.open(compared);
});
for (const strip of allWithin(document, '.strip[data-kind]', HTMLElement)) switchableStrip(strip, prepare);
for (const table of allWithin(document, 'table.sortable', HTMLTableElement)) sortableTable(table);
// Without a delivered take there are no images to filter.
for (const filter of allWithin(document, '#filter', HTMLElement)) filterSheet(filter, prepare);

const follow = (): void => {
  const compared = comparedOf(location.hash);
  if (compared !== null) prepareCell(compared.outputs[0].cell.number);
  compare.follow();
};
addEventListener('hashchange', follow);
follow();
arriveAtParts();
