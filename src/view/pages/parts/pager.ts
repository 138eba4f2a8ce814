import { html, type Markup } from '../../../report/html/markup/markup.ts';
import { count } from '../../../text/wording.ts';

export interface Part {
  /** From 0. */
  readonly from: number;
  /** At most. */
  readonly size: number;
  /** How many there are in all. */
  readonly of: number;
}

/** Nothing where one part has all. */
export function pager({ from, size, of }: Part, noun: string, addressOf: (from: number) => string): Markup | null {
  if (from === 0 && of <= size) return null;
  const before = Math.max(0, from - size);
  return html`<p class="pages"><span>${noun} ${count(Math.min(from + 1, of))} to ${count(Math.min(from + size, of))} of ${count(of)}</span>${
    from > 0 && html`<a href="${addressOf(before)}">previous</a>`
  }${from + size < of && html`<a href="${addressOf(from + size)}">next</a>`}</p>
`;
}
