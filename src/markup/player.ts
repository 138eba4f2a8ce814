import { count, duration } from '../kit/wording.ts';
import { allWithin, within } from './elements.ts';

/** `fps` is null if unknown. */
export interface PlayedVideo {
  readonly element: HTMLVideoElement;
  readonly fps: number | null;
}

/** Seconds between two videos, above which one is set to the time of the other. */
const MOST_APART_S = 0.06;

/** Frames: the browser's rounding of times may add up to this. */
const ROUNDING = 1e-3;

const ARROW_SHARE = 0.01;
const PAGE_SHARE = 0.1;

/** Shares of the length. An arrow key goes one frame if the frame rate is known. */
const KEY_SHARES: Readonly<Record<string, number>> = {
  ArrowLeft: -ARROW_SHARE,
  ArrowDown: -ARROW_SHARE,
  ArrowRight: ARROW_SHARE,
  ArrowUp: ARROW_SHARE,
  PageDown: -PAGE_SHARE,
  PageUp: PAGE_SHARE,
};

/** Videos in step. The longest one sets the time; a shorter one waits at its end. */
export class Player {
  readonly #bar: HTMLElement;
  readonly #draw: () => void;
  readonly #button: HTMLButtonElement;
  readonly #steps: readonly HTMLButtonElement[];
  readonly #time: HTMLInputElement;
  readonly #words: HTMLOutputElement;
  readonly #speed: HTMLSelectElement;
  #played: readonly PlayedVideo[] = [];
  #ticking = 0;
  /** What the reader wants. The browser itself stops a video at its end, and one that is moved within the page. */
  #isWanted = false;

  /** @param draw is called with each new frame */
  constructor(bar: HTMLElement, draw: () => void) {
    this.#bar = bar;
    this.#draw = draw;
    this.#button = within(bar, '.play', HTMLButtonElement);
    this.#steps = allWithin(bar, '.step', HTMLButtonElement);
    this.#time = within(bar, 'input', HTMLInputElement);
    this.#words = within(bar, 'output', HTMLOutputElement);
    this.#speed = within(bar, 'select', HTMLSelectElement);
    for (const button of this.#steps) button.addEventListener('click', () => this.step(Number(button.dataset.step)));
    this.#button.addEventListener('click', () => this.toggle());
    this.#time.addEventListener('input', () => this.#goTo(Number(this.#time.value)));
    this.#time.addEventListener('keydown', (event) => this.#press(event));
    this.#speed.addEventListener('change', () => {
      for (const { element } of this.#played) element.playbackRate = Number(this.#speed.value);
    });
  }

  /** No videos hide the controls. @param stoppedAtS in seconds; null plays from the beginning */
  take(videos: readonly PlayedVideo[], stoppedAtS: number | null): void {
    this.#pause();
    this.#played = videos;
    this.#bar.hidden = videos.length === 0;
    const isStepped = this.#frames() !== null;
    for (const button of this.#steps) button.hidden = !isStepped;
    for (const { element } of videos) element.addEventListener('seeked', this.#draw);
    this.#seek(stoppedAtS ?? 0);
    if (stoppedAtS === null && videos.length > 0) this.#play();
    else this.#say();
  }

  toggle(): boolean {
    const leader = this.#leader();
    if (leader === null) return false;
    if (leader.paused) this.#play();
    else this.#pause();
    return true;
  }

  /** Stops and moves by frames of the longest video; false if its frame rate is unknown. */
  step(by: number): boolean {
    const frames = this.#frames();
    if (frames === null) return false;
    this.#pause();
    const to = Math.min(frames.of - 1, Math.max(0, frames.now + by));
    // The middle of a frame: at its edge, the browser's rounded time may fall into the frame before.
    this.#seek((to + 0.5) / frames.fps);
    this.#say();
    return true;
  }

  /** Seconds; null while videos play, and without videos. */
  stoppedAtS(): number | null {
    return this.#isWanted ? null : (this.#leader()?.currentTime ?? null);
  }

  /** The longest video; null without videos. */
  #leader(): HTMLVideoElement | null {
    return this.#played.reduce<HTMLVideoElement | null>(
      (most, { element }) => (most !== null && lengthOf(most) >= lengthOf(element) ? most : element),
      null,
    );
  }

  /** Frames of the longest video, counted from 0; null if the rate is unknown. */
  #frames(): { readonly now: number; readonly of: number; readonly fps: number } | null {
    const leader = this.#leader();
    const fps = this.#played.find(({ element }) => element === leader)?.fps ?? null;
    if (leader === null || fps === null || fps <= 0) return null;
    const of = Math.max(1, Math.round(lengthOf(leader) * fps));
    return { now: Math.min(of - 1, Math.floor(leader.currentTime * fps + ROUNDING)), of, fps };
  }

  #say(): void {
    const leader = this.#leader();
    if (leader === null) return;
    this.#time.max = String(lengthOf(leader));
    this.#time.value = String(leader.currentTime);
    const at = `${duration(1000 * leader.currentTime, 's')} of ${duration(1000 * lengthOf(leader), 's')}`;
    const frames = this.#frames();
    this.#words.textContent = frames === null ? at : `${at}, frame ${count(frames.now + 1)} of ${count(frames.of)}`;
    this.#button.textContent = leader.paused ? 'Play' : 'Pause';
  }

  #seek(atS: number): void {
    for (const { element } of this.#played) element.currentTime = Math.min(atS, lengthOf(element));
  }

  #goTo(atS: number): void {
    this.#pause();
    this.#seek(Math.max(0, atS));
    this.#say();
  }

  #play(): void {
    const leader = this.#leader();
    this.#isWanted = true;
    cancelAnimationFrame(this.#ticking);
    for (const { element } of this.#played) {
      element.playbackRate = Number(this.#speed.value);
      // A video that has ended would begin again; it waits for the longest.
      if (!element.ended || element === leader) element.play().catch(() => this.#say());
    }
    this.#ticking = requestAnimationFrame(() => this.#tick());
  }

  #pause(): void {
    this.#isWanted = false;
    for (const { element } of this.#played) element.pause();
    cancelAnimationFrame(this.#ticking);
    this.#say();
  }

  #tick(): void {
    const leader = this.#leader();
    if (leader === null) return;
    if (leader.ended) {
      this.#seek(0);
      this.#play();
    }
    for (const { element } of this.#played) {
      const atS = Math.min(leader.currentTime, lengthOf(element));
      if (element !== leader && Math.abs(element.currentTime - atS) > MOST_APART_S) element.currentTime = atS;
    }
    this.#say();
    this.#draw();
    if (!leader.paused) this.#ticking = requestAnimationFrame(() => this.#tick());
  }

  #press(event: KeyboardEvent): void {
    const leader = this.#leader();
    const share = KEY_SHARES[event.key];
    if (leader === null || share === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    // By default Firefox goes a whole second.
    event.preventDefault();
    if (Math.abs(share) === ARROW_SHARE && this.step(Math.sign(share))) return;
    this.#goTo(leader.currentTime + share * lengthOf(leader));
  }
}

/** Seconds; of the part that has arrived if the file does not say its length. */
function lengthOf({ duration: seconds, seekable }: HTMLVideoElement): number {
  if (Number.isFinite(seconds)) return seconds;
  return seekable.length === 0 ? 0 : seekable.end(seekable.length - 1);
}
