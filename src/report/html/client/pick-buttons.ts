import { allWithin } from './elements.ts';
import type { HoverPlayer } from './hover-player.ts';

/**
 * Makes every image and video of the page a button that opens the compare view.
 *
 * @param open with the one that was selected
 */
export function pickButtons(player: HoverPlayer, open: (pick: HTMLElement) => void): void {
  let tapped: HTMLElement | null = null;
  for (const span of allWithin(document, '.pick', HTMLElement)) {
    repeatMedia(span);
    const button = buttonOf(span);
    if (button.querySelector('video') === null) continue;
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
    const playsFirst = pick.querySelector('video') !== null && isTouch && !player.isCalm() && tapped !== pick;
    tapped = pick;
    if (playsFirst) player.play(pick);
    else open(pick);
  });
}

/** Where the bytes of an image stand elsewhere in the page, it is shown here too. */
function repeatMedia(span: HTMLElement): void {
  const link = span.querySelector<HTMLElement>('[data-same]');
  const media = link === null ? null : document.getElementById(link.dataset.same ?? '');
  const copy = media?.cloneNode();
  if (link === null || !(copy instanceof HTMLElement)) return;
  copy.removeAttribute('id');
  link.replaceWith(copy);
}

/** The button in place of a span; a video in it has no controls of its own. */
function buttonOf(span: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'pick';
  button.setAttribute('aria-haspopup', 'dialog');
  Object.assign(button.dataset, span.dataset);
  button.append(...span.childNodes);
  for (const video of allWithin(button, 'video', HTMLVideoElement)) {
    video.controls = false;
    video.tabIndex = -1;
    button.classList.add('film');
    button.setAttribute('aria-label', video.getAttribute('aria-label') ?? '');
  }
  span.replaceWith(button);
  return button;
}
