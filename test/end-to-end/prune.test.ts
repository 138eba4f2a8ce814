import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type ImageServer, serveImages, writePainter } from '../fixtures/image-server.ts';
import { filesBelow, retakeHere } from '../fixtures/retake-process.ts';

const SUITE = `suite: 1
name: nightly
variants:
  fast: { target: ./painter.yaml }
prompts: [{ id: fox, text: A red fox in snow }]
seeds: [1, 2]
repeats: 2
load: { concurrency: 2 }
reports: [csv, html, json]
`;

let service: ImageServer;
let folder: string;
let suite: string;

const reportsOf = (run: string) =>
  ['report.html', 'samples.csv', 'analysis.json', 'verdict.json'].map((name) =>
    readFileSync(join(suite, run, name), 'utf8'),
  );
const mediaOf = (run: string) => filesBelow(join(suite, run)).filter((file) => file.includes('/media/'));

/** Links to media, and the words about them. */
const ORIGINALS = /<a class="original" [^>]*>original<\/a>|<span class="without-script"> Links named[\s\S]*?<\/span>/g;

/** Three runs: the first is the stored baseline, the second was merged. */
beforeAll(async () => {
  // The same images each night.
  service = await serveImages();
  folder = freshFolder();
  writePainter(folder, service.url);
  suite = join(folder, 'results', 'nightly');
  writeFileSync(join(folder, 'nightly.yaml'), SUITE);
  const run = (...more: string[]) => retakeHere(['run', 'nightly.yaml', '--quiet', '--run', ...more], folder);
  expect((await run('night-1')).code).toBe(0);
  expect((await retakeHere(['baseline', join(suite, 'night-1')], folder)).code).toBe(0);
  expect((await run('night-2', '--shard', '1/1')).code).toBe(0);
  expect((await retakeHere(['merge', join(suite, 'night-2-1of1'), '--quiet'], folder)).code).toBe(0);
  expect((await run('night-3')).code).toBe(0);
});

afterAll(() => service.close());

test('retake prune frees the media of old runs and shards, spares the stored baseline, and their reports stay the same', async () => {
  const before = reportsOf('night-2');
  const pruned = await retakeHere(['prune', 'nightly', '--keep', '1'], folder);
  expect(pruned).toMatchObject({ code: 0, stderr: 'spared: night-1 (it is the stored baseline)\n' });
  expect(['night-2', 'night-2-1of1'].flatMap(mediaOf)).toEqual([]);
  expect(['night-1', 'night-3'].map((run) => mediaOf(run).length > 0)).toEqual([true, true]);

  expect(await retakeHere(['report', join(suite, 'night-2'), '--quiet'], folder)).toMatchObject({
    code: 0,
    stderr: '',
  });
  const links = (reports: readonly string[]) => reports.join('').match(ORIGINALS)?.length ?? 0;
  const after = reportsOf('night-2');
  expect([links(before) > 0, links(after)]).toEqual([true, 0]);
  const others = (reports: readonly string[]) => reports.map((text) => text.replace(ORIGINALS, ''));
  expect(others(after)).toEqual(others(before));
});

test('retake prune --thumbs leaves reports that say where their images are gone', async () => {
  const [before = ''] = reportsOf('night-2');
  expect((await retakeHere(['prune', 'nightly', '--keep', '1', '--thumbs', '--quiet'], folder)).code).toBe(0);
  expect((await retakeHere(['report', join(suite, 'night-2'), '--quiet'], folder)).code).toBe(0);
  const [after = '', ...others] = reportsOf('night-2');
  expect(before).not.toContain('no longer in its folder');
  expect(after).toMatch(/2 thumbnails of this run are no longer in its folder: deleted by retake prune --thumbs/);
  expect(after).toContain('no thumbnail');
  expect(others[0]).toContain('night-2');
});
