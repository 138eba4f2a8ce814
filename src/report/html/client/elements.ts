/** The element within `root` that is of this kind. Throws where it is missing: the page was made without it. */
export function within<Kind extends Element>(
  root: ParentNode,
  selector: string,
  kind: abstract new (...args: never[]) => Kind,
): Kind {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`no ${selector}`);
  return found;
}

/** All elements within `root` that are of this kind. */
export function allWithin<Kind extends Element>(
  root: ParentNode,
  selector: string,
  kind: abstract new (...args: never[]) => Kind,
): readonly Kind[] {
  return [...root.querySelectorAll(selector)].filter((found): found is Kind => found instanceof kind);
}
