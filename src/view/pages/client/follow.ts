import { allWithin, showLocalTimes } from '../../../markup/elements.ts';
import { sortableTable } from '../../../markup/sort-table.ts';

/* Script of the list and of a run in progress, bundled into pages/parts/follow-script.ts. */

/** Between two looks at a run in progress; unseen, its tab says how far it is. */
const SEEN_MS = 500;
const UNSEEN_MS = 10_000;
const AGAIN_AFTER_MS = 2000;

const search = document.querySelector<HTMLInputElement>('input[type=search]');
let tag = '';
let timer = 0;
let isAsking = false;

document.documentElement.classList.add('scripted');
showLocalTimes(document);
for (const table of allWithin(document, 'table.sortable', HTMLTableElement)) sortableTable(table);
if (search !== null) {
  search.value = new URLSearchParams(location.search).get('find') ?? '';
  search.addEventListener('input', find);
  search.form?.addEventListener('submit', (event) => event.preventDefault());
  find();
} else {
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void look();
  });
  wait(SEEN_MS);
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
  timer = setTimeout(look, document.hidden ? UNSEEN_MS : ms);
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
  if (isAsking) return;
  isAsking = true;
  try {
    const { status, page, etag } = await ask();
    if (page === null && status !== 304) return location.reload();
    // What was left out is asked for again.
    if (page !== null) tag = show(page) ? etag : '';
    say('connection', '');
    wait(SEEN_MS);
  } catch {
    say('connection', 'retake view does not answer; trying again.');
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
    const known = new Map(outputsIn(part));
    const arrived = outputsIn(fresh).filter(([number]) => !known.has(number)).length;
    if (isLookedAt(part)) {
      isWhole = false;
      say('waiting', arrived === 0 ? '' : `${arrived} new.`);
    } else {
      // An output that is there already does not flicker.
      for (const [number, output] of outputsIn(fresh)) output.replaceWith(known.get(number) ?? output);
      part.replaceChildren(...fresh.childNodes);
      if (part.id === 'latest') say('waiting', '');
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

function outputsIn(part: HTMLElement): readonly (readonly [string, HTMLElement])[] {
  return allWithin(part, '[data-keep]', HTMLElement).map((element) => [element.dataset.keep ?? '', element]);
}

function say(id: string, text: string): void {
  const place = document.getElementById(id);
  if (place !== null && place.textContent !== text) place.textContent = text;
}
