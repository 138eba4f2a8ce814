import { allWithin, showLocalTimes } from '../../../markup/elements.ts';
import { sortableTable } from '../../../markup/sort-table.ts';

/* Script of the list and of a run in progress, bundled into pages/parts/follow-script.ts: puts in what has changed. */

/** A run in progress is followed more closely; unseen, its tab says how far it is. An unseen list asks nothing. */
const LIST = { seenMs: 3000, unseenMs: null };
const RUN = { seenMs: 500, unseenMs: 10_000 };
const AGAIN_AFTER_MS = 2000;

const { seenMs, unseenMs } = document.getElementById('latest') === null ? LIST : RUN;
const search = document.querySelector<HTMLInputElement>('input[type=search]');
let tag = '';
let timer = 0;
let isAsking = false;

document.documentElement.classList.add('scripted');
showLocalTimes(document);
for (const table of tables()) sortableTable(table);
if (search !== null) {
  search.value = new URLSearchParams(location.search).get('find') ?? '';
  search.addEventListener('input', find);
  search.form?.addEventListener('submit', (event) => event.preventDefault());
  find();
}
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void look();
});
wait(seenMs);

function tables(): readonly HTMLTableElement[] {
  return allWithin(document, 'table.sortable', HTMLTableElement);
}

/** Hides the rows that lack one of the words. The address keeps what is searched for. */
function find(): void {
  const asked = search?.value.trim() ?? '';
  const words = asked.toLowerCase().split(/\s+/);
  const rows = allWithin(document, '.all-runs tbody tr', HTMLTableRowElement);
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
  }
  const shown = rows.filter((row) => !row.hidden).length;
  const found = document.getElementById('found');
  if (found !== null) found.textContent = asked === '' ? '' : `${shown} of ${rows.length} found`;
  history.replaceState(null, '', asked === '' ? location.pathname : `?${new URLSearchParams({ find: asked })}`);
}

function wait(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(look, document.hidden ? (unseenMs ?? ms) : ms);
}

interface FreshPage {
  readonly status: number;
  readonly etag: string;
  /** Null where nothing is new. */
  readonly page: Document | null;
}

/** The page as it is now, read without making markup from text. */
function ask(): Promise<FreshPage> {
  const asking = new XMLHttpRequest();
  asking.open('GET', location.href);
  asking.responseType = 'document';
  if (tag !== '') asking.setRequestHeader('If-None-Match', tag);
  return new Promise((resolve, reject) => {
    asking.onreadystatechange = () => {
      const isElsewhere = asking.responseURL !== location.href.replace(/#.*/, '');
      // A run that has ended leads to its report, which is large: it is not read here.
      if (asking.readyState !== XMLHttpRequest.HEADERS_RECEIVED || asking.status === 0 || !isElsewhere) return;
      asking.abort();
      location.reload();
    };
    asking.onload = () => {
      const { status } = asking;
      // What has no content would be parsed as broken XML, and the policy of this page forbids the style of its error.
      const page = status === 200 ? asking.responseXML : null;
      resolve({ status, page, etag: asking.getResponseHeader('ETag') ?? '' });
    };
    asking.onerror = reject;
    asking.send();
  });
}

async function look(): Promise<void> {
  clearTimeout(timer);
  if (isAsking || (document.hidden && unseenMs === null)) return;
  isAsking = true;
  try {
    const { status, page, etag } = await ask();
    if (page === null && status !== 304) return location.reload();
    // What was left out is asked for again.
    if (page !== null) tag = show(page) ? etag : '';
    say('');
    wait(seenMs);
  } catch {
    say('retake view does not answer; trying again.');
    wait(AGAIN_AFTER_MS);
  } finally {
    isAsking = false;
  }
}

/** Puts in each part that has changed. False where somebody looks at one, so that it stays. */
function show(next: Document): boolean {
  showLocalTimes(next);
  document.title = next.title;
  let isWhole = true;
  for (const part of allWithin(document, '[data-fresh]', HTMLElement)) {
    const fresh = next.getElementById(part.id);
    if (fresh === null) continue;
    const arrived = countArrived(part, fresh);
    if (isLookedAt(part)) {
      isWhole = false;
      sayWaiting(arrived);
    } else {
      replace(part, fresh);
      if (part.id === 'latest') sayWaiting(0);
    }
  }
  return isWhole;
}

/** Outputs stay while somebody points at them, or plays one; every part while text in it is selected. */
function isLookedAt(part: HTMLElement): boolean {
  const selection = getSelection();
  if (selection !== null && !selection.isCollapsed && part.contains(selection.anchorNode)) return true;
  if (part.id !== 'latest') return false;
  return (
    part.matches(':hover, :focus-within') || allWithin(part, 'video', HTMLVideoElement).some(({ paused }) => !paused)
  );
}

/** Keeps outputs and choices that are there already, the order of a sorted table, and the focus. */
function replace(part: HTMLElement, fresh: HTMLElement): void {
  const focus = part.contains(document.activeElement) ? document.activeElement : null;
  const known = new Map(kept(part));
  for (const [key, element] of kept(fresh)) element.replaceWith(known.get(key) ?? element);
  const sorted = allWithin(part, 'th[aria-sort]', HTMLTableCellElement)[0];
  part.replaceChildren(...fresh.childNodes);
  for (const table of tables()) if (part.contains(table)) sortAgain(table, sorted);
  if (search !== null) find();
  if (focus === null) return;
  const same = allWithin(part, 'a, input', HTMLElement).find(
    (each) => each === focus || (each.hasAttribute('href') && each.getAttribute('href') === focus.getAttribute('href')),
  );
  same?.focus({ preventScroll: true });
}

function sortAgain(table: HTMLTableElement, sorted: HTMLTableCellElement | undefined): void {
  sortableTable(table);
  if (sorted === undefined) return;
  const button = table.tHead?.rows[0]?.cells[sorted.cellIndex]?.querySelector('button');
  for (let times = sorted.ariaSort === 'descending' ? 2 : 1; times > 0; times -= 1) button?.click();
}

function kept(part: HTMLElement): readonly (readonly [string, HTMLElement])[] {
  return allWithin(part, '[data-keep]', HTMLElement).map((element) => [element.dataset.keep ?? '', element]);
}

function countArrived(part: HTMLElement, fresh: HTMLElement): number {
  const known = new Set(kept(part).map(([key]) => key));
  return kept(fresh).filter(([key]) => !known.has(key)).length;
}

function sayWaiting(arrived: number): void {
  const waiting = document.getElementById('waiting');
  if (waiting !== null) waiting.textContent = arrived === 0 ? '' : `${arrived} new.`;
}

function say(text: string): void {
  const place = document.getElementById('connection');
  if (place !== null && place.textContent !== text) place.textContent = text;
}
