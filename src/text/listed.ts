import { count } from './quantity.ts';

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  return joined(words, 'and');
}

/** `a`, `a or b`, `a, b or c`. */
export function oneOf(words: readonly string[]): string {
  return joined(words, 'or');
}

/** The first of them, then how many more: `a, b and 5 more`. */
export function listedAtMost(words: readonly string[], most: number): string {
  const more = words.length - most;
  return listed(more > 0 ? [...words.slice(0, most), `${count(more)} more`] : words);
}

function joined(words: readonly string[], joint: string): string {
  const last = words.at(-1);
  if (last === undefined) return '';
  return words.length === 1 ? last : `${words.slice(0, -1).join(', ')} ${joint} ${last}`;
}
