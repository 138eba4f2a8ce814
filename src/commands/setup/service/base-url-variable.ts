import { isObject, type Json, type JsonObject } from '../../../suite/document/json.ts';
import type { Suite } from '../../../suite/format/suite.ts';
import type { Variant } from '../../../targets/model/target.ts';

/** The first environment variable in a variant's base URL, in the suite or else in its target; null if none. */
export function baseUrlVariable(
  { declared }: Pick<Suite, 'declared'>,
  { name, target }: Pick<Variant, 'name'> & { readonly target: Pick<Variant['target'], 'declared'> },
): string | null {
  // A variant of a matrix has the name of its entry and its values.
  const entries = Object.entries(objectOf(objectOf(declared).variants))
    .filter(([entry]) => name === entry || name.startsWith(`${entry}-`))
    .sort(([a], [b]) => b.length - a.length);
  const [[, entry] = []] = entries;
  const text = objectOf(entry ?? null).base_url ?? objectOf(target.declared).base_url;
  const [, variable] = (typeof text === 'string' && /\$\{env\.([A-Za-z_][A-Za-z0-9_]*)/.exec(text)) || [];
  return variable ?? null;
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
