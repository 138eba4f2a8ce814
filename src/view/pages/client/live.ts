import type { LiveOutput, LiveState } from '../live-state.ts';

/*
 * The script of the page of a run in progress: npm run client bundles it into pages/live-script.ts. It follows the run by server-sent
 * events, and goes to the report once there is one. It sets texts and makes elements, and never turns text into markup.
 */

/** Figures that stay on the page. */
const MOST_SHOWN = 24;
/** The browser connects again by itself, but not after an answer that is no stream. */
const AGAIN_AFTER_MS = 3000;

const root = document.documentElement;
root.classList.add('scripted');
follow();

function follow(): void {
  const source = new EventSource('events');
  source.onopen = () => say('');
  source.onmessage = (message) => {
    const state: LiveState = JSON.parse(String(message.data));
    show(state);
    if (state.report === null) return;
    source.close();
    location.replace(state.report);
  };
  source.onerror = () => {
    say('The connection is lost; connecting again.');
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(follow, AGAIN_AFTER_MS);
  };
}

function say(text: string): void {
  const place = document.getElementById('connection');
  if (place !== null) place.textContent = text;
}

function show({ texts, ended, planned, outputs }: LiveState): void {
  for (const element of document.querySelectorAll('[data-live]')) {
    const text = texts[element.getAttribute('data-live') ?? ''];
    if (text !== undefined && element.textContent !== text) element.textContent = text;
  }
  const bar = document.querySelector('progress');
  if (bar !== null) {
    bar.max = Math.max(1, planned);
    bar.value = ended;
  }
  const media = document.getElementById('latest');
  if (media === null) return;
  const first = media.firstElementChild;
  const last = Number(first instanceof HTMLElement ? (first.dataset.number ?? 0) : 0);
  for (const output of outputs) if (output.number > last) media.prepend(figureOf(output));
  while (media.children.length > MOST_SHOWN) media.lastElementChild?.remove();
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
