import type { Checked } from '../kit/diagnostic.ts';
import { isLocalUrl } from '../kit/loopback.ts';
import { EMBEDDED } from './base-url.ts';
import { LEAST_KEY } from './known-secrets.ts';
import { isHeaderValue } from './language/json-limits.ts';
import { checkProxies } from './proxies.ts';
import type { Endpoint } from './target.ts';

/** The values of `${secret.<name>}`, by name. Never recorded, printed or put into an error. */
export type Secrets = Readonly<Record<string, string>>;

/** Names of the keys that endpoints need. The reference service of a run gets one of its own. */
export function neededSecrets(endpoints: readonly Endpoint[]): readonly string[] {
  return endpoints.flatMap(({ baseUrl, target }) =>
    baseUrl === EMBEDDED || isLocalUrl(baseUrl) ? [] : target.secrets,
  );
}

/** Reads secrets only from the environment, whose proxies must be valid. A server on this machine may lack a key. */
export function readSecrets(
  variants: readonly Endpoint[],
  env: Readonly<Record<string, string | undefined>>,
): Checked<Secrets> {
  const hosted = variants.filter(({ baseUrl }) => baseUrl !== EMBEDDED);
  const required = new Set(neededSecrets(variants));
  const needed = new Map(hosted.flatMap(({ target }) => target.secrets.map((name) => [name, target.id] as const)));
  const diagnostics = [...checkProxies(env, hosted)];
  const values: [string, string][] = [];
  for (const [name, target] of needed) {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined || value === '') {
      if (!required.has(name)) continue;
      const cause = `the environment variable ${name} is not set, and ${target} needs it`;
      diagnostics.push({ place: null, cause, remedy: `set ${name} to the key of that service` });
    } else if (!isHeaderValue(value)) {
      const cause = `the environment variable ${name} holds a line break, spaces around it or control characters`;
      diagnostics.push({ place: null, cause, remedy: 'set it to the key alone' });
    } else {
      values.push([name, value]);
    }
  }
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  const short = values.filter(([, value]) => value.length < LEAST_KEY);
  const warnings = short.map(([name]) => ({
    place: null,
    cause: `the environment variable ${name} has fewer than ${LEAST_KEY} characters, so it is not a real key`,
    remedy: 'set it to the key of that service; such a value is hidden only where it is a whole word',
  }));
  return { ok: true, value: Object.fromEntries(values), warnings };
}
