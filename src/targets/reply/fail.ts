import { isObject, type Json } from '../../kit/json.ts';
import type { Redact } from '../../kit/redact.ts';
import { type Locator, locate, locateFirst, type Readable } from '../language/locator.ts';
import type { JobState, StateRule } from '../model/job.ts';
import type { FailRule } from '../model/schema.ts';
import { EMBEDDED, parseBaseUrl } from '../origins.ts';
import type { AddressedRequest } from '../outgoing.ts';
import type { Target } from '../target.ts';
import { asText, bodySnippet, showUrl, URL_LENGTH } from './reply.ts';

export interface Failure {
  readonly outcome: FailRule['is'];
  /** Stable: the provider's own code if it gives one, else `http_429`, `redirected`. */
  readonly code: string;
  readonly message: string;
  readonly rule: FailRule | null;
}

const CODE_LENGTH = 100;

/**
 * The failure of a reply: by the first rule that matches, also with status 200; else by its status. 3xx is an error
 * (redirects of a submit are not followed), 4xx a rejection, 5xx an error; a success with more JSON than is parsed is
 * an error (`json_too_large`). Null: no failure.
 */
export function classifyFailure(rules: readonly FailRule[], reply: Readable, redact: Redact): Failure | null {
  const rule = rules.find(({ when }) => holds(when, reply)) ?? null;
  if (rule === null && reply.status >= 200 && reply.status < 300) return tooLarge(reply);
  const code = locateFirst(rule?.code, reply);
  const message = locateFirst(rule?.message, reply);
  return {
    rule,
    outcome: rule?.is ?? (reply.status >= 400 && reply.status < 500 ? 'rejected' : 'error'),
    code: code === undefined ? statusCode(reply.status, rule) : redact(asText(code), CODE_LENGTH),
    message:
      message === undefined ? (leadsElsewhere(reply, redact) ?? bodySnippet(reply, redact)) : redact(asText(message)),
  };
}

function tooLarge(reply: Readable): Failure | null {
  const refused = reply.jsonRefused();
  if (refused === null) return null;
  return { rule: null, outcome: 'error', code: 'json_too_large', message: `the reply is ${refused}` };
}

/** Where a redirect leads, with what to do; without a query, which may be a signature. */
function leadsElsewhere({ status, headers }: Readable, redact: Redact): string | null {
  const [, location = ''] = headers.find(([name]) => name === 'location') ?? [];
  if (status < 300 || status >= 400) return null;
  const where = URL.canParse(location)
    ? showUrl(location, redact)
    : redact(location.replace(/[?#].*$/s, ''), URL_LENGTH);
  return where === ''
    ? null
    : `it redirects to ${where}; redirects of a submit are not followed: correct base_url or path`;
}

function holds({ status, at, in: among, not, contains }: FailRule['when'], reply: Readable): boolean {
  if (status?.some(({ from, to }) => reply.status >= from && reply.status <= to) === false) return false;
  if (at === undefined) return true;
  const value = locateFirst(at, reply);
  if (value === undefined) return false;
  if (among !== undefined) return isAmong(value, among);
  if (not !== undefined) return !isAmong(value, not);
  const text = asText(value).toLowerCase();
  return contains === undefined || contains.some((part) => text.includes(part));
}

/** A header can only have the text "0" where JSON has 0. */
function isAmong(actual: Json, values: readonly (string | number | boolean)[]): boolean {
  return values.some((value) => value === actual || String(value) === actual);
}

function statusCode(status: number, rule: FailRule | null): string {
  if (rule === null && status >= 300 && status < 400) return 'redirected';
  return status >= 200 && status < 300 ? (rule?.is ?? 'error') : `http_${status}`;
}

type FoundState =
  | { readonly found: 'state'; readonly state: JobState }
  | { readonly found: 'unlisted'; readonly value: Json; readonly at: Locator }
  /** No value, and the rule does not say what that means. */
  | { readonly found: 'nothing' };

/** The first place with a value counts. */
export function readState({ at, absent, listed }: StateRule, reply: Readable): FoundState {
  for (const locator of at) {
    const value = locate(locator, reply);
    if (value === undefined) continue;
    const state = stateOf(value, listed);
    return state === null ? { found: 'unlisted', value, at: locator } : { found: 'state', state };
  }
  return absent === null ? { found: 'nothing' } : { found: 'state', state: absent };
}

/** The state by the HTTP status; null if the rule does not read or list the status. */
export function stateOfStatus({ at, listed }: StateRule, status: number): JobState | null {
  const asked = at.some((locator) => locator.at === 'status');
  return asked ? (listed.find(({ test, values }) => test === 'in' && values.includes(status))?.state ?? null) : null;
}

export function stateOf(value: Json, listed: StateRule['listed']): JobState | null {
  const named = listed.find(({ test, values }) => test === 'in' && isAmong(value, values));
  const other = listed.find(({ test, values }) => test === 'not' && !isAmong(value, values));
  return (named ?? other)?.state ?? null;
}

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
  return /\/v\d+(\/|$)/.test(pathOf(url)) ? 'is that its server, and is submit.path right?' : 'does it need /v1?';
}

function declaredBase(declared: Target['declared']): string {
  return isObject(declared) && typeof declared.base_url === 'string' ? declared.base_url : '';
}

/** Without a slash at its end; empty for the root, and for what is not a URL. */
function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname.replace(/\/+$/, '') : '';
}
