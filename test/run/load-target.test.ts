import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadTargetFile } from '../../src/run/declared-files.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';

const SMALLEST = {
  target: 1,
  id: 'test/images',
  kind: 'text-to-image',
  base_url: 'http://127.0.0.1:9',
  result: { from: 'body' },
};

test('a stored body is read beside the target file, and what is wrong with it is said at its place', async () => {
  const cwd = freshFolder();
  const target = {
    ...SMALLEST,
    submit: { path: '/p', body_file: '${env.GRAPH:-graph.json}', set: { '/seed': '${case.seed}' } },
  };
  await writeFile(join(cwd, 't.json'), JSON.stringify(target, null, 1));
  const load = () => loadTargetFile('t.json', { env: {}, cwd });
  expect(await load()).toMatchObject({
    ok: false,
    diagnostics: [{ place: { file: 't.json', line: 11 }, cause: 'cannot read graph.json: there is no such file' }],
  });
  await writeFile(join(cwd, 'graph.json'), '{"a": 1, "a": 2}');
  expect(await load()).toMatchObject({ ok: false, diagnostics: [{ place: { file: 'graph.json', line: 1 } }] });
  await writeFile(join(cwd, 'graph.json'), '{"seed": 1}');
  expect(await load()).toMatchObject({ ok: true, value: { storedBody: { seed: 1 } } });
});
