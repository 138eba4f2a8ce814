import type { JsonObject } from '../suite/json.ts';
import type { Capture } from './job.ts';
import { locateFirst, type Readable, showLocators } from './locator.ts';
import type { Redact } from './redact.ts';
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
