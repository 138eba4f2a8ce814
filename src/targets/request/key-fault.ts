import type { Fault } from '../../kit/diagnostic.ts';
import { isHeaderValue } from '../language/json-limits.ts';

/**
 * What is wrong with a key that was copied or set by mistake, without the key; null: nothing.
 * @param before what the target writes before it, in small letters: `bearer `
 */
export function keyFault(value: string, before: string): Fault | null {
  const remedy = 'set it to the key alone';
  if (/…|\.{3}|[*•]{3}/.test(value)) {
    return { cause: 'holds a shortened key, with dots or stars for the rest', remedy: 'copy the whole key' };
  }
  if (/^(["'`]).*\1$|^[“‘„].*[”’“]$/s.test(value)) return { cause: 'holds quotes around the key', remedy };
  if (before !== '' && value.toLowerCase().startsWith(before)) {
    return { cause: `begins with "${before.trim()}", which the target writes itself`, remedy };
  }
  if (isHeaderValue(value)) return null;
  const what = /[^\0-\xff]/.test(value) ? 'a letter or sign that no key has' : null;
  return { cause: `holds ${what ?? 'a line break, spaces around it or control characters'}`, remedy };
}
