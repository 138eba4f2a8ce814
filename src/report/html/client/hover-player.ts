import { allWithin } from './elements.ts';

/** Plays the videos of one row in step while one of them is pointed at or has the focus. */
export interface HoverPlayer {
  readonly play: (pick: HTMLElement) => void;
  /** Those beside a button, or all. */
  readonly stop: (pick?: HTMLElement) => void;
  /** Whether nothing may move by itself. */
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
      // Shows the first frame again.
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
