import { openingCompare } from './compare.ts';
import { hoverPlayer } from './hover-player.ts';
import { pickButtons } from './pick-buttons.ts';

/*
 * The page's one script: npm run client bundles it into markup/client-script.ts. Without it the page is whole. It makes elements and
 * copies nodes that are there, and never turns text into markup.
 */

const dialog = document.getElementById('compare');
if (dialog instanceof HTMLDialogElement) {
  document.documentElement.classList.add('scripted');
  const player = hoverPlayer();
  const compare = openingCompare(dialog, player);
  pickButtons(player, compare);
}
