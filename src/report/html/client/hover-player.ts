/** Plays the video of one button at a time, while it is pointed at or has the focus. */
export interface HoverPlayer {
  readonly play: (pick: HTMLElement) => void;
  /** Stops that of a button, or any. */
  readonly stop: (pick?: HTMLElement) => void;
  /** Whether nothing may move by itself. */
  readonly isCalm: () => boolean;
}

/** The player of the page. */
export function hoverPlayer(): HoverPlayer {
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  let playing: { readonly pick: HTMLElement; readonly video: HTMLVideoElement } | null = null;

  const stop = (pick?: HTMLElement): void => {
    if (playing === null || (pick !== undefined && playing.pick !== pick)) return;
    playing.video.pause();
    // Shows its first frame again.
    playing.video.load();
    playing.pick.classList.remove('playing');
    playing = null;
  };

  const play = (pick: HTMLElement): void => {
    const video = pick.querySelector('video');
    if (calm.matches || video === null || playing?.pick === pick) return;
    stop();
    playing = { pick, video };
    pick.classList.add('playing');
    video.play().catch(() => {
      if (playing?.video === video) stop();
    });
  };

  return { play, stop, isCalm: () => calm.matches };
}
