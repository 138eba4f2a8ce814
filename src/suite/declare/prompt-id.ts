import { createHash } from 'node:crypto';

/** Room for a number behind it, and short enough for a column. */
const SLUG_LENGTH = 48;

/**
 * An id for a prompt without one: its slug, with a number where that is taken.
 *
 * @param passedOver how many numbers to leave to rows that a sample did not draw
 * @param slugs how many ids each slug has given: thousands of equal texts must not be counted from the first each time
 */
export function freeId(
  text: string,
  passedOver: number,
  taken: ReadonlyMap<string, unknown>,
  slugs: Map<string, number>,
): string {
  const slug = slugOf(text);
  for (let count = (slugs.get(slug) ?? 0) + passedOver + 1; ; count += 1) {
    const id = count === 1 ? slug : `${slug}-${count}`;
    if (taken.has(id)) continue;
    slugs.set(slug, count);
    return id;
  }
}

/**
 * An id made from a text: its Latin letters and digits in lower case, words joined by "-", cut between words. A text
 * without any gets a digest, so that its id does not depend on the prompts beside it.
 */
export function slugOf(text: string): string {
  const words =
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  let length = (words[0] ?? '').length;
  let count = 1;
  for (const word of words.slice(1)) {
    length += 1 + word.length;
    if (length > SLUG_LENGTH) break;
    count += 1;
  }
  const slug = words.slice(0, count).join('-').slice(0, SLUG_LENGTH);
  return slug === '' ? `prompt-${createHash('sha256').update(text).digest('hex').slice(0, 8)}` : slug;
}
