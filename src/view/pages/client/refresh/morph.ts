/**
 * Makes an element what another one is. What is the same already is left alone, so that the focus, a choice and the
 * reader's place stay. Children are found again by `data-key`, else by their place.
 * @param holds whether nothing may be put into an element or taken out of it now
 * @return whether something was left as it was for that
 */
export function morph(now: Element, next: Element, holds: (parent: Element) => boolean): boolean {
  if (now.isEqualNode(next) || isOfReader(now)) return false;
  for (const { name } of [...now.attributes]) if (!next.hasAttribute(name)) now.removeAttribute(name);
  for (const { name, value } of next.attributes) if (now.getAttribute(name) !== value) now.setAttribute(name, value);
  const [mine, theirs] = [[...now.childNodes], [...next.childNodes]];
  if (mine.length === theirs.length && mine.every((child, at) => isSamePlace(child, theirs[at]))) {
    return mine.map((child, at) => morphNode(child, theirs[at], holds)).includes(true);
  }
  if (holds(now)) return true;
  const found = matched(mine, theirs);
  for (const child of mine) if (!found.includes(child)) child.remove();
  let cursor = now.firstChild;
  let isHeld = false;
  for (const [at, child] of theirs.entries()) {
    const own = found[at];
    if (own !== undefined) isHeld = morphNode(own, child, holds) || isHeld;
    const placed = own ?? document.importNode(child, true);
    // What stays in its order is not moved: it would lose the focus.
    if (placed === cursor) cursor = cursor.nextSibling;
    else now.insertBefore(placed, cursor);
  }
  return isHeld;
}

function matched(mine: readonly ChildNode[], theirs: readonly ChildNode[]): readonly (ChildNode | undefined)[] {
  const left = new Set(mine);
  return theirs.map((child) => {
    const own = [...left].find((each) => isSamePlace(each, child));
    if (own !== undefined) left.delete(own);
    return own;
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
