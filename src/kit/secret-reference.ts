import type { Diagnostic } from './diagnostic.ts';
import { type Document, diagnoseAt, type Path } from './document.ts';
import { isList, type Json } from './json.ts';

/** Refuses `${secret.X}` in a suite: it would be sent as text, or be in every record. Only targets have secrets. */
export function findSecrets(document: Document): readonly Diagnostic[] {
  const search = (value: Json, path: Path): readonly Diagnostic[] => {
    if (typeof value === 'string') {
      if (!/\$\{\s*secret\./.test(value)) return [];
      return [
        diagnoseAt(document, path, {
          cause: 'a suite takes no secrets',
          remedy: 'write "${secret.NAME}" in the target, where it is sent',
        }),
      ];
    }
    if (typeof value !== 'object' || value === null) return [];
    if (isList(value)) return value.flatMap((item, index) => search(item, [...path, index]));
    return Object.entries(value).flatMap(([key, item]) => search(item, [...path, key]));
  };
  return search(document.value, []);
}
