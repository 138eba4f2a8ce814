import { createHash, timingSafeEqual } from 'node:crypto';
import type { Refusal } from '../forms/refusal.ts';

/** Null if an `Authorization` header contains one of the keys. */
export type Authorize = (header: string | undefined) => Refusal | null;

/** Compares digests in constant time, and always all: the time of an answer reveals nothing of a key. */
export function authorizer(keys: readonly string[]): Authorize {
  const known = keys.map(digest);
  return (header) => {
    const key = /^Bearer +(\S.*)$/i.exec(header ?? '')?.[1];
    if (key === undefined) {
      return refusalOf('missing_key', 'send the header "Authorization: Bearer <API_KEY>"');
    }
    const asked = digest(key.trimEnd());
    let found = false;
    for (const one of known) found = timingSafeEqual(one, asked) || found;
    return found ? null : refusalOf('wrong_key', 'this API key is not known here');
  };
}

function refusalOf(code: string, message: string): Refusal {
  return { status: 401, code, message, headers: { 'www-authenticate': 'Bearer' } };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
