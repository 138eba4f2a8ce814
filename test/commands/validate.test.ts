import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { validateCommand } from '../../src/commands/validate.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { memoryEdge } from '../fixtures/memory-edge.ts';

test('retake validate tells what is wrong with a target once, however many suites name it', async () => {
  const cwd = freshFolder();
  mkdirSync(join(cwd, 'targets', 'own'), { recursive: true });
  writeFileSync(
    join(cwd, 'targets', 'own', 'images.yaml'),
    'target: 1\nid: own/images\nkind: text-to-image\nbase_url: http://127.0.0.1:9\nsubmit: { pth: /g }\nresult: { from: body }\n',
  );
  for (const name of ['one', 'two']) {
    const suite = `suite: 1\nname: ${name}\nvariants: { a: { target: own/images } }\nprompts: [A red fox]\n`;
    writeFileSync(join(cwd, `${name}.yaml`), suite);
  }
  const edge = memoryEdge(cwd);
  expect(await validateCommand({ files: ['one.yaml', 'two.yaml'], quiet: false }, edge)).toBe(2);
  expect(edge.stdout()).toBe('');
  expect(edge.stderr().match(/unknown key "pth"/g)).toHaveLength(1);
});
