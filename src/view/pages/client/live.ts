import type { LiveOutput, LiveState } from '../live/live-state.ts';
import { runningTime } from '../live/running-time.ts';

/*
 * The script of the page of a run in progress: the build bundles it into pages/live/live-script.ts. It follows the run by server-sent
 * events, and goes to the report once there is one. It sets texts and makes elements, and never turns text into markup.
 */

/** Figures that stay on the page. */
const MOST_SHOWN = 24;
/** The browser connects again by itself, but not after an answer that is no stream: the page says then why. */
const AGAIN_AFTER_MS = 5000;
/** A browser has few connections to a server. A page that nobody sees holds none, and looks now and then. */
const UNSEEN_LOOK_AFTER_MS = 10_000;

document.documentElement.classList.add('scripted');
/** The last state; null before the first. */
let last: LiveState | null = null;
let again = 0;
let source: EventSource | null = null;
follow();
setInterval(tellTime, 1000);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && source === null) follow();
});
for (const change of ['pointerleave', 'focusout', 'pause'] as const) {
  // What stays while it is looked at goes on once it is not.
  document.getElementById('latest')?.addEventListener(change, () => setTimeout(showOutputs), { capture: true });
}

function follow(): void {
  clearTimeout(again);
  const opened = new EventSource('events');
  source = opened;
  opened.onopen = () => say('');
  opened.onmessage = (message) => {
    last = JSON.parse(String(message.data)) as LiveState;
    show(last);
    if (last.report !== null) {
      opened.close();
      location.replace(last.report);
    } else if (document.hidden) {
      opened.close();
      source = null;
      again = setTimeout(follow, UNSEEN_LOOK_AFTER_MS);
    }
  };
  opened.onerror = () => {
    say('The connection is lost; connecting again.');
    if (opened.readyState !== EventSource.CLOSED) return;
    again = setTimeout(() => location.reload(), AGAIN_AFTER_MS);
  };
}

function say(text: string): void {
  const place = document.getElementById('connection');
  if (place !== null) place.textContent = text;
}

function show({ title, texts, ended, planned, bars, undelivered }: LiveState): void {
  for (const element of document.querySelectorAll('[data-live]')) {
    const text = texts[element.getAttribute('data-live') ?? ''];
    if (text !== undefined && element.textContent !== text) element.textContent = text;
  }
  for (const [at, bar] of document.querySelectorAll<HTMLProgressElement>('progress').entries()) {
    const state = at === 0 ? { ended, planned } : bars[at - 1];
    bar.max = Math.max(1, state?.planned ?? 1);
    bar.value = state?.ended ?? 0;
  }
  document.title = `${title} · Retake`;
  showReasons(undelivered);
  showOutputs();
}

/** How long the run is in progress, by the clock of this machine. */
function tellTime(): void {
  const place = document.querySelector<HTMLElement>('[data-since]');
  const atMs = Date.parse(place?.dataset.since ?? '');
  if (place !== null && Number.isFinite(atMs) && source !== null) place.textContent = runningTime(Date.now() - atMs);
}

function showReasons(reasons: LiveState['undelivered']): void {
  const list = document.getElementById('undelivered');
  const items = reasons.map(({ words, message }) => {
    const [item, head, said] = (['li', 'b', 'span'] as const).map((tag) => document.createElement(tag));
    if (item === undefined || head === undefined || said === undefined) return '';
    head.textContent = words;
    said.textContent = message;
    item.append(head, ' ', said);
    return item;
  });
  list?.replaceChildren(...items);
}

/** Puts what has come before what is there; later, while somebody looks at one. */
function showOutputs(): void {
  const media = document.getElementById('latest');
  const waiting = document.getElementById('waiting');
  if (media === null || waiting === null || last === null) return;
  const first = media.firstElementChild;
  const newest = Number(first instanceof HTMLElement ? (first.dataset.number ?? 0) : 0);
  const arrived = last.outputs.filter(({ number }) => number > newest);
  const isWatched = media.matches(':hover, :focus-within') || isPlaying(media);
  waiting.textContent = isWatched && arrived.length > 0 ? `${arrived.length} new.` : '';
  if (isWatched) return;
  for (const output of arrived) media.prepend(figureOf(output));
  while (media.children.length > MOST_SHOWN) media.lastElementChild?.remove();
}

function isPlaying(media: HTMLElement): boolean {
  return [...media.querySelectorAll('video')].some((video) => !video.paused);
}

/** As output-figure.ts makes it for the page before its script runs. */
function figureOf({ number, original, isVideo, variant, words }: LiveOutput): HTMLElement {
  const figure = document.createElement('figure');
  figure.dataset.number = String(number);
  const label = `${variant}, ${words}`;
  const caption = document.createElement('figcaption');
  const name = document.createElement('b');
  name.textContent = variant;
  caption.append(name, ` ${words}`);
  if (original === null) {
    const nothing = document.createElement('span');
    nothing.className = 'nothing';
    nothing.textContent = 'no image stored';
    figure.append(nothing, caption);
    return figure;
  }
  const link = document.createElement('a');
  link.href = original;
  link.textContent = 'original';
  link.setAttribute('aria-label', `Original: ${label}`);
  caption.append(' ', link);
  figure.append(isVideo ? videoOf(original, label) : imageOf(original, label), caption);
  return figure;
}

function imageOf(source: string, label: string): HTMLImageElement {
  const image = document.createElement('img');
  image.alt = label;
  image.src = source;
  return image;
}

function videoOf(source: string, label: string): HTMLVideoElement {
  const video = document.createElement('video');
  video.controls = true;
  video.muted = true;
  video.loop = true;
  video.playsInline = true;
  video.preload = 'metadata';
  video.setAttribute('aria-label', label);
  video.src = source;
  return video;
}
