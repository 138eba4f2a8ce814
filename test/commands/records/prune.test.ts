import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../src/commands/display/print.ts';
import { type PruneArguments, pruneCommand } from '../../../src/commands/records/prune.ts';
import { heatFormat, keeperOfMedia, writeSmall } from '../../../src/record/output-files.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { type MemoryEdge, memoryEdge } from '../../fixtures/memory-edge.ts';
import { filesBelow } from '../../fixtures/retake-process.ts';
import { storeRun } from '../../fixtures/stored-suite.ts';

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Stores a run with one output of its own, of 1,000 bytes, its thumbnails and its copy; gives the folder of the suite.
 */
function storeNight(results: string, night: number, { id = `night-${night}`, examined = true } = {}): string {
  const suite = storeRun(results, id, `2026-01-0${night}T00:00:00.000Z`, { examined });
  const content = `${night}`.repeat(1000);
  keeperOfMedia(join(suite, id))(Buffer.from(content), 'png');
  writeSmall(join(suite, id), digestOf(content), 'webp', Buffer.from('thumbnail'));
  writeSmall(join(suite, id), digestOf(content), '200.webp', Buffer.from('small'));
  writeSmall(join(suite, id), digestOf(content), '1024.webp', Buffer.from('copy'));
  writeSmall(join(suite, id), digestOf(content), heatFormat(digestOf('another')), Buffer.from('heat map'));
  return suite;
}

/** A suite of so many nights. */
function nights(count: number): string {
  const results = freshFolder();
  const suites = Array.from({ length: count }, (_, at) => storeNight(results, at + 1));
  return suites[0] ?? results;
}

async function prune(suite: string, args: Partial<PruneArguments> = {}, edge: MemoryEdge = memoryEdge(suite)) {
  const defaults = { suite, out: 'results', keep: 1, thumbs: false, dryRun: false, quiet: false };
  const code = await exitCodeOf(() => pruneCommand({ ...defaults, ...args }, edge), edge);
  return { code, stdout: edge.stdout(), stderr: edge.stderr() };
}

/** The runs that still have a file below media/, or below another folder. */
function withMedia(suite: string, folder = 'media'): readonly string[] {
  return readdirSync(suite, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(suite, entry.name, folder)))
    .map(({ name }) => name)
    .filter((name) => filesBelow(join(suite, name, folder)).length > 0)
    .sort();
}

