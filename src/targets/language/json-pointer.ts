import { isList, isObject, type Json } from '../../suite/document/json.ts';

/** The steps of an RFC 6901 pointer (`/3/inputs/text`); null if invalid. */
export function parsePointer(text: string): readonly string[] | null {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return null;
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The names of possible steps: keys of an object, indices of a list, else empty. */
export function stepsOf(value: Json): readonly string[] {
  if (isList(value)) return value.map((_item, index) => String(index));
  return isObject(value) ? Object.keys(value) : [];
}
