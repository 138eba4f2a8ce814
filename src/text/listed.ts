import { count } from './quantity.ts';

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  return joined(words, 'and');
}

/** `a`, `a or b`, `a, b or c`. */
export function oneOf(words: readonly string[]): string {
  return joined(words, 'or');
}

export const MOST_WHOLE = 6;
const SHOWN_OF_MORE = 3;

/** Up to six words whole, else the first three and how many more: `a, b, c and 37 more`. */
export function listedInShort(words: readonly string[]): string {
  if (words.length <= MOST_WHOLE) return listed(words);
  return listed([...words.slice(0, SHOWN_OF_MORE), `${count(words.length - SHOWN_OF_MORE)} more`]);
}

function joined(words: readonly string[], joint: string): string {
  const last = words.at(-1);
  if (last === undefined) return '';
  return words.length === 1 ? last : `${words.slice(0, -1).join(', ')} ${joint} ${last}`;
}
