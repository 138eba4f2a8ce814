import { isList, isObject, type Json, type JsonObject } from '../../kit/json.ts';
import { REDACTED } from '../../kit/redact.ts';
import type { Step } from '../call-event.ts';
import { locateFirst, type Readable, showLocators } from '../language/locator.ts';
import type { Capture } from '../model/job.ts';
import { showReply, showValues } from '../reply/reply.ts';
import type { KnownSecrets } from '../secrets.ts';
import type { CallContext } from './context.ts';
import type { CallFailure } from './trace.ts';

export type Captured = { readonly ok: true; readonly values: JsonObject } | ({ readonly ok: false } & CallFailure);

/** What a reply gives for `${job.*}`, added to `known`. A missing required value is a failure that names its place. */
export function captureValues(
  rules: readonly Capture[],
  reply: Readable,
  known: JsonObject,
  step: Step,
  { target, redact, edge }: Pick<CallContext, 'target' | 'redact' | 'edge'>,
): Captured {
  const values: { [name: string]: JsonObject[string] } = { ...known };
  const gathered: { [name: string]: JsonObject[string] } = {};
  for (const { name, at } of rules) {
    const required = target.needed.includes(name);
    const value = locateFirst(at, reply);
    if (required && (isList(value) || isObject(value))) {
      const message = redact(
        `the value at ${showLocators(at)} for "${name}" is not text or a number: ${showReply(reply)}`,
      );
      return { ok: false, outcome: 'error', error: { code: 'bad_capture', message } };
    }
    if (value !== undefined) values[name] = gathered[name] = value;
    else if (required && !Object.hasOwn(values, name)) {
      const isJson = at.some((place) => place.at !== 'json') || reply.json() !== undefined;
      const place = `${showLocators(at)} for "${name}"`;
      const cause = isJson ? `nothing at ${place}` : `the reply is not JSON, so nothing can be read at ${place}`;
      const message = redact(`${cause}: ${showReply(reply)}`);
      return { ok: false, outcome: 'error', error: { code: 'missing_capture', message } };
    }
  }
  if (rules.length > 0) edge.tell?.({ event: 'captured', step, values: showValues(gathered, redact) });
  return { ok: true, values };
}

export function withoutSecrets(values: JsonObject, secrets: KnownSecrets): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [cleanText(name, secrets), clean(value, secrets)]),
  );
}

function clean(value: Json, secrets: KnownSecrets): Json {
  if (isList(value)) return value.map((item) => clean(item, secrets));
  if (isObject(value)) return withoutSecrets(value, secrets);
  return typeof value === 'string' ? cleanText(value, secrets) : value;
}

function cleanText(value: string, secrets: KnownSecrets): string {
  // Redacting also tidies up for display, which would change an identifier.
  return secrets.isIn(value) ? secrets.redact(value, 2 * value.length + REDACTED.length) : value;
}
