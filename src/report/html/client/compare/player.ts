import { duration } from '../../../../text/quantity.ts';
import { within } from '../elements.ts';

/** Plays the videos of the compare view in step. */
export interface Player {
  /** Takes these videos, from their beginning; none hides the controls. */
  readonly take: (videos: readonly HTMLVideoElement[], plays: boolean) => void;
  readonly toggle: () => void;
}

/** Videos that are apart by more than this are set together again, in seconds. */
const MOST_APART_S = 0.06;

/**
 * The controls of all videos at once. The longest sets the time; a shorter one waits at its end.
 *
 * @param draw is called with each step of time
 */
export function openPlayer(bar: HTMLElement, draw: () => void): Player {
  const button = within(bar, 'button', HTMLButtonElement);
  const time = within(bar, 'input', HTMLInputElement);
  const words = within(bar, 'output', HTMLOutputElement);
  let videos: readonly HTMLVideoElement[] = [];
  let ticking = 0;

  const longest = (): HTMLVideoElement | null =>
    videos.reduce<HTMLVideoElement | null>(
      (most, each) => (most !== null && most.duration >= each.duration ? most : each),
      null,
    );

  const say = (): void => {
    const leader = longest();
    if (leader === null) return;
    time.max = String(leader.duration);
    time.value = String(leader.currentTime);
    words.textContent = `${duration(1000 * leader.currentTime, 's')} of ${duration(1000 * leader.duration, 's')}`;
    button.textContent = leader.paused ? 'Play' : 'Pause';
  };

  const seek = (atS: number): void => {
    for (const video of videos) video.currentTime = Math.min(atS, video.duration);
  };

  const tick = (): void => {
    const leader = longest();
    if (leader === null) return;
    if (leader.ended) {
      seek(0);
      play();
    }
    for (const video of videos) {
      const atS = Math.min(leader.currentTime, video.duration);
      if (video !== leader && Math.abs(video.currentTime - atS) > MOST_APART_S) video.currentTime = atS;
    }
    say();
    draw();
    if (!leader.paused) ticking = requestAnimationFrame(tick);
  };

  const play = (): void => {
    cancelAnimationFrame(ticking);
    for (const video of videos) video.play().catch(say);
    ticking = requestAnimationFrame(tick);
  };

  const pause = (): void => {
    for (const video of videos) video.pause();
    cancelAnimationFrame(ticking);
    say();
  };

  const toggle = (): void => {
    if (longest()?.paused === true) play();
    else pause();
  };

  button.addEventListener('click', toggle);
  time.addEventListener('input', () => {
    const atS = Number(time.value);
    pause();
    seek(atS);
    say();
  });

  return {
    toggle,
    take: (taken, plays) => {
      pause();
      videos = taken;
      bar.hidden = videos.length === 0;
      for (const video of videos) video.addEventListener('seeked', draw);
      seek(0);
      if (plays && videos.length > 0) play();
      else say();
    },
  };
}
