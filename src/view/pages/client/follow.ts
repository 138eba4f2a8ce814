import { showLocalTimes } from '../../../markup/elements.ts';
import { BARE_PAGE } from '../../addresses.ts';

/**
 * Makes an element equal to another. Equal parts stay, and with them the focus, a choice and the reader's place.
 * @param holds whether nothing may be put into an element or taken out of it now
 * @return whether something was left as it was for that
 */
function morph(now: Element, next: Element, holds: (parent: Element) => boolean): boolean {
  if (now.isEqualNode(next) || isOfReader(now)) return false;
  for (const { name } of [...now.attributes]) if (!next.hasAttribute(name)) now.removeAttribute(name);
  for (const { name, value } of next.attributes) if (now.getAttribute(name) !== value) now.setAttribute(name, value);
  const [mine, theirs] = [[...now.childNodes], [...next.childNodes]];
  if (mine.length === theirs.length && mine.every((child, at) => isSamePlace(child, theirs[at]))) {
    return mine.map((child, at) => morphNode(child, theirs[at], holds)).includes(true);
  }
  if (holds(now)) return true;
  const kept = matched(mine, theirs);
  for (const child of mine) if (!kept.includes(child)) child.remove();
  let cursor = now.firstChild;
  let isHeld = false;
  for (const [at, child] of theirs.entries()) {
    const match = kept[at];
    if (match !== undefined) isHeld = morphNode(match, child, holds) || isHeld;
    const placed = match ?? document.importNode(child, true);
    // What stays in its order is not moved: it would lose the focus.
    if (placed === cursor) cursor = cursor.nextSibling;
    else now.insertBefore(placed, cursor);
  }
  return isHeld;
}

function matched(mine: readonly ChildNode[], theirs: readonly ChildNode[]): readonly (ChildNode | undefined)[] {
  const left = new Set(mine);
  return theirs.map((child) => {
    const match = [...left].find((candidate) => isSamePlace(candidate, child));
    if (match !== undefined) left.delete(match);
    return match;
  });
}

function morphNode(now: ChildNode, next: ChildNode | undefined, holds: (parent: Element) => boolean): boolean {
  if (now instanceof Element && next instanceof Element) return morph(now, next, holds);
  if (next !== undefined && now.nodeValue !== next.nodeValue) now.nodeValue = next.nodeValue;
  return false;
}

function isSamePlace(one: ChildNode, other: ChildNode | undefined): boolean {
  return other !== undefined && one.nodeName === other.nodeName && keyOf(one) === keyOf(other);
}

function keyOf(node: ChildNode): string | null {
  return node instanceof Element ? node.getAttribute('data-key') : null;
}

/** What a script says, and a form in which somebody types or has chosen. */
function isOfReader(element: Element): boolean {
  if (element.id === 'connection' || element.id === 'waiting') return true;
  if (!(element instanceof HTMLFormElement)) return false;
  return element.contains(document.activeElement) || [...element.elements].some(isChanged);
}

function isChanged(control: Element): boolean {
  if (control instanceof HTMLInputElement) return control.value !== control.defaultValue;
  if (!(control instanceof HTMLSelectElement)) return false;
  // A list without a default shows its first one.
  const chosen = [...control.options].findIndex((option) => option.defaultSelected);
  return control.selectedIndex !== Math.max(0, chosen);
}

/* Script of lists and runs in progress, bundled into pages/parts/follow-script.ts: puts in what has changed. */

/** A run in progress is followed more closely; unseen, its tab says how far it is. An unseen list asks nothing. */
const LIST = { seenMs: 3000, unseenMs: null };
const RUN = { seenMs: 500, unseenMs: 10_000 };
const AGAIN_AFTER_MS = 2000;
/** A row that somebody points at is about to be chosen: a new row above would move it away. */
const POINTING_MS = 4000;

document.documentElement.classList.add('scripted');
showLocalTimes(document);
const { seenMs, unseenMs } = document.getElementById('latest') === null ? LIST : RUN;
let tag = '';
let timer = 0;
let isAsking = false;
let pointedAt = Number.NEGATIVE_INFINITY;
document.addEventListener('pointermove', () => {
  pointedAt = performance.now();
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) look();
});
wait(seenMs);

function wait(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(look, document.hidden ? (unseenMs ?? ms) : ms);
}

function look(): void {
  clearTimeout(timer);
  if (isAsking || (document.hidden && unseenMs === null)) return;
  isAsking = true;
  const asking = new XMLHttpRequest();
  asking.open('GET', location.href);
  asking.responseType = 'document';
  asking.setRequestHeader(BARE_PAGE, '1');
  if (tag !== '') asking.setRequestHeader('If-None-Match', tag);
  asking.onload = () => {
    say('');
    const { status } = asking;
    const instead = asking.getResponseHeader('Location');
    if (instead !== null) return location.replace(instead);
    // What has no content is parsed as broken XML, and the policy of this page forbids the style of its error.
    const fresh = status === 200 ? asking.responseXML : null;
    if (fresh !== null) {
      const isHeld = show(fresh);
      // What was left out is asked for again.
      tag = isHeld ? '' : (asking.getResponseHeader('ETag') ?? '');
    } else if (status !== 304) return location.reload();
    wait(seenMs);
  };
  asking.onerror = () => {
    say('retake view does not answer; trying again.');
    wait(AGAIN_AFTER_MS);
  };
  asking.onloadend = () => {
    isAsking = false;
  };
  asking.send();
}

/** Whether something was left as it was, because somebody points at it or looks at it. */
function show(next: Document): boolean {
  const [now, fresh] = [document.querySelector('.page'), next.querySelector('.page')];
  if (now === null || fresh === null) return false;
  showLocalTimes(fresh);
  const anchor = anchorOf(now);
  const before = anchor?.getBoundingClientRect().top ?? 0;
  const isPointing = performance.now() - pointedAt < POINTING_MS;
  const isHeld = morph(now, fresh, (parent) => (isPointing && parent.matches(':hover')) || isLookedAt(parent));
  document.title = next.title;
  countWaiting(now, fresh);
  if (anchor?.isConnected === true) scrollBy(0, anchor.getBoundingClientRect().top - before);
  return isHeld;
}

/** The latest outputs stay while somebody points at them, or plays one. */
function isLookedAt(parent: Element): boolean {
  if (parent.id !== 'latest') return false;
  return parent.matches(':hover, :focus-within') || [...parent.querySelectorAll('video')].some(({ paused }) => !paused);
}

function countWaiting(now: Element, fresh: Element): void {
  const waiting = document.getElementById('waiting');
  if (waiting === null) return;
  const keysOf = (page: Element) =>
    [...page.querySelectorAll('#latest > [data-key]')].map((element) => element.getAttribute('data-key'));
  const shown = new Set(keysOf(now));
  const arrived = keysOf(fresh).filter((key) => !shown.has(key)).length;
  waiting.textContent = arrived === 0 ? '' : `${arrived} new.`;
}

/** What stays where it is: what has the focus or is pointed at, else the first row in sight of a scrolled page. */
function anchorOf(page: Element): Element | null {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body && page.contains(activeElement)) return activeElement;
  const pointed = [...page.querySelectorAll('main tr:hover, main li:hover, main article:hover')].at(-1);
  if (pointed !== undefined) return pointed;
  if (scrollY === 0) return null;
  return (
    [...page.querySelectorAll('main tr, main article, main h2')].find(
      (element) => element.getBoundingClientRect().top >= 0,
    ) ?? null
  );
}

function say(text: string): void {
  const place = document.getElementById('connection');
  if (place !== null && place.textContent !== text) place.textContent = text;
}
