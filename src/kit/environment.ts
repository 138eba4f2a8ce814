import { createHash } from 'node:crypto';
import type { Checked, Diagnostic, Refuse } from './diagnostic.ts';
import { type Document, diagnoseAt, type Filled, type Path, textsIn } from './document.ts';
import { isList, type Json } from './json.ts';

export interface Expanded {
  readonly document: Document;
  /** SHA-256 (hex) of each used value, by variable. */
  readonly used: Readonly<Record<string, string>>;
}

/** `${env.NAME}` and `${env.NAME:-default}`, also malformed ones; the default ends at the brace. */
const REFERENCE = /(?<!\$)\$\{\s*env\.(?:([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\})?/g;

/**
 * Replaces `${env.NAME}` and `${env.NAME:-default}` in all strings. As in a shell, the default also replaces an empty
 * value. Other references and `$${env.X}` stay. Refuses a value that contains `${`: it would be read as a reference.
 */
export function expandEnvironment(
  document: Document,
  env: Readonly<Record<string, string | undefined>>,
): Checked<Expanded> {
  const used = new Map<string, string>();
  const filled = new Map<string, Filled & { readonly given: string[] }>();
  const diagnostics: Diagnostic[] = [];

  function expandText(text: string, path: Path): string {
    return text.replace(REFERENCE, (whole, name?: string, fallback?: string) => {
      const refuse: Refuse<string> = (cause, remedy) => {
        diagnostics.push(diagnoseAt(document, path, { cause, remedy }));
        return whole;
      };
      if (name === undefined) {
        return refuse('"${env." is not followed by a valid name', 'write ${env.NAME} or ${env.NAME:-default}');
      }
      const given = Object.hasOwn(env, name) ? env[name] : undefined;
      const value = fallback !== undefined && (given === undefined || given === '') ? fallback : given;
      if (value === undefined) {
        return refuse(`the environment variable ${name} is not set`, `set it, or write \${env.${name}:-default}`);
      }
      if (value.includes('${')) {
        return refuse(`the value of the environment variable ${name} holds "\${"`, 'give it a value without "${"');
      }
      const variables = filled.get(keyOf(path)) ?? { text, first: name, given: [] };
      if (value === given && !variables.given.includes(name)) variables.given.push(name);
      filled.set(keyOf(path), variables);
      if (!used.has(name)) used.set(name, createHash('sha256').update(value).digest('hex'));
      return value;
    });
  }

  function expand(value: Json, path: Path): Json {
    if (typeof value === 'string') return expandText(value, path);
    if (typeof value !== 'object' || value === null) return value;
    if (isList(value)) return value.map((item, index) => expand(item, [...path, index]));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item, [...path, key])]));
  }

  const value = expand(document.value, []);
  const filledAt = (path: Path) => filled.get(keyOf(path)) ?? null;
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  return {
    ok: true,
    value: { document: { ...document, value, filledAt }, used: Object.fromEntries(used) },
  };
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}

/** Refuses `${secret.X}` in a suite: it would be sent as text, or be in every record. Only targets have secrets. */
export function findSecrets(document: Document): readonly Diagnostic[] {
  return [...textsIn(document.value)].flatMap(({ path, text, at }) =>
    at === 'value' && /\$\{\s*secret\./.test(text)
      ? [
          diagnoseAt(document, path, {
            cause: 'a suite takes no secrets',
            remedy: 'write "${secret.NAME}" in the target, where it is sent',
          }),
        ]
      : [],
  );
}
