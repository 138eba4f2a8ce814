import { createHash } from 'node:crypto';

/** Leaves room for a number, and fits a column. */
const SLUG_LENGTH = 48;

/**
 * The id of a prompt without one: its slug, with a number if taken. `passedOver`: numbers of rows that a sample did not
 * draw. `slugs`: ids given per slug, so that equal texts are not counted from the first each time.
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
 * Lower-case Latin letters and digits, words joined by "-" and never cut. Without any, a digest: independent of other
 * prompts.
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
