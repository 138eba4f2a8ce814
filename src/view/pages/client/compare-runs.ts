import { clickedOutput, compareView } from '../../../report/html/client/compare/compare-view.ts';
import { within } from '../../../report/html/client/elements.ts';
import { followPicks, hoverPlayer, makePicks } from '../../../report/html/client/pick-buttons.ts';
import { betweenRuns } from './between-runs.ts';

/*
 * The build bundles this script of the page of two runs into pages/compare/compare-script.ts. It opens the compare view
 * of reports with the outputs of both runs.
 */

document.documentElement.classList.add('scripted');
const player = hoverPlayer();
const compare = compareView(within(document, '#compare', HTMLDialogElement), {
  isCalm: player.isCalm,
  between: betweenRuns,
  place: '#outputs',
});
makePicks(document.body);
followPicks(player, (pick) => {
  player.stop();
  const compared = clickedOutput(pick);
  if (compared !== null) compare.open(compared);
});
addEventListener('hashchange', compare.follow);
compare.follow();
