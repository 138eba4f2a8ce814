import { isObject } from '../../kit/json.ts';
import { EMBEDDED, parseBaseUrl } from '../base-url.ts';
import type { AddressedRequest } from '../outgoing.ts';
import type { Redact } from '../redact.ts';
import type { Target } from '../target.ts';
import type { Failure } from './fail.ts';
import { showUrl } from './show-url.ts';

const STATUSES: readonly number[] = [404, 405];
const VARIABLE = /\$\{env\.([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/;

/** Adds the URL, the source of its base and the likely mistake (mostly: no /v1) if the status means: no such path. */
export function explainNoSuchPath(
  failure: Failure,
  status: number,
  { method, url }: Pick<AddressedRequest, 'method' | 'url'>,
  { target, baseUrl }: { readonly target: Target; readonly baseUrl: string },
  redact: Redact,
): Failure {
  // A code of its own comes from the intended service: it knows the path.
  if (!STATUSES.includes(status) || failure.code !== `http_${status}`) return failure;
  const asked = `${method} ${showUrl(url, redact)}: no such path`;
  const base = `base_url is ${redact(baseUrl)} (${sourceOf(target, baseUrl)})`;
  const serverMessage = failure.message === '' ? '' : `; the server said: ${failure.message}`;
  return { ...failure, message: `${asked}; ${base}: ${doubtOf(target, baseUrl, url)}${serverMessage}` };
}

function sourceOf({ baseUrl: targetUrl, declared }: Target, baseUrl: string): string {
  if (baseUrl !== targetUrl)
    return targetUrl === EMBEDDED ? 'the reference service of the run' : 'set by the variant or --base-url';
  const [whole, variable, byDefault] = VARIABLE.exec(declaredBase(declared)) ?? [];
  if (whole === undefined) return 'set by the target';
  const usual = byDefault === undefined ? null : parseBaseUrl(declaredBase(declared).replace(whole, () => byDefault));
  const isUsual = usual?.ok === true && usual.baseUrl === baseUrl;
  return isUsual ? `the target's default; set ${variable} to change it` : `from ${variable}`;
}

/** The likely mistake in a base URL: it lacks the path of the target's own, or has it twice. */
function doubtOf({ baseUrl: targetUrl, declared }: Target, baseUrl: string, url: string): string {
  const [, , byDefault] = VARIABLE.exec(declaredBase(declared)) ?? [];
  const usual = pathOf(byDefault ?? targetUrl);
  const given = pathOf(baseUrl);
  if (usual !== '' && !given.endsWith(usual)) return `does it need ${usual}?`;
  const last = given.slice(given.lastIndexOf('/'));
  if (last.length > 1 && pathOf(url).startsWith(`${given}${last}/`)) return `does it have ${last} twice?`;
  return /\/v\d+(\/|$)/.test(pathOf(url)) ? 'is it the server that the target is for?' : 'does it need /v1?';
}

function declaredBase(declared: Target['declared']): string {
  return isObject(declared) && typeof declared.base_url === 'string' ? declared.base_url : '';
}

/** Without a slash at its end; empty for the root, and for what is not a URL. */
function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname.replace(/\/+$/, '') : '';
}
