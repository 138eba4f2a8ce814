import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { withoutOptional } from '../fixtures/no-node-av.ts';
import { startRetake } from '../fixtures/retake-process.ts';

let program: string;
beforeAll(() => {
  program = join(withoutOptional(), 'dist/main.js');
});

test.each([
  ['run', ['demo']],
  ['try', ['reference/text-to-image']],
  ['report', ['results/demo']],
  ['inspect', ['a.png', 'b.png']],
  ['serve', ['--port', '0']],
])('retake %s without the binary of sharp: ends with one sentence before anything is done', async (command, args) => {
  const cwd = freshFolder();
  const { code, stderr } = await startRetake([command, ...args], cwd, {}, program).ended;
  expect(stderr).toBe(
    `retake ${command} needs sharp, the package for images, which does not load: its binary for this machine is not ` +
      'installed; run npm install --include=optional in the folder that has node_modules\n',
  );
  expect(code).toBe(2);
  expect(existsSync(join(cwd, 'results'))).toBe(false);
});

test('what needs no image works without the binary of sharp', async () => {
  const { code, stdout } = await startRetake(['plan', 'demo'], freshFolder(), {}, program).ended;
  expect(stdout).toContain('Suite demo');
  expect(code).toBe(0);
});
