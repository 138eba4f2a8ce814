import { comparedOf } from './compare/compare-hash.ts';
import { openingCompare, withNearest } from './compare/compare-view.ts';
import { allWithin, makeButton, within } from './elements.ts';
import { filterSheet } from './filter/sheet-filter.ts';
import { hoverPlayer } from './hover-player.ts';
import { pickButtons } from './pick-buttons.ts';
import { sortableTable } from './sort-table.ts';
import { switchableStrip } from './strip-switch.ts';
import { openingTakes } from './takes-view.ts';

/*
 * The page's one script: npm run client bundles it into markup/client-script.ts. Without it the page is whole. It makes elements and
 * copies nodes that are there, and never turns text into markup.
 */

document.documentElement.classList.add('scripted');
const player = hoverPlayer();
const compare = openingCompare(within(document, '#compare', HTMLDialogElement), player.isCalm);
const takes = openingTakes(within(document, '#takes', HTMLDialogElement));
pickButtons(player, (pick) => {
  player.stop();
  const compared = withNearest(pick);
  if (compared !== null) compare(compared);
});
for (const place of allWithin(document, '#images td[id]', HTMLTableCellElement)) {
  const button = makeButton('Timings', 'quiet-button', () => takes(Number(place.id.slice('cell-'.length))));
  button.setAttribute('aria-haspopup', 'dialog');
  const original = place.querySelector('.original');
  if (original === null) place.append(button);
  else original.after(' ', button);
}
for (const strip of allWithin(document, '.strip[data-kind]', HTMLElement)) switchableStrip(strip);
for (const table of allWithin(document, 'table.sortable', HTMLTableElement)) sortableTable(table);
filterSheet(within(document, '#filter', HTMLElement));

const followCompare = (): void => {
  const compared = comparedOf(location.hash);
  if (compared === null) return;
  // A link to a comparison is not what is left when it closes.
  history.replaceState(null, '', '#images');
  compare(compared);
};
addEventListener('hashchange', followCompare);
followCompare();
