import type { Checked, Diagnostic } from '../../suite/document/diagnostic.ts';
import { isHeaderValue } from '../language/json-limits.ts';
import { EMBEDDED, type Endpoint } from '../model/target.ts';

/** The values of `${secret.<name>}`, by name. Never recorded, printed or put into an error. */
export type Secrets = Readonly<Record<string, string>>;

/** Only from the environment. The reference service of the run gets a key made for it. */
export function readSecrets(
  variants: readonly Endpoint[],
  env: Readonly<Record<string, string | undefined>>,
): Checked<Secrets> {
  const hosted = variants.filter(({ baseUrl }) => baseUrl !== EMBEDDED);
  const needed = new Map(hosted.flatMap(({ target }) => target.secrets.map((name) => [name, target.id] as const)));
  const diagnostics: Diagnostic[] = [];
  const values: [string, string][] = [];
  for (const [name, target] of needed) {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined || value === '') {
      const cause = `the environment variable ${name} is not set, and ${target} needs it`;
      diagnostics.push({ place: null, cause, remedy: `set ${name} to the key of that service` });
    } else if (!isHeaderValue(value)) {
      const cause = `the environment variable ${name} holds a line break, spaces around it or control characters`;
      diagnostics.push({ place: null, cause, remedy: 'set it to the key alone' });
    } else {
      values.push([name, value]);
    }
  }
  return diagnostics.length > 0 ? { ok: false, diagnostics } : { ok: true, value: Object.fromEntries(values) };
}
