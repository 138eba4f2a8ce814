import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FoundDigests, Task } from './calls-in-child.ts';

/** What the C library fills memory with when it is handed out (glibc alone does); null: unchanged. */
const POISONS = [null, 1, 85, 255] as const;

/** The built child, of the program and of the tests alike. */
const CHILD = fileURLToPath(
  new URL('node_modules/.cache/retake-tools/test/tools/native-bytes/calls-in-child.js', rootOf(import.meta.url)),
);

/** The folder of package.json, from a source file or a built one. */
function rootOf(url: string): URL {
  return new URL(url.includes('/node_modules/.cache/') ? '../../../../../../' : '../../../', url);
}

/**
 * Carries out a task in one process for each poison, one process after the other. Gives the results that occurred
 * several: each by its name, with its digests.
 */
export async function unequalUnderPoison(task: Task): Promise<readonly string[]> {
  const all = new Map<string, Set<string>>();
  for (const poison of POISONS) {
    for (const [key, digests] of Object.entries(await digestsUnder(poison, task))) {
      const known = all.get(key) ?? new Set();
      for (const digest of digests) known.add(digest);
      all.set(key, known);
    }
  }
  if (all.size === 0) throw new Error('nothing was called');
  return [...all]
    .filter(([, digests]) => digests.size > 1)
    .map(([key, digests]) => `${key}: ${[...digests].join(' ')}`);
}

async function digestsUnder(poison: number | null, task: Task): Promise<FoundDigests> {
  const { MALLOC_PERTURB_: _, ...env } = process.env;
  const child = fork(CHILD, [JSON.stringify(task)], {
    env: poison === null ? env : { ...env, MALLOC_PERTURB_: String(poison) },
    execArgv: [],
  });
  const said: FoundDigests[] = [];
  child.on('message', (message) => said.push(message as FoundDigests));
  const [code] = await once(child, 'close');
  const [found] = said;
  if (code !== 0 || found === undefined) throw new Error(`the calls ended with ${code}`);
  return found;
}
