import { createHash, timingSafeEqual } from 'node:crypto';
import { RefusedRequest } from '../forms/form.ts';

/** Throws a refusal if the header contains none of the keys. */
export type Authorize = (header: string | undefined) => void;

/** Compares digests in constant time, and always all: the time of an answer reveals nothing of a key. */
export function authorizer(keys: readonly string[]): Authorize {
  const known = keys.map(digest);
  return (header) => {
    const key = /^Bearer +(\S.*)$/i.exec(header ?? '')?.[1];
    if (key === undefined) throw refused('missing_key', 'send the header "Authorization: Bearer <API_KEY>"');
    const asked = digest(key.trimEnd());
    let isKnown = false;
    for (const one of known) isKnown = timingSafeEqual(one, asked) || isKnown;
    if (!isKnown) throw refused('wrong_key', 'this API key is not known here');
  };
}

function refused(code: string, message: string): RefusedRequest {
  return new RefusedRequest({ status: 401, code, message, headers: { 'www-authenticate': 'Bearer' } });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
