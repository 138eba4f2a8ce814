import { allWithin } from '../../markup/elements.ts';

const TURNED = 'retake-kind';

/** The kind that the page shows; null where the run has one kind. */
export function shownKind(): string | null {
  return document.documentElement.dataset.shown ?? null;
}

export function onKind(turned: () => void): void {
  addEventListener(TURNED, turned);
}

/** Empty for the first kind, which a page without an address shows. */
export function kindForAddress(): string {
  const [first] = allWithin(document, 'nav.kinds a', HTMLAnchorElement);
  const shown = shownKind();
  return shown === null || first?.hash === `#${shown}` ? '' : shown;
}

/** Keeps the kind while links lead elsewhere; the reader stays at the same section. */
export function turnKinds(): void {
  const tabs = allWithin(document, 'nav.kinds a', HTMLAnchorElement);
  const [first] = tabs;
  if (first === undefined) return;
  const kindOf = (tab: HTMLAnchorElement): string => tab.hash.slice(1);
  const turn = (kind: string): void => {
    if (shownKind() === kind) return;
    document.documentElement.dataset.shown = kind;
    for (const tab of tabs) {
      if (kindOf(tab) === kind) tab.setAttribute('aria-current', 'true');
      else tab.removeAttribute('aria-current');
    }
    dispatchEvent(new Event(TURNED));
  };
  const follow = (): void => {
    const kind = kindOfAddress(location.hash);
    if (kind !== null) turn(kind);
  };
  turn(kindOf(first));
  follow();
  addEventListener('hashchange', follow);
  for (const tab of tabs) {
    tab.addEventListener('click', (event) => {
      event.preventDefault();
      staying(() => turn(kindOf(tab)));
      history.replaceState(history.state, '', tab.hash);
    });
  }
}

/** The kind that the address names or leads into; null if all kinds share what it leads to. */
function kindOfAddress(hash: string): string | null {
  const kind = /^#images\?(?:.*&)?kind=([a-z-]+)/.exec(hash)?.[1];
  if (kind !== undefined && document.getElementById(kind) !== null) return kind;
  const compared = /[?&]outputs=(\d+)\./.exec(hash)?.[1];
  const id = compared === undefined ? hash.slice(1) : `cell-${compared}`;
  return document.getElementById(id)?.closest<HTMLElement>('[data-kind]')?.dataset.kind ?? null;
}

function staying(change: () => void): void {
  const sections = allWithin(document, 'main section[id]', HTMLElement);
  const anchor = sections.filter((section) => section.getBoundingClientRect().top < innerHeight / 2).at(-1);
  const before = anchor?.getBoundingClientRect().top ?? 0;
  change();
  if (anchor !== undefined && scrollY > 0) scrollBy(0, anchor.getBoundingClientRect().top - before);
}

const STILL_FRAMES = 10;

const MOVES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Scrolls until the element stays, since parts above still get their height, or the reader moves the page. */
export function arriveAt(target: Element, where: ScrollIntoViewOptions = {}): void {
  const ended = new AbortController();
  for (const move of MOVES) {
    addEventListener(move, () => ended.abort(), { signal: ended.signal, passive: true });
  }
  let still = 0;
  const hold = (): void => {
    if (ended.signal.aborted) return;
    const before = scrollY;
    target.scrollIntoView(where);
    still = scrollY === before ? still + 1 : 0;
    if (still < STILL_FRAMES) requestAnimationFrame(hold);
    else ended.abort();
  };
  requestAnimationFrame(hold);
}

/** Opens and scrolls to what links and the address lead to; after Back or a reload the reader stays. */
export function arriveAtParts(): void {
  const arrive = (hash: string): void => {
    const part = document.getElementById(hash.slice(1));
    // The filter leads to cells of the contact sheet.
    if (part === null || part.closest('#images article') !== null) return;
    for (let fold = part.closest('details'); fold !== null; fold = fold.parentElement?.closest('details') ?? null)
      fold.open = true;
    arriveAt(part);
  };
  const follow = (): void => {
    if (location.hash === '' || history.state !== null) return;
    history.replaceState({ arrived: true }, '');
    arrive(location.hash);
  };
  addEventListener('hashchange', follow);
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
    // No event tells of a link to the current address.
    if (link !== null && link.hash === location.hash) arrive(link.hash);
  });
  follow();
}
