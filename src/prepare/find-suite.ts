import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Checked, refused } from '../suite/document/diagnostic.ts';
import { suggest } from '../suite/document/nearest.ts';

const SUITES = fileURLToPath(new URL('../../suites', import.meta.url));

/** The path, relative to `cwd` or absolute, of a suite file, or of a suite that comes with Retake (`demo`). */
export function findSuite(reference: string, cwd: string): Checked<string> {
  const isPath = /[/\\]|\.(ya?ml|json)$/i.test(reference);
  if (isPath || existsSync(resolve(cwd, reference))) return { ok: true, value: reference };
  const names = suiteNames();
  if (names.includes(reference)) return { ok: true, value: join(SUITES, `${reference}.yaml`) };
  const cause = `"${reference}" is neither a file nor a suite that comes with Retake`;
  return refused(cause, suggest(reference, names));
}

/** Only suites that need no key. */
function suiteNames(): readonly string[] {
  return readdirSync(SUITES)
    .filter((file) => file.endsWith('.yaml') && !file.endsWith('.example.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}
