import type { pictureOf } from '../kit/names.ts';
import { count, listed } from '../kit/wording.ts';

/** More prompts than these are counted. */
const MOST_NAMED = 3;

/**
 * Without a full stop: `The pictures of cat and dog changed since night-1`, `The videos of cat, dog and 3 more changed
 * since the stored baseline`.
 *
 * @param noun `file` where nothing but bytes was compared
 * @param areAll false where there may be more prompts: these are `others`
 * @param since the run or label of what they were compared with; null where it is not known
 */
export function changedPictures(
  prompts: readonly string[],
  noun: ReturnType<typeof pictureOf> | 'file',
  since: string | null,
  areAll = true,
): string {
  const names = [...new Set(prompts)];
  const isCut = names.length > MOST_NAMED || !areAll;
  const shown = isCut ? names.slice(0, MOST_NAMED - 1) : names;
  const more = areAll ? `${count(names.length - shown.length)} more` : 'others';
  const of = listed([...shown, ...(isCut ? [more] : [])]);
  return `The ${noun}${names.length === 1 ? '' : 's'} of ${of} changed since ${since ?? 'the stored baseline'}`;
}
