import { createHash, timingSafeEqual } from 'node:crypto';
import type { Refusal } from '../forms/refusal.ts';

/** Whether an `Authorization` header carries one of the keys: null where it does, else the refusal. */
export type Authorize = (header: string | undefined) => Refusal | null;

/**
 * Checks bearer keys. Digests are compared, each in constant time and all of them every time, so neither a key's length
 * nor its beginning shows in how long an answer takes.
 */
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
