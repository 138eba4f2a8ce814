import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { withNodeAv, withoutNodeAv } from '../../fixtures/without-node-av.ts';

const PACKAGE = JSON.stringify({
  name: 'node-av',
  version: '2.0.0',
  type: 'module',
  exports: { './lib': './lib.js', './constants': './constants.js' },
});

/** Why the copy of the program in a folder has no FFmpeg; in a process, where packages are looked for as users' are. */
function reasonIn(folder: string): unknown {
  const file = pathToFileURL(join(folder, 'dist', 'media', 'video', 'libav.js')).href;
  const script = `import { loadLibav } from ${JSON.stringify(file)};
    const loaded = await loadLibav();
    process.stdout.write(JSON.stringify(loaded.ok ? 'loaded' : loaded.reason));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, encoding: 'utf8' }),
  );
}

describe('loadLibav', () => {
  test('loadLibav says that node-av is not installed only where it is not', () => {
    expect(reasonIn(withoutNodeAv())).toEqual({ code: 'package_missing', package: 'node-av' });
  });

  test('loadLibav gives the cause and both versions where a library of node-av is missing', () => {
    const cause =
      'Platform package not found or loading failed: Error: libavcodec.so.60: cannot open shared object file';
    const thrown = `Could not load the node-av native binding for linux-x64.\nErrors:\n  ${cause}\n\n`;
    const lib = `throw new Error(${JSON.stringify(thrown)});`;
    expect(reasonIn(withNodeAv({ 'package.json': PACKAGE, 'lib.js': lib }))).toEqual({
      code: 'package_broken',
      package: 'node-av',
      version: '2.0.0',
      needs: '^6.1.1',
      detail: cause,
    });
  });

  test('loadLibav names a file missing inside node-av, without the folders of this machine', () => {
    const folder = withNodeAv({ 'package.json': PACKAGE, 'lib.js': "import './binding.js';" });
    const reason = reasonIn(folder);
    const detail = expect.stringMatching(/^Cannot find .*binding\.js/);
    expect(reason).toMatchObject({ code: 'package_broken', version: '2.0.0', needs: '^6.1.1', detail });
    expect(JSON.stringify(reason)).not.toContain(folder);
  });
});
