import { isList, isObject, type Json, type JsonObject } from '../suite/json.ts';
import type { Capture } from './job.ts';
import { locateFirst, type Readable, showLocators } from './locator.ts';
import { REDACTED, type Redact } from './redact.ts';
import { showReply } from './reply.ts';
import type { CallFailure } from './trace.ts';

export type Captured = { readonly ok: true; readonly values: JsonObject } | ({ readonly ok: false } & CallFailure);

/**
 * What a reply gives for `${job.*}`, beside what is known already. A value that a template needs and that is nowhere
 * is a failure which names the place it should stand at.
 */
export function captureValues(rules: readonly Capture[], reply: Readable, known: JsonObject, redact: Redact): Captured {
  const values: { [name: string]: JsonObject[string] } = { ...known };
  for (const { name, at, required } of rules) {
    const value = locateFirst(at, reply);
    if (value !== undefined) values[name] = value;
    else if (required && !Object.hasOwn(values, name)) {
      const message = redact(`nothing at ${showLocators(at)} for "${name}": ${showReply(reply)}`);
      return { ok: false, outcome: 'error', error: { code: 'missing_capture', message } };
    }
  }
  return { ok: true, values };
}

/** Captured values as they may get out: whole, but for a secret that a service sent back in one. */
export function withoutSecrets(values: JsonObject, redact: Redact): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, clean(value, redact)]));
}

function clean(value: Json, redact: Redact): Json {
  if (isList(value)) return value.map((item) => clean(item, redact));
  if (isObject(value)) return withoutSecrets(value, redact);
  if (typeof value !== 'string') return value;
  // Redacting also tidies up for display, which a name to ask by must not suffer.
  const redacted = redact(value, 2 * value.length + REDACTED.length);
  return redacted.includes(REDACTED) && !value.includes(REDACTED) ? redacted : value;
}
