import { visible } from '../kit/visible.ts';
import { unbroken } from '../kit/wording.ts';

/** HTML that is safe to put into a page. Only this file makes it, and escapes everything in its templates. */
export class Markup {
  readonly #text: string;
  constructor(text: string, key: symbol) {
    if (key !== KEY) throw new TypeError('Markup is made by html`` or trusted()');
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

const KEY = Symbol('markup');

/** Null, undefined and false print nothing, so that `condition && html...` works. */
export type Fill = string | number | Markup | readonly Fill[] | null | undefined | false;

/** Escapes every fill and spells out hidden characters. Throws for a fill in a tag or unquoted value, or not finite. */
export function html(template: TemplateStringsArray, ...fills: readonly Fill[]): Markup {
  const strings = unbrokenStrings(template);
  let text = strings[0] ?? '';
  for (const [index, fill] of fills.entries()) {
    if (/=\s*$/.test(text)) throw new TypeError(`unquoted attribute value after ${text.slice(-40)}`);
    text += filled(fill) + (strings[index + 1] ?? '');
  }
  return new Markup(text, KEY);
}

const UNBROKEN = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Keeps quantities in a template unbroken. Fills may be data, and stay as they are. */
function unbrokenStrings(template: TemplateStringsArray): readonly string[] {
  const known = UNBROKEN.get(template);
  if (known !== undefined) return known;
  const words = template.map(unbroken);
  UNBROKEN.set(template, words);
  return words;
}

/** Takes HTML of Retake only: the style sheet, the script, a chart. Never data. */
export function trusted(text: string): Markup {
  return new Markup(text, KEY);
}

export function textOf(markup: Markup): string {
  return markup.toString();
}

/** For HTML and XML, between tags or in a quoted attribute value. */
function escaped(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function filled(fill: Fill): string {
  if (fill === null || fill === undefined || fill === false) return '';
  if (fill instanceof Markup) return fill.toString();
  if (typeof fill === 'string') return escaped(fill);
  if (typeof fill === 'number') {
    if (!Number.isFinite(fill)) throw new TypeError(`not a finite number: ${fill}`);
    return String(fill);
  }
  return fill.map(filled).join('');
}
