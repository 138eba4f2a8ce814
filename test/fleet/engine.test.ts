import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ENGINE_PACKAGE, loadEngine } from '../../src/fleet/engine.ts';
import { withoutNodeAv } from '../fixtures/no-node-av.ts';

describe('the engine of a fleet', () => {
  it('the engine makes a new key of a user each time', async () => {
    const loaded = await loadEngine();
    if (!loaded.ok) throw new Error('the client of NATS is not installed');
    const keys = [loaded.value.makeKey(), loaded.value.makeKey()];
    for (const { seed, publicKey } of keys) {
      expect(seed).toMatch(/^SU[A-Z2-7]{56}$/);
      expect(publicKey).toMatch(/^U[A-Z2-7]{55}$/);
    }
    expect(new Set(keys.flatMap(({ seed, publicKey }) => [seed, publicKey])).size).toBe(4);
  });

  it('the engine names the version that is pinned', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const [name] = ENGINE_PACKAGE.split(/(?<=.)@/);
    expect(`${name}@${optionalDependencies[name ?? '']}`).toBe(ENGINE_PACKAGE);
  });

  it('the engine says in one sentence how to install a client that is absent', () => {
    const folder = withoutNodeAv();
    const file = pathToFileURL(join(folder, 'dist', 'fleet', 'engine.js')).href;
    const script = `import { loadEngine } from ${JSON.stringify(file)};
      process.stdout.write(JSON.stringify(await loadEngine()));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(JSON.parse(printed)).toEqual({
      ok: false,
      diagnostics: [
        {
          place: null,
          cause: 'a fleet needs the client of NATS, which is not installed',
          remedy: `run npm i ${ENGINE_PACKAGE}`,
        },
      ],
    });
  });
});
