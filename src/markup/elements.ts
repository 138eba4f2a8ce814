type KindOf<T extends Element> = abstract new (...args: never[]) => T;

/** Throws where the element is missing: the page was made without it. */
export function within<T extends Element>(root: ParentNode, selector: string, kind: KindOf<T>): T {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`no ${selector}`);
  return found;
}

export function allWithin<T extends Element>(root: ParentNode, selector: string, kind: KindOf<T>): readonly T[] {
  return [...root.querySelectorAll(selector)].filter((found): found is T => found instanceof kind);
}

/** Texts stay texts. */
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
