import { count, duration } from '../kit/wording.ts';
import { allWithin, within } from './elements.ts';

/** Frames a second are null where unknown. */
export interface PlayedVideo {
  readonly element: HTMLVideoElement;
  readonly fps: number | null;
}

export interface Player {
  /**
   * No videos hide the controls.
   *
   * @param stoppedAtS seconds; null: they play from the beginning
   */
  readonly take: (videos: readonly PlayedVideo[], stoppedAtS: number | null) => void;
  /** Gives whether there are videos. */
  readonly toggle: () => boolean;
  /** Stops, and goes so many frames of the longest video on or back; gives whether it could. */
  readonly step: (frames: number) => boolean;
  /** Seconds; null while videos play, and where there are none. */
  readonly stoppedAtS: () => number | null;
}

/** Videos further apart are set together again. */
const MOST_APART_S = 0.06;

/** In frames: what the browser's rounding of a time may add up to. */
const ROUNDING = 1e-3;

/** Of the length, for an arrow key where the frame rate is unknown. */
const ARROW_SHARE = 0.01;
const PAGE_SHARE = 0.1;

/** Of the length. An arrow key goes one frame where the frame rate is known. */
const KEY_SHARES: Readonly<Record<string, number>> = {
  ArrowLeft: -ARROW_SHARE,
  ArrowDown: -ARROW_SHARE,
  ArrowRight: ARROW_SHARE,
  ArrowUp: ARROW_SHARE,
  PageDown: -PAGE_SHARE,
  PageUp: PAGE_SHARE,
};

/**
 * The longest video sets the time; a shorter one waits at its end.
 *
 * @param draw is called with each step of time
 * @param settled is called once the reader has started or stopped videos, or chosen a time
 */
export function openPlayer(bar: HTMLElement, draw: () => void, settled: () => void): Player {
  const button = within(bar, '.play', HTMLButtonElement);
  const steps = allWithin(bar, '.step', HTMLButtonElement);
  const time = within(bar, 'input', HTMLInputElement);
  const words = within(bar, 'output', HTMLOutputElement);
  const speed = within(bar, 'select', HTMLSelectElement);
  let played: readonly PlayedVideo[] = [];
  let videos: readonly HTMLVideoElement[] = [];
  let ticking = 0;

  const longest = (): HTMLVideoElement | null =>
    videos.reduce<HTMLVideoElement | null>(
      (most, each) => (most !== null && lengthOf(most) >= lengthOf(each) ? most : each),
      null,
    );

  const say = (): void => {
    const leader = longest();
    if (leader === null) return;
    time.max = String(lengthOf(leader));
    time.value = String(leader.currentTime);
    const at = `${duration(1000 * leader.currentTime, 's')} of ${duration(1000 * lengthOf(leader), 's')}`;
    const frames = framesOf(leader);
    words.textContent = frames === null ? at : `${at}, frame ${count(frames.now + 1)} of ${count(frames.of)}`;
    button.textContent = leader.paused ? 'Play' : 'Pause';
  };

  /** Counted from 0; null where the rate is unknown. */
  const framesOf = (video: HTMLVideoElement): { now: number; of: number; fps: number } | null => {
    const fps = played.find(({ element }) => element === video)?.fps ?? null;
    if (fps === null || fps <= 0) return null;
    const of = Math.max(1, Math.round(lengthOf(video) * fps));
    return { now: Math.min(of - 1, Math.floor(video.currentTime * fps + ROUNDING)), of, fps };
  };

  const seek = (atS: number): void => {
    for (const video of videos) video.currentTime = Math.min(atS, lengthOf(video));
  };

  const tick = (): void => {
    const leader = longest();
    if (leader === null) return;
    if (leader.ended) {
      seek(0);
      play();
    }
    for (const video of videos) {
      const atS = Math.min(leader.currentTime, lengthOf(video));
      if (video !== leader && Math.abs(video.currentTime - atS) > MOST_APART_S) video.currentTime = atS;
    }
    say();
    draw();
    if (!leader.paused) ticking = requestAnimationFrame(tick);
  };

  const play = (): void => {
    cancelAnimationFrame(ticking);
    for (const video of videos) {
      video.playbackRate = Number(speed.value);
      // A video that has ended would begin again; it waits for the longest.
      if (!video.ended || video === longest()) video.play().catch(say);
    }
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

  const step = (by: number): boolean => {
    const leader = longest();
    const frames = leader === null ? null : framesOf(leader);
    if (frames === null) return false;
    pause();
    const to = Math.min(frames.of - 1, Math.max(0, frames.now + by));
    // The middle of a frame: at its edge, the browser's rounded time may fall into the frame before.
    seek((to + 0.5) / frames.fps);
    say();
    settled();
    return true;
  };

  for (const each of steps) each.addEventListener('click', () => step(Number(each.dataset.step)));
  button.addEventListener('click', () => {
    toggle();
    settled();
  });
  const goTo = (atS: number): void => {
    pause();
    seek(Math.max(0, atS));
    say();
  };
  time.addEventListener('input', () => goTo(Number(time.value)));
  time.addEventListener('keydown', (event) => {
    const leader = longest();
    const share = KEY_SHARES[event.key];
    if (leader === null || share === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    // By default Firefox goes a whole second.
    event.preventDefault();
    if (Math.abs(share) === ARROW_SHARE && step(Math.sign(share))) return;
    goTo(leader.currentTime + share * lengthOf(leader));
    settled();
  });
  time.addEventListener('change', settled);
  speed.addEventListener('change', () => {
    for (const video of videos) video.playbackRate = Number(speed.value);
  });

  return {
    toggle: () => {
      if (videos.length === 0) return false;
      toggle();
      settled();
      return true;
    },
    step,
    stoppedAtS: () => {
      const leader = longest();
      return leader?.paused === true ? leader.currentTime : null;
    },
    take: (taken, stoppedAtS) => {
      pause();
      played = taken;
      videos = taken.map(({ element }) => element);
      bar.hidden = videos.length === 0;
      const leader = longest();
      for (const each of steps) each.hidden = leader === null || framesOf(leader) === null;
      for (const video of videos) video.addEventListener('seeked', draw);
      seek(stoppedAtS ?? 0);
      if (stoppedAtS === null && videos.length > 0) play();
      else say();
    },
  };
}

/** Seconds; the part that has arrived where the file does not say. */
function lengthOf({ duration: own, seekable }: HTMLVideoElement): number {
  if (Number.isFinite(own)) return own;
  return seekable.length === 0 ? 0 : seekable.end(seekable.length - 1);
}
