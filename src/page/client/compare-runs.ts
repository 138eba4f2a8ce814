import { allWithin, showLocalTimes, within } from '../../markup/elements.ts';
import { followPicks, hoverPlayer, makePicks } from '../../markup/pick-buttons.ts';
import { CompareView, clickedOutput } from './compare/compare-view.ts';
import { outputOf } from './page-facts.ts';

/* Script of the page of two runs; the build bundles it into page/compare-script.ts. */

document.documentElement.classList.add('scripted');
showLocalTimes(document);
const player = hoverPlayer();
const rows = allWithin(document, 'article[data-pair]', HTMLElement).map((pair) =>
  allWithin(pair, '.pick', HTMLElement).flatMap((pick) => outputOf(pick) ?? []),
);
const compare = new CompareView(within(document, '#compare', HTMLDialogElement), {
  isCalm: player.isCalm,
  rows: () => rows,
  prepare: () => {},
  place: '#outputs',
});
makePicks(document.body);
followPicks(player, (pick) => {
  player.stop();
  const compared = clickedOutput(pick);
  if (compared !== null) compare.open(compared);
});
addEventListener('hashchange', () => compare.follow());
compare.follow();
