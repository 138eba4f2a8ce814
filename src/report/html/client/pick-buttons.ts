import { allWithin } from './elements.ts';
import type { HoverPlayer } from './hover-player.ts';

/**
 * Makes every image of the page a button that opens the compare view.
 *
 * @param open with the image that was selected
 */
export function pickButtons(player: HoverPlayer, open: (pick: HTMLElement) => void): void {
  let tapped: HTMLElement | null = null;
  for (const span of allWithin(document, '.pick', HTMLElement)) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'pick';
    button.setAttribute('aria-haspopup', 'dialog');
    Object.assign(button.dataset, span.dataset);
    button.append(...span.childNodes);
    span.replaceWith(button);
    if (button.dataset.video === undefined) continue;
    button.addEventListener('pointerenter', ({ pointerType }) => {
      if (pointerType !== 'touch') player.play(button);
    });
    button.addEventListener('pointerleave', ({ pointerType }) => {
      if (pointerType !== 'touch') player.stop(button);
    });
    button.addEventListener('focus', () => player.play(button));
    button.addEventListener('blur', () => {
      tapped = null;
      player.stop(button);
    });
  }

  document.addEventListener('click', (event) => {
    const pick = event.target instanceof Element ? event.target.closest<HTMLElement>('button.pick') : null;
    if (pick === null) {
      tapped = null;
      return;
    }
    // A finger cannot point: its first tap plays, its second compares.
    const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
    const playsFirst = pick.dataset.video !== undefined && isTouch && !player.isCalm() && tapped !== pick;
    tapped = pick;
    if (playsFirst) player.play(pick);
    else open(pick);
  });
}
