import type { Fault } from '../kit/diagnostic.ts';
import { httpUrl } from './origins.ts';

/** Stands for the reference service of the run. */
export const EMBEDDED = 'embedded:';

/** A base URL: absolute, normalised, without a slash at its end, or `embedded:`; else its fault. */
export function parseBaseUrl(
  text: string,
): { readonly ok: true; readonly baseUrl: string } | ({ readonly ok: false } & Fault) {
  if (text === EMBEDDED) return { ok: true, baseUrl: EMBEDDED };
  const url = httpUrl(text);
  if (url === null) {
    return { ok: false, cause: `"${text}" is not an absolute http or https URL`, remedy: 'write https://host/path' };
  }
  if (url.username !== '' || url.password !== '') {
    const remedy = 'put credentials into auth of the target, from ${secret.NAME}';
    return { ok: false, cause: 'the base URL holds a user or password', remedy };
  }
  if (url.search !== '' || url.hash !== '') {
    const remedy = 'put parameters into submit.query of the target';
    return { ok: false, cause: 'the base URL has a query or fragment', remedy };
  }
  return { ok: true, baseUrl: url.href.replace(/\/+$/, '') };
}
