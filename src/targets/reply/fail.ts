import type { Json } from '../../kit/json.ts';
import { locateFirst, type Readable } from '../language/locator.ts';
import type { FailRule } from '../model/schema.ts';
import type { Redact } from '../redact.ts';
import { asText, bodySnippet } from './reply.ts';

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
    message: message === undefined ? (leadsElsewhere(reply) ?? bodySnippet(reply, redact)) : redact(asText(message)),
  };
}

function tooLarge(reply: Readable): Failure | null {
  const refused = reply.jsonRefused();
  if (refused === null) return null;
  return { rule: null, outcome: 'error', code: 'json_too_large', message: `the reply is ${refused}` };
}

/** The origin of a redirect's target; its path may be secret. */
function leadsElsewhere({ status, headers }: Readable): string | null {
  const [, location = ''] = headers.find(([name]) => name === 'location') ?? [];
  if (status < 300 || status >= 400 || !URL.canParse(location)) return null;
  return `it redirects to ${new URL(location).origin}; redirects of a submit are not followed`;
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
export function isAmong(actual: Json, values: readonly (string | number | boolean)[]): boolean {
  return values.some((value) => value === actual || (typeof actual === 'string' && String(value) === actual));
}

function statusCode(status: number, rule: FailRule | null): string {
  if (rule === null && status >= 300 && status < 400) return 'redirected';
  return status >= 200 && status < 300 ? (rule?.is ?? 'error') : `http_${status}`;
}
