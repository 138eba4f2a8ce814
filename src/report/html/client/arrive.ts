/** How many frames a target stays where it belongs before it is left there. */
const STILL_FRAMES = 10;

/** What a reader does to move the page. */
const MOVES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls to an element, and again while it moves: what was never in view has an estimated height, and gets its own once it is scrolled
 * past. Ends where the reader moves the page.
 */
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

/**
 * Lets links within the page, and its address, arrive at the parts of the page. Where Back, Forward or a reload leads to one, the browser
 * shows the place where the reader was.
 */
export function arriveAtParts(): void {
  const arrive = (hash: string): void => {
    const part = document.getElementById(hash.slice(1));
    // The contact sheet first turns to the page of a cell.
    if (part !== null && part.closest('#images article') === null) arriveAt(part);
  };
  const follow = (): void => {
    if (location.hash === '' || history.state !== null) return;
    history.replaceState({ arrived: true }, '');
    arrive(location.hash);
  };
  addEventListener('hashchange', follow);
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
    // Nothing else tells of a link to where the address leads already.
    if (link !== null && link.hash === location.hash) arrive(link.hash);
  });
  follow();
}
