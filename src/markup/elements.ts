import { dayOrTime, localClock, localDay, wallClock } from '../kit/time.ts';

type KindOf<T extends Element> = abstract new (...args: never[]) => T;

/** Throws if the element is missing: the page was made without it. */
export function within<T extends Element>(root: ParentNode, selector: string, kind: KindOf<T>): T {
  const element = root.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`no ${selector}`);
  return element;
}

export function allWithin<T extends Element>(root: ParentNode, selector: string, kind: KindOf<T>): readonly T[] {
  return [...root.querySelectorAll(selector)].filter((element): element is T => element instanceof kind);
}

/** Strings become text nodes, never markup. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  element.append(...content);
  return element;
}

export function makeButton(words: string, className: string, press: () => void): HTMLButtonElement {
  const button = make('button', className, words);
  button.type = 'button';
  button.addEventListener('click', press);
  return button;
}

export function closable(dialog: HTMLDialogElement): void {
  within(dialog, '.close', HTMLButtonElement).addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
}

/** Shows times in the reader's time zone. Their tooltips keep UTC. */
export function showLocalTimes(root: ParentNode): void {
  for (const time of allWithin(root, 'time[datetime]', HTMLTimeElement)) {
    const { dateTime, textContent, title } = time;
    const [local, utc] = [localClock(dateTime), wallClock(dateTime)];
    if (local === null) continue;
    if (textContent === utc) time.textContent = local;
    else if (textContent === dateTime.slice(0, 10)) time.textContent = localDay(dateTime);
    if (title === '' || title === utc) time.title = textContent === utc ? utc : `${local} (${utc})`;
  }
  for (const chart of allWithin(root, 'svg', SVGSVGElement)) showLocalTicks(chart);
}

function showLocalTicks(chart: SVGSVGElement): void {
  const ticks = allWithin(chart, '[data-instant]', SVGTextElement);
  const clocks = ticks.flatMap(({ dataset }) => localClock(dataset.instant ?? '') ?? []);
  if (clocks.length < ticks.length) return;
  for (const [at, words] of dayOrTime(clocks).entries()) ticks[at]?.replaceChildren(words);
}
