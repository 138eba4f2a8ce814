import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runsIn } from '../../src/record/find-run.ts';
import { readMedia, readSmall, writeSmall } from '../../src/record/output-files.ts';
import { checkOwn } from '../../src/record/own-files.ts';
import { readBaseline, readHistory, readRecord } from '../../src/record/read-record.ts';
import { checkUnlocked, reopenRecord } from '../../src/record/store.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { buildOk, buildStoredRun, digestOf } from '../fixtures/stored-run-builder.ts';
import { linesOf } from '../fixtures/told-faults.ts';

const SHA = digestOf('an output');

function pipe(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
}

/** The folder of a run whose files are as Retake writes them. */
function run(): string {
  const folder = join(freshFolder(), 'suite', '20261120T154500Z-7f3a');
  mkdirSync(folder, { recursive: true });
  const { run: header } = buildStoredRun({ samples: [buildOk(5, 'a')] });
  writeFileSync(join(folder, 'run.json'), JSON.stringify(header));
  writeFileSync(join(folder, 'journal.jsonl'), '');
  return folder;
}

describe.skipIf(process.platform === 'win32')('a file of a record that is not a regular file', () => {
  it.each(['journal.jsonl', 'facts.jsonl', 'run.json'])(
    'a %s that is a pipe is refused, not waited for',
    async (name) => {
      const folder = run();
      execFileSync('rm', ['-f', join(folder, name)]);
      pipe(join(folder, name));
      const path = join(folder, name);
      expect(linesOf(await readRecord(folder))).toEqual([`${path} is not a regular file; restore it, or name another`]);
      expect(runsIn(dirname(folder))).toHaveLength(1);
    },
  );

  it.each([
    ...['run.json', 'journal.jsonl', 'journal.jsonl.reserve', 'facts.jsonl', 'lock', 'media', 'media/ab', 'thumbs'],
    ...['samples.csv', 'samples.csv.part', 'verdict.json.part'],
  ])('a %s that is a link is refused by name', (name) => {
    const folder = run();
    rmSync(join(folder, name), { force: true });
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    symlinkSync(freshFolder(), join(folder, name));
    expect(linesOf(checkOwn(folder))[0]).toContain(`${join(folder, name)} is a link`);
  });

  it('a baseline, a history and a lock that are pipes are answered at once', async () => {
    const folder = run();
    for (const name of ['baseline.json', 'history.jsonl', 'lock']) pipe(join(folder, name));
    expect(linesOf(await readBaseline(join(folder, 'baseline.json')))[0]).toContain('is not a regular file');
    expect(linesOf(await readHistory(folder))[0]).toContain('is not a regular file');
    expect(checkUnlocked(folder, { own: NOBODY, find: () => ({ startedAt: null }) })).toEqual({
      ok: true,
      value: null,
    });
  });

  it('an output or thumbnail that is a pipe or a link is not read, and a link is not written through', async () => {
    const folder = run();
    const secret = join(freshFolder(), 'secret.txt');
    writeFileSync(secret, 'a file of this machine');
    pipe(join(folder, 'media', SHA.slice(0, 2), `${SHA}.png`));
    expect(await readMedia(folder, SHA)).toBeNull();
    const other = digestOf('another');
    mkdirSync(join(folder, 'media', other.slice(0, 2)), { recursive: true });
    symlinkSync(secret, join(folder, 'media', other.slice(0, 2), `${other}.png`));
    expect(await readMedia(folder, other)).toBeNull();
    const thumbnail = join(folder, 'thumbs', `${SHA}.webp`);
    mkdirSync(dirname(thumbnail));
    symlinkSync(secret, thumbnail);
    expect(readSmall(folder, SHA, 'webp')).toBeNull();
    writeSmall(folder, SHA, 'webp', Buffer.from('small'));
    expect(readFileSync(secret, 'utf8')).toBe('a file of this machine');
    expect(lstatSync(thumbnail).isFile()).toBe(true);
  });
});

const NOBODY = { pid: 1, host: null, startedAt: null };

describe('a line of a record', () => {
  it('a line of 64 MiB is refused with its number, in bounded time', async () => {
    const folder = run();
    const file = openSync(join(folder, 'journal.jsonl'), 'w');
    const piece = Buffer.alloc(1024 * 1024, 'x');
    writeSync(file, '{"event":"segment","state":"started","segment":1,"originAt":"2026-11-20T15:45:00.000Z"}\n');
    for (let at = 0; at < 64; at += 1) writeSync(file, piece);
    expect(linesOf(await readRecord(folder))).toEqual([
      `${join(folder, 'journal.jsonl')}:2:1: the line is longer than 32 MiB; restore the file; if you delete the line, a resumed run may send its request again`,
    ]);
  });
});