describe('retake prune', () => {
  it('the last runs: keep their media; the others lose it, and keep record, facts and thumbnails', async () => {
    const suite = nights(4);
    const before = filesBelow(suite).filter((file) => !file.includes('/media/'));
    const { code, stdout, stderr } = await prune(suite, { keep: 2 });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      'night-1: 1 file, 1.00 kB\nnight-2: 1 file, 1.00 kB\n' + 'Deleted the media of 2 runs: 2.00 kB are free.\n',
    );
    expect(withMedia(suite)).toEqual(['night-3', 'night-4']);
    expect(existsSync(join(suite, 'night-1', 'media'))).toBe(false);
    expect(filesBelow(suite).filter((file) => !file.includes('/media/'))).toEqual(before);
    const again = await prune(suite, { keep: 2 });
    expect(again.stdout).toBe('Deleted the media of 0 runs: 0 B are free.\n');
  });

  it('folders and files of the user in media/: stay, the empty ones too', async () => {
    const suite = nights(2);
    const media = join(suite, 'night-1', 'media');
    const [shelf = ''] = readdirSync(media);
    mkdirSync(join(media, 'mine'));
    writeFileSync(join(media, shelf, 'notes.txt'), 'words');
    expect((await prune(suite)).code).toBe(0);
    expect(readdirSync(media).sort()).toEqual([shelf, 'mine'].sort());
    expect(readdirSync(join(media, shelf))).toEqual(['notes.txt']);
  });

  it('a dry run: prints the same, and deletes nothing', async () => {
    const suite = nights(3);
    const before = filesBelow(suite);
    const { code, stdout } = await prune(suite, { dryRun: true });
    expect(code).toBe(0);
    expect(stdout).toContain('Would delete the media of 2 runs: 2.00 kB would be free.');
    expect(filesBelow(suite)).toEqual(before);
  });

  it('--thumbs: deletes thumbnails too, also of runs whose media are gone', async () => {
    const suite = nights(3);
    await prune(suite);
    expect(withMedia(suite, 'thumbs')).toEqual(['night-1', 'night-2', 'night-3']);
    const { stdout } = await prune(suite, { thumbs: true });
    expect(stdout).toContain('Deleted the media and thumbnails of 2 runs: 52 B are free.');
    expect(withMedia(suite, 'thumbs')).toEqual(['night-3']);
  });

  it('a run that is not fully examined: keeps its media, and the exit code says so', async () => {
    const suite = nights(1);
    storeNight(dirname(suite), 2, { examined: false });
    storeNight(dirname(suite), 3);
    const { code, stderr } = await prune(suite, { quiet: true });
    expect(code).toBe(3);
    expect(stderr).toBe(`spared: night-2 (not examined yet: run "retake report ${join(suite, 'night-2')}")\n`);
    expect(withMedia(suite)).toEqual(['night-2', 'night-3']);
  });

  it('a run whose outputs a program has still to score: keeps its media, with values of a file it does not', async () => {
    const suite = nights(4);
    const given = { value: 'hps', better: null, range: null, unit: 'score', meaning: null };
    const program = { command: ['node', 'a.mjs'], env: [], timeoutMs: 1, frames: 8, original: false };
    const declare = (run: string, use: string, more = {}) => {
      const path = join(suite, run, 'run.json');
      const scorers = [{ use, name: 'hps', gives: [given], ...more }];
      writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), scorers }));
    };
    declare('night-1', 'command', program);
    declare('night-2', 'file');
    const { code, stderr } = await prune(suite, { quiet: true });
    expect(code).toBe(3);
    expect(stderr).toBe(`spared: night-1 (not scored yet: run "retake score ${join(suite, 'night-1')}")\n`);
    expect(withMedia(suite)).toEqual(['night-1', 'night-4']);
  });

  it('a run that another process uses, and one that cannot be read: keep their media', async () => {
    const suite = nights(4);
    writeFileSync(join(suite, 'night-1', 'lock'), '1\n');
    writeFileSync(join(suite, 'night-2', 'journal.jsonl'), 'rubbish\n');
    const { code, stderr } = await prune(suite);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^spared: night-1 \(another process uses it\)\nspared: night-2 \(its record cannot be read: /,
    );
    expect(withMedia(suite)).toEqual(['night-1', 'night-2', 'night-4']);
  });

  it('a stored baseline that cannot be read: is refused, and nothing is deleted', async () => {
    const suite = nights(2);
    writeFileSync(join(suite, 'baseline.json'), '{}');
    const { code, stderr } = await prune(suite);
    expect(code).toBe(2);
    expect(stderr).toContain('baseline.json has no format version');
    expect(withMedia(suite)).toEqual(['night-1', 'night-2']);
  });

  it('shards: lose their media with their run; a file counts as freed once its last name is gone', async () => {
    const suite = nights(2);
    storeNight(dirname(suite), 1, { id: 'night-1-1of2' });
    storeNight(dirname(suite), 2, { id: 'night-2-1of2' });
    storeNight(dirname(suite), 1, { id: 'other-1of2' });
    const [own = ''] = filesBelow(join(suite, 'night-1', 'media'));
    const name = own.slice(join(suite, 'night-1').length);
    for (const other of ['night-1-1of2', 'night-2']) {
      const path = join(suite, other, name);
      rmSync(path, { force: true });
      mkdirSync(dirname(path), { recursive: true });
      linkSync(own, path);
    }
    const { code, stdout, stderr } = await prune(suite);
    expect(code).toBe(0);
    expect(stdout).toContain('Deleted the media of 2 runs: 0 B are free; other runs use the same files.');
    expect(stderr).toBe('spared: other-1of2 (a shard of a run that is not merged)\n');
    expect(withMedia(suite)).toEqual(['night-2', 'night-2-1of2', 'other-1of2']);
    expect((await prune(suite, { keep: 0 })).stdout).toContain('Deleted the media of 2 runs: 3.00 kB are free.\n');
  });

  it('links and files that Retake did not store: are left alone', async () => {
    const suite = nights(2);
    const outside = join(freshFolder(), 'ab');
    mkdirSync(outside);
    const digest = `ab${'0'.repeat(62)}`;
    writeFileSync(join(outside, `${digest}.png`), 'mine');
    const media = join(suite, 'night-1', 'media');
    mkdirSync(join(media, 'cd'));
    symlinkSync(join(outside, `${digest}.png`), join(media, 'cd', `cd${'0'.repeat(62)}.png`));
    writeFileSync(join(media, 'cd', 'notes.txt'), 'mine');
    symlinkSync(join(suite, 'night-2'), join(suite, 'linked'));
    await prune(suite, { keep: 0 });
    expect(withMedia(suite)).toEqual(['night-1']);
    expect(filesBelow(media)).toEqual([join(media, 'cd', 'notes.txt')]);
    expect(readdirSync(outside)).toEqual([`${digest}.png`]);
  });

  it.each(['media', 'media/ab'])(
    'a folder %s that is a link: is not followed, and its run is left alone',
    async (name) => {
      const suite = nights(2);
      const away = join(freshFolder(), 'media');
      keeperOfMedia(dirname(away))(Buffer.from('mine'), 'png');
      rmSync(join(suite, 'night-1', name), { recursive: true, force: true });
      symlinkSync(away, join(suite, 'night-1', name));
      await prune(suite, { keep: 0 });
      expect(withMedia(suite)).toEqual(['night-1']);
      expect(filesBelow(away)).toHaveLength(1);
    },
  );

  it('an interrupt: ends the deleting between two runs', async () => {
    const suite = nights(3);
    const edge = { ...memoryEdge(suite), drain: AbortSignal.abort() };
    const { code, stderr } = await prune(suite, {}, edge);
    expect([code, stderr]).toEqual([3, 'interrupted: the remaining runs keep their media\n']);
    expect(withMedia(suite)).toHaveLength(3);
  });
});
