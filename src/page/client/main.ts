import { allWithin, showLocalTimes, within } from '../../markup/elements.ts';
import { followPicks, hoverPlayer, makePicks } from '../../markup/pick-buttons.ts';
import { sortableTable } from '../../markup/sort-table.ts';
import { CompareView, clickedOutput } from './compare/compare-view.ts';
import { arriveAtParts, turnKinds } from './kind-tabs.ts';
import type { OutputFacts } from './page-facts.ts';
import { filterSheet } from './sheet-filter.ts';
import { rowsByChange, switchableStrip } from './strip-switch.ts';

/* Bundled into page/client-script.ts. The page is whole without it. Text never becomes markup. */

document.documentElement.classList.add('scripted');
showLocalTimes(document);
turnKinds();
const player = hoverPlayer();
const prepared = new WeakSet<Element>();

/** Makes a prompt's buttons only when needed: a page with very many prompts is ready at once. */
const prepare = (article: HTMLElement): void => {
  if (prepared.has(article)) return;
  prepared.add(article);
  makePicks(article);
};
const prepareCell = (number: number): void => {
  const article = document.getElementById(`cell-${number}`)?.closest<HTMLElement>('#images article') ?? null;
  if (article !== null) prepare(article);
};

const kindOf = ({ cell }: OutputFacts): string =>
  document.getElementById(`cell-${cell.number}`)?.closest<HTMLElement>('[data-kind]')?.dataset.kind ?? '';
const compare = new CompareView(within(document, '#compare', HTMLDialogElement), {
  isCalm: player.isCalm,
  rows: (output) =>
    rowsByChange(kindOf(output)).map(({ cells }) => cells.flatMap(({ outputs }) => outputs.slice(0, 1))),
  prepare: prepareCell,
  place: '#images',
});

for (const strip of allWithin(document, '.strip', HTMLElement)) makePicks(strip);
followPicks(player, (pick) => {
  player.stop();
  const compared = clickedOutput(pick);
  if (compared !== null) compare.open(compared);
});
for (const strip of allWithin(document, '.strip[data-kind]', HTMLElement)) switchableStrip(strip, prepare);
for (const table of allWithin(document, 'table.sortable', HTMLTableElement)) sortableTable(table);
// Without a delivered take there are no images to filter.
for (const filter of allWithin(document, '#filter', HTMLElement)) filterSheet(filter, prepare);

addEventListener('hashchange', () => compare.follow());
compare.follow();
arriveAtParts();
