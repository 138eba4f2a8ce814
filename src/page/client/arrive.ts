const STILL_FRAMES = 10;

const MOVES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Scrolls while the element moves, as parts above get their true height; ends where the reader moves the page. */
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

/** Leads links within the page, and its address, to its parts; after Back or a reload the reader stays. */
export function arriveAtParts(): void {
  const arrive = (hash: string): void => {
    const part = document.getElementById(hash.slice(1));
    // The contact sheet first turns to the page of a cell.
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
