import { allWithin } from './elements.ts';

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

/** Replaces a link to equal bytes by a copy of their image. */
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
  }
  span.replaceWith(button);
}

/** Plays the videos of one row in step while one of them is pointed at or has the focus. */
export interface HoverPlayer {
  readonly play: (pick: HTMLElement) => void;
  /** Stops the row of this button; all without one. */
  readonly stop: (pick?: HTMLElement) => void;
  /** True if the reader prefers reduced motion. */
  readonly isCalm: () => boolean;
}

/** One prompt and seed: a row of the contact sheet, a strip, a pair of two runs. */
const ROW = 'tr, .strip-images, .media';

export function hoverPlayer(): HoverPlayer {
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  let playing: { readonly pick: HTMLElement; readonly films: readonly HTMLElement[] } | null = null;

  const stop = (pick?: HTMLElement): void => {
    if (playing === null || (pick !== undefined && playing.pick !== pick)) return;
    for (const film of playing.films) {
      const video = film.querySelector('video');
      video?.pause();
      video?.load();
      film.classList.remove('playing');
    }
    playing = null;
  };

  const play = (pick: HTMLElement): void => {
    if (calm.matches || pick.querySelector('video') === null || playing?.pick === pick) return;
    stop();
    const films = allWithin(pick.closest(ROW) ?? pick, 'button.film', HTMLElement).filter(isInView);
    playing = { pick, films };
    for (const film of films) {
      film.classList.add('playing');
      film
        .querySelector('video')
        ?.play()
        .catch(() => film.classList.remove('playing'));
    }
  };

  return { play, stop, isCalm: () => calm.matches };
}

/** Only videos in view are decoded: there may be very many variants. */
function isInView(film: HTMLElement): boolean {
  const { left, right, width } = film.getBoundingClientRect();
  return width > 0 && right > 0 && left < innerWidth;
}
