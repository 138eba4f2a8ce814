import { unbroken } from '../../../text/unbroken.ts';
import { visible } from '../../../text/visible.ts';

/** HTML that is safe to put into a page. Only this file makes it: from templates, with everything in them escaped. */
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

/** What may stand in a template. Nothing prints for null, undefined and false, so that `condition && html...` works. */
export type Fill = string | number | Markup | readonly Fill[] | null | undefined | false;

/**
 * HTML from a template. Every text put into it is hostile: it is escaped for text and for quoted attribute values, and
 * its control, bidirectional and zero-width characters are spelled out. Throws where a text would stand in an
 * unquoted attribute value, within a tag's own words, or beside a number that is not finite: those are our mistakes.
 */
export function html(template: TemplateStringsArray, ...fills: readonly Fill[]): Markup {
  const strings = ownWords(template);
  let text = strings[0] ?? '';
  for (const [index, fill] of fills.entries()) {
    if (/=\s*$/.test(text)) throw new TypeError(`unquoted attribute value after ${text.slice(-40)}`);
    text += filled(fill) + (strings[index + 1] ?? '');
  }
  return new Markup(text, KEY);
}

const OWN_WORDS = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The words of a template itself, their quantities unbroken. What is put into it may be data, and is left as it came. */
function ownWords(template: TemplateStringsArray): readonly string[] {
  const known = OWN_WORDS.get(template);
  if (known !== undefined) return known;
  const words = template.map(unbroken);
  OWN_WORDS.set(template, words);
  return words;
}

/** Text of our own that is HTML already: the style sheet, the script, a chart. Never data. */
export function trusted(text: string): Markup {
  return new Markup(text, KEY);
}

/** The markup's text, for writing. */
export function textOf(markup: Markup): string {
  return markup.toString();
}

/** Hostile text for HTML and XML, between tags or in a quoted attribute value. */
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
