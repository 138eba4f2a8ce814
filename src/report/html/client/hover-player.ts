/** Plays the video of one button at a time, while it is pointed at or has the focus. */
export interface HoverPlayer {
  /** A video of its own that shows the preview of a button. */
  readonly videoOf: (pick: HTMLElement) => HTMLVideoElement;
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
    playing.video.remove();
    playing = null;
  };

  const play = (pick: HTMLElement): void => {
    if (calm.matches || playing?.pick === pick) return;
    stop();
    const video = videoOf(pick);
    playing = { pick, video };
    pick.append(video);
    video.play().catch(() => {
      if (playing?.video === video) stop();
    });
  };

  return { videoOf, play, stop, isCalm: () => calm.matches };
}

function videoOf({ dataset }: HTMLElement): HTMLVideoElement {
  const video = document.createElement('video');
  const data = document.getElementById(`video-${dataset.video}`);
  if (data instanceof HTMLDataElement) video.src = data.value;
  video.setAttribute('aria-label', dataset.label ?? '');
  video.muted = true;
  video.loop = true;
  video.playsInline = true;
  return video;
}