/** Puts a value at a path of a copy of a document. */
function withValue(document: object, path: readonly (string | number)[], value: unknown): object {
  const copy = JSON.parse(JSON.stringify(document));
  const last = path.at(-1) ?? '';
  path.slice(0, -1).reduce((parent, step) => parent[step], copy)[last] = value;
  return copy;
}

const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

describe('names and numbers of a record', () => {
  const stored = buildStoredRun({ samples: [buildOk(5, 'a')] });
  const header = {
    ...stored.run,
    shard: {
      run: 'r1',
      index: 1,
      of: 2,
      whole: { plan: stored.run.plan, limits: stored.run.limits, plannedTrials: {} },
    },
  };
  const sample = { event: 'sample', sample: stored.samples[0] };
  const line = {
    format: 1,
    run: 'r1',
    startedAt: '2026-11-20T15:45:00.000Z',
    suiteDigest: SHA,
    complete: true,
    verdict: 'none',
    variants: [
      {
        variant: 'a',
        kind: 'text-to-image',
        comparableDigest: SHA,
        cells: [{ prompt: 'fox', seed: 1 }],
        lnValues: { 'latency.total': [1] },
        meanLn: { 'latency.total': 1 },
        rates: {},
      },
    ],
  };

  it.each<[string, readonly (string | number)[], unknown]>([
    ...['../../x', '/x', '', '.', '..', 'a\u202eb', 'a\u0000', 'a b', 'a\\b'].flatMap(
      (name): [string, readonly (string | number)[], unknown][] => [
        ['run.json', ['suite', 'name'], name],
        ['run.json', ['id'], name],
        ['run.json', ['shard', 'run'], name],
      ],
    ),
    ['run.json', ['shard', 'run'], 'r1-1of2'],
    ['run.json', ['shard', 'of'], 4294967296],
    ['run.json', ['suite', 'declared'], deep(3000)],
    ['run.json', ['limits', 'usd'], 1e308],
    ['run.json', ['variants', 0, 'timeoutMs'], 1e308],
    ['journal.jsonl', ['sample', 'reported', 'costUsd'], -1000],
    ['journal.jsonl', ['sample', 'reported', 'costUsd'], 1e308],
    ['journal.jsonl', ['sample', 'reported', 'serverMs'], 1e308],
    ['journal.jsonl', ['sample', 'marks', 'doneMs'], 1.7e308],
    ['journal.jsonl', ['sample', 'marks', 'startedMs'], -1.7e308],
    ['journal.jsonl', ['sample', 'endedMs'], 1e16],
    ['journal.jsonl', ['sample', 'segment'], Number.MAX_SAFE_INTEGER],
    ['history.jsonl', ['run'], '../r1'],
    ['history.jsonl', ['variants', 0, 'lnValues', 'latency.total', 0], 710],
    ['history.jsonl', ['variants', 0, 'meanLn', 'latency.total'], -1e308],
  ])('a value in %s at %j that is beyond its bounds (%j) is refused with its field', async (file, path, value) => {
    const folder = run();
    const documents = { 'run.json': header, 'journal.jsonl': sample, 'history.jsonl': line };
    for (const [name, document] of Object.entries(documents)) {
      const text = JSON.stringify(name === file ? withValue(document, path, value) : document);
      writeFileSync(join(folder, name), `${text}\n`);
    }
    const found = await (file === 'history.jsonl' ? readHistory(folder) : readRecord(folder));
    const field = path.reduce<string>((name, step) => {
      if (typeof step === 'number') return `${name}[${step}]`;
      return /^\w+$/.test(step) ? `${name}${name === '' ? '' : '.'}${step}` : `${name}["${step}"]`;
    }, '');
    expect(linesOf(found)[0]).toContain(`${join(folder, file)}:`);
    expect(linesOf(found)[0]).toContain(`: ${field} `);
    // Without the value it is read.
    writeFileSync(join(folder, file), `${JSON.stringify(documents[file as keyof typeof documents])}\n`);
    expect(linesOf(await (file === 'history.jsonl' ? readHistory(folder) : readRecord(folder)))).toEqual([]);
  });

  it('a torn last line of 20 MB is cut off, and the lines before it stay', () => {
    const folder = run();
    const path = join(folder, 'journal.jsonl');
    writeFileSync(path, `${JSON.stringify(sample)}\n${'x'.repeat(20_000_000)}`);
    reopenRecord(folder).close();
    expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(sample)}\n`);
    writeFileSync(path, 'x'.repeat(200_000));
    reopenRecord(folder).close();
    expect(readFileSync(path, 'utf8')).toBe('');
  });
});
