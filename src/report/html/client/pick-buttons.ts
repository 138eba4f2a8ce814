import { allWithin } from './elements.ts';
import type { HoverPlayer } from './hover-player.ts';

export function makePicks(part: HTMLElement): void {
  for (const span of allWithin(part, 'span.pick, span.input', HTMLElement)) {
    repeatMedia(span);
    if (span.classList.contains('pick')) makeButton(span);
  }
}

/** @param open opens the compare view with the selected button */
export function followPicks(player: HoverPlayer, open: (pick: HTMLElement) => void): void {
  let tapped: HTMLElement | null = null;
  document.addEventListener('pointerover', ({ target, pointerType }) => {
    const film = filmAt(target);
    if (film !== null && pointerType !== 'touch') player.play(film);
  });
  document.addEventListener('pointerout', ({ target, relatedTarget, pointerType }) => {
    const film = filmAt(target);
    if (film !== null && film !== filmAt(relatedTarget) && pointerType !== 'touch') player.stop(film);
  });
  document.addEventListener('focusin', ({ target }) => {
    const film = filmAt(target);
    if (film !== null) player.play(film);
  });
  document.addEventListener('focusout', ({ target }) => {
    const film = filmAt(target);
    tapped = null;
    if (film !== null) player.stop(film);
  });
  document.addEventListener('click', (event) => {
    const pick = event.target instanceof Element ? event.target.closest<HTMLElement>('button.pick') : null;
    if (pick === null) {
      tapped = null;
      return;
    }
    // A finger cannot point: its first tap plays, its second compares.
    const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
    const playsFirst = filmAt(pick) !== null && isTouch && !player.isCalm() && tapped !== pick;
    tapped = pick;
    if (playsFirst) player.play(pick);
    else open(pick);
  });
}

function filmAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('button.film') : null;
}

/** The bytes of an image may stand elsewhere in the page. */
function repeatMedia(span: HTMLElement): void {
  const link = span.querySelector<HTMLElement>('[data-same]');
  const media = link === null ? null : document.getElementById(link.dataset.same ?? '');
  const copy = media?.cloneNode();
  if (link === null || !(copy instanceof HTMLElement)) return;
  copy.removeAttribute('id');
  link.replaceWith(copy);
}

/** A video in a button has no controls of its own. */
function makeButton(span: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'pick';
  button.setAttribute('aria-haspopup', 'dialog');
  Object.assign(button.dataset, span.dataset);
  button.append(...span.childNodes);
  for (const video of allWithin(button, 'video', HTMLVideoElement)) {
    video.controls = false;
    button.classList.add('film');
    button.setAttribute('aria-label', video.getAttribute('aria-label') ?? '');
  }
  span.replaceWith(button);
}
