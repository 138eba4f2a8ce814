import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { LIBAV_PACKAGE } from '../../src/media/libav.ts';
import { withoutNodeAv } from '../fixtures/no-node-av.ts';

const PACKAGE = JSON.stringify({ name: LIBAV_PACKAGE, version: '2.0.0', main: 'node-av.node' });

/** Why the copy of the program in a folder has no FFmpeg; in a process, where packages are looked for as users' are. */
function reasonIn(folder: string): unknown {
  const file = pathToFileURL(join(folder, 'dist', 'media', 'libav.js')).href;
  const script = `import { loadLibav } from ${JSON.stringify(file)};
    const loaded = await loadLibav();
    process.stdout.write(JSON.stringify(loaded.ok ? 'loaded' : loaded.reason));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, encoding: 'utf8' }),
  );
}

/** Puts a package of FFmpeg of these files into a copy of the program, in place of the one before. */
function install(folder: string, files: Readonly<Record<string, string>>): void {
  const installed = join(folder, 'node_modules', LIBAV_PACKAGE);
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(installed, name), text);
}

describe('loadLibav', () => {
  const folder = withoutNodeAv();

  test('loadLibav says that FFmpeg is not installed only where it is not', () => {
    expect(reasonIn(folder)).toEqual({ code: 'package_missing', package: LIBAV_PACKAGE });
  });

  test('loadLibav gives the cause and both versions where the binary does not load, without the folders of this machine', () => {
    install(folder, { 'package.json': PACKAGE, 'node-av.node': 'no library' });
    const reason = reasonIn(folder);
    expect(reason).toEqual({
      code: 'package_broken',
      package: LIBAV_PACKAGE,
      version: '2.0.0',
      needs: '6.1.1',
      detail: expect.stringMatching(/^Platform package not found or loading failed: Error: node-av\.node: /),
    });
    expect(JSON.stringify(reason)).not.toContain(folder);
  });

  test('loadLibav names a file missing inside the package', () => {
    install(folder, { 'package.json': PACKAGE });
    expect(reasonIn(folder)).toMatchObject({
      code: 'package_broken',
      version: '2.0.0',
      detail: expect.stringContaining(`Cannot find module '${LIBAV_PACKAGE}/node-av.node'`),
    });
  });
});
