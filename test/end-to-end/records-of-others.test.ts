import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { appendFacts, createRecord } from '../../src/record/store.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { filesBelow, onlyRun, retakeHere } from '../fixtures/retake-process.ts';
import { buildOk, buildStoredRun } from '../fixtures/stored-run-builder.ts';
import { ask, serveViewer } from '../fixtures/viewer-process.ts';
import { type Loopback, serve } from '../targets/loopback.ts';

/* A record, a stored baseline or a history that came from somebody else: it adds nothing to what is sent, and leads to no other file. */

const ENV = { OWN_KEY: 'key-of-the-user-1', OTHER: 'another-secret-2' };

const target = (url: string, style = '') => `target: 1
id: own/${style === '' ? 'images' : 'away'}
kind: text-to-image
base_url: ${url}
auth: { in: header, name: authorization, value: "Bearer \${secret.OWN_KEY}" }
const: { style: "${style}" }
submit: { path: /g, encoding: json, body: { prompt: "\${case.prompt}", style: "\${const.style}" } }
result: { from: body, expect: image/* }
`;

const SUITE = `suite: 1
name: mine
variants: { a: { target: own/images } }
prompts: [fox, marmoset, owl]
repeats: 1
load: { warmup: 0 }
reports: [csv, html]
`;

interface World {
  readonly folder: string;
  /** The folder of a run that ended early. */
  readonly run: string;
  readonly home: Loopback;
  readonly away: Loopback;
}

/** A run of the user's own that ended early, at a server of theirs; another server stands by. */
async function world(): Promise<World> {
  const image = await sharp({ create: { width: 16, height: 16, channels: 3, background: 'tomato' } })
    .png()
    .toBuffer();
  const [home, away] = await Promise.all(
    [0, 1].map(() => serve((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(image))),
  );
  if (home === undefined || away === undefined) throw new Error('two servers were started');
  const folder = freshFolder();
  mkdirSync(join(folder, 'targets', 'own'), { recursive: true });
  writeFileSync(join(folder, 'targets', 'own', 'images.yaml'), target(home.url));
  writeFileSync(join(folder, 'targets', 'own', 'away.yaml'), target(away.url, '${env.OTHER}'));
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  const begun = await retakeHere(['run', 'suite.yaml', '--yes', '--set', 'limits.requests=1'], folder, ENV);
  expect(begun).toMatchObject({ code: 3 });
  return { folder, run: onlyRun(join(folder, 'results')), home, away };
}

/** Changes a JSON file. */
function edit(path: string, change: (value: never) => unknown): void {
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')) as never)));
}

const overriding = (run: string, overrides: readonly string[]) =>
  edit(join(run, 'run.json'), (value: { suite: object }) => ({ ...value, suite: { ...value.suite, overrides } }));
const naming = (run: string, file: string) =>
  edit(join(run, 'run.json'), (value: { suite: object }) => ({ ...value, suite: { ...value.suite, file } }));

describe('what a record of somebody else adds to what is sent', () => {
  it('the origin, keys and variables of a recorded --set, of a suite beside the record and of a stored baseline: are named, and nothing is sent', async () => {
    const { folder, run, home, away } = await world();
    const strange = freshFolder();
    cpSync(join(folder, 'results'), join(folder, 'got', 'results'), { recursive: true });
    const got = join(folder, run.replace(folder, 'got'));
    mkdirSync(join(folder, 'got', 'targets', 'own'), { recursive: true });
    writeFileSync(join(folder, 'got', 'targets', 'own', 'images.yaml'), target(away.url));
    for (const name of ['suite.yaml', 'other.yaml']) writeFileSync(join(folder, 'got', name), SUITE);
    cpSync(join(folder, 'got'), join(strange, 'got'), { recursive: true });

    expect(await retakeHere(['baseline', 'results/mine', '--force', '--quiet'], folder)).toMatchObject({ code: 0 });
    const kept = join(folder, 'results', 'mine', 'baseline.json');
    const moved = join(folder, 'moved.json');
    cpSync(kept, moved);
    edit(moved, (value: { targets: { declared: object }[] }) => ({
      ...value,
      targets: value.targets.map((each) => ({ ...each, declared: { ...each.declared, base_url: away.url } })),
    }));
    const reading = join(folder, 'reading.json');
    cpSync(kept, reading);
    edit(reading, (value: { targets: { declared: object }[] }) => ({
      ...value,
      targets: value.targets.map((each) => ({
        ...each,
        declared: { ...each.declared, const: { style: '${env.OTHER}' } },
      })),
    }));

    const resume = ['run', '--resume', run];
    const before = home.seen.length;
    const cases: readonly {
      readonly what: string;
      readonly change: () => void;
      readonly args: readonly string[];
      readonly says: readonly string[];
      readonly cwd?: string;
    }[] = [
      {
        what: 'base_url by --set',
        change: () => overriding(run, [`variants.a.base_url=${away.url}`]),
        args: resume,
        says: [away.url, 'requests and OWN_KEY (key)', `--allow-origin ${away.url}`, 'repeat the --set'],
      },
      {
        what: 'target by --set',
        change: () => overriding(run, ['variants.a.target=own/away']),
        args: [...resume, '--set', 'limits.requests=9'],
        says: [away.url, 'OWN_KEY (key) and OTHER (variable)'],
      },
      {
        what: 'variable by --set',
        change: () => overriding(run, ['variants.a.const.style=${env.OTHER}']),
        args: resume,
        says: [home.url, 'OTHER (variable)'],
      },
      {
        what: 'a suite beside the record',
        change: () => naming(got, 'other.yaml'),
        args: ['run', '--resume', got],
        says: [away.url, 'OWN_KEY (key)', 'name the suite (retake run got/other.yaml --resume'],
      },
      {
        what: 'a suite below the working folder that came with the record',
        change: () => naming(got, 'got/suite.yaml'),
        args: ['run', '--resume', got],
        says: [away.url, 'OWN_KEY (key)'],
      },
      {
        what: 'a path that leads out of the working folder',
        change: () => naming(run, `x/../../${strange.split('/').at(-1)}/got/suite.yaml`),
        args: resume,
        says: ['is not found'],
      },
      {
        what: 'a stored baseline of another origin',
        change: () => {},
        args: ['run', 'suite.yaml', '--against', moved, '--yes'],
        says: [away.url, 'requests and OWN_KEY (key)', `--allow-origin ${away.url}`],
      },
      {
        what: 'a stored baseline with a variable',
        change: () => {},
        args: ['run', 'suite.yaml', '--against', reading, '--yes'],
        says: [home.url, 'OTHER (variable)'],
      },
      {
        what: 'another stored baseline than the one that the run began with',
        change: () => {
          naming(run, 'suite.yaml');
          edit(join(run, 'run.json'), (value: object) => ({
            ...value,
            against: {
              run: JSON.parse(readFileSync(moved, 'utf8')).run,
              createdAt: '2026-11-20T15:45:00.000Z',
              digest: '0'.repeat(64),
              environment: {},
              changedEnvironment: [],
              missing: [],
            },
          }));
        },
        args: resume,
        says: ['name its file with --against'],
      },
    ];
    const original = readFileSync(join(run, 'run.json'));
    for (const { what, change, args, says } of cases) {
      writeFileSync(join(run, 'run.json'), original);
      change();
      const { code, stderr } = await retakeHere([...args, '--yes'], folder, ENV);
      expect({ what, code, home: home.seen.length, away: away.seen }).toEqual({
        what,
        code: 2,
        home: before,
        away: [],
      });
      for (const said of says) expect(stderr, what).toContain(said);
    }
    writeFileSync(join(run, 'run.json'), original);
    expect(existsSync(join(run, 'lock'))).toBe(false);
  });

  it('what the user names: is sent without a question; an origin that a flag names is allowed, and said', async () => {
    const { folder, run, home, away } = await world();
    const original = readFileSync(join(run, 'run.json'));
    const limit = (requests: number) => ['--set', `limits.requests=${requests}`];
    const own = await retakeHere(['run', '--resume', run, ...limit(2)], folder, ENV);
    expect(own.stderr).not.toContain('--allow-origin');
    expect([home.seen.length, away.seen.length]).toEqual([2, 0]);

    overriding(run, [`variants.a.base_url=${away.url}`]);
    const allowed = await retakeHere(['run', '--resume', run, '--allow-origin', away.url, ...limit(3)], folder, ENV);
    expect(allowed.stderr).toContain(`adds requests and OWN_KEY (key) to what is sent to ${away.url}\n`);
    expect(allowed.stderr).toContain(`sends a to ${away.url}; before it was sent to ${home.url}`);
    expect(allowed.code).toBe(0);
    expect([home.seen.length, away.seen.length]).toEqual([2, 1]);

    writeFileSync(join(run, 'run.json'), original);
    expect(await retakeHere(['baseline', 'results/mine', '--quiet'], folder)).toMatchObject({ code: 0 });
    const against = await retakeHere(
      ['run', 'suite.yaml', '--yes', '--against', 'results/mine/baseline.json', ...limit(2)],
      folder,
      ENV,
    );
    expect(against).toMatchObject({ code: 3 });
    expect(against.stderr).not.toContain('--allow-origin');
    const wrong = await retakeHere(['run', '--resume', run, '--allow-origin', 'nowhere'], folder, ENV);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('"nowhere" is not a valid origin') });
  });
});

/** What may be a link or a pipe in the folder of a run. */
const OURS = [
  'run.json',
  'journal.jsonl',
  'journal.jsonl.reserve',
  'facts.jsonl',
  'lock',
  'media',
  'media/ab',
  'thumbs',
  'samples.csv',
  'samples.csv.part',
  'verdict.json.part',
];

describe.skipIf(process.platform === 'win32')('what leads out of a record of somebody else', () => {
  it('a link in the place of a file or folder: is refused by name, by every command, and not followed', async () => {
    const { folder, run } = await world();
    const shard = join(dirname(run), 'shard-1of2');
    const share = ['--shard', '1/2', '--set', 'load.concurrency=2'];
    await retakeHere(['run', 'suite.yaml', '--run', 'shard', ...share], folder, ENV);
    const victim = freshFolder();
    const file = join(victim, 'file.txt');
    const commands = (path: string) => [
      ['report', path],
      ['gate', path],
      ['baseline', path, '--force'],
      ['compare', path, join(folder, 'good')],
      ['compare', join(folder, 'good'), path],
      ['run', 'suite.yaml', '--resume', path, '--set', 'limits.requests=2'],
    ];
    cpSync(run, join(folder, 'good'), { recursive: true });
    for (const name of OURS) {
      for (const [source, all] of [
        [run, commands(join(folder, 'bad'))],
        [shard, [['merge', join(folder, 'bad')]]],
      ] as const) {
        for (const command of name === 'samples.csv.part' ? all : all.slice(0, 1)) {
          execFileSync('rm', ['-rf', join(folder, 'bad')]);
          cpSync(source, join(folder, 'bad'), { recursive: true });
          execFileSync('rm', ['-rf', join(folder, 'bad', name)]);
          const isFolder = !name.includes('.') && name !== 'lock';
          writeFileSync(file, 'untouched');
          symlinkSync(isFolder ? victim : file, join(folder, 'bad', name));
          const { code, stderr } = await retakeHere(command, folder, ENV);
          expect({ name, command: command[0], code }).toEqual({ name, command: command[0], code: 2 });
          expect(stderr).toContain(`${join('bad', name)} is a link`);
          expect(readFileSync(file, 'utf8')).toBe('untouched');
          expect(readdirSync(victim)).toEqual(['file.txt']);
        }
      }
    }
  });

  it('a link in the folder of a suite, and a pipe in that of a run: are not followed, nor waited for', async () => {
    const { folder, run } = await world();
    const suite = dirname(run);
    const victim = join(freshFolder(), 'file.txt');
    const lead = (path: string) => {
      writeFileSync(victim, 'untouched');
      execFileSync('rm', ['-f', path]);
      symlinkSync(victim, path);
    };
    for (const names of [
      ['baseline.json.part', 'history.jsonl.part', 'history.html.part'],
      ['baseline.json', 'history.jsonl'],
    ]) {
      for (const name of names) lead(join(suite, name));
      await retakeHere(['baseline', suite, '--force'], folder);
      const history = await retakeHere(['history', 'mine', '--rebuild'], folder);
      expect(history.code).not.toBe(5);
      lead(join(suite, 'history.jsonl'));
      await retakeHere(['run', 'suite.yaml', '--yes', '--set', 'limits.requests=1'], folder, ENV);
      expect(readFileSync(victim, 'utf8'), names.join()).toBe('untouched');
    }
    // A pipe would be waited for.
    const [shelf = ''] = readdirSync(join(run, 'thumbs'));
    for (const name of ['samples.csv.part', 'verdict.json.part', join('thumbs', shelf)]) {
      execFileSync('rm', ['-f', join(run, name)]);
      execFileSync('mkfifo', [join(run, name)]);
    }
    expect(await retakeHere(['report', run], folder)).toMatchObject({ code: 0 });
  });

  it('a thumbnail and media of a shard that are links: are not in the merged run', async () => {
    const { folder } = await world();
    const share = ['--shard', '1/2', '--set', 'load.concurrency=2'];
    await retakeHere(['run', 'suite.yaml', '--run', 'whole', ...share], folder, ENV);
    const shard = join(folder, 'results', 'mine', 'whole-1of2');
    const secret = join(freshFolder(), 'id_rsa');
    writeFileSync(secret, 'a file of this machine');
    for (const below of ['thumbs', join('media', readdirSync(join(shard, 'media'))[0] ?? '')]) {
      for (const name of readdirSync(join(shard, below))) {
        execFileSync('rm', [join(shard, below, name)]);
        symlinkSync(secret, join(shard, below, name));
      }
    }
    expect((await retakeHere(['merge', shard, '--quiet'], folder)).code).not.toBe(5);
    const merged = join(folder, 'results', 'mine', 'whole');
    expect(readdirSync(join(merged, 'thumbs'))).toEqual([]);
    expect(execFileSync('find', [merged, '-type', 'l'], { encoding: 'utf8' })).toBe('');
    expect(readFileSync(join(merged, 'report.html')).includes(Buffer.from('a file of this').toString('base64'))).toBe(
      false,
    );
  });

  it('a record that is a link: is not shown by the viewer', async () => {
    const { folder, run } = await world();
    execFileSync('rm', [join(run, 'report.html')]);
    const elsewhere = join(freshFolder(), 'run');
    cpSync(run, elsewhere, { recursive: true });
    for (const name of ['run.json', 'journal.jsonl']) {
      execFileSync('rm', [join(run, name)]);
      symlinkSync(join(elsewhere, name), join(run, name));
    }
    const viewer = await serveViewer([], folder);
    try {
      const address = `/runs/mine/${run.split('/').at(-1)}`;
      for (const path of [`${address}/report.html`, `${address}/`]) {
        const { body } = await ask(viewer.url, path);
        expect(body.includes('marmoset')).toBe(false);
      }
    } finally {
      await viewer.close();
    }
  });
});

/**
 * What may be a link in the folder of a suite, from there; `bad` is a run of it. A name in capitals is found in the
 * run.
 */
const ANYWHERE = [
  '.',
  'bad',
  'bad/run.json',
  'bad/journal.jsonl',
  'bad/facts.jsonl',
  'bad/lock',
  'bad/media',
  'bad/media/SHELF',
  'bad/media/SHELF/FILE',
  'bad/thumbs',
  'bad/thumbs/FILE',
  'bad/report.html',
  'bad/samples.csv',
  'history.jsonl',
  'baseline.json',
  'history.html',
];

/** The path of a kind of link, with the first file or folder of the run in place of what is in capitals. */
function placed(suite: string, kind: string): string {
  return kind.split('/').reduce((path, name) => {
    return join(path, /^[A-Z]+$/.test(name) ? (readdirSync(path)[0] ?? '') : name);
  }, suite);
}

/** Every file below a folder with its bytes. */
function bytesBelow(folder: string): Readonly<Record<string, string>> {
  const files = filesBelow(folder).map((path) => [path, readFileSync(path, 'base64')] as const);
  return Object.fromEntries(files);
}

describe.skipIf(process.platform === 'win32')('links anywhere in the results of somebody else', () => {
  it('history, prune and view: follow none, read nothing behind one, and change nothing there', async () => {
    const { folder, run } = await world();
    await retakeHere(['baseline', 'results/mine', '--force', '--quiet'], folder);
    await retakeHere(['history', 'mine', '--quiet'], folder);
    const results = join(folder, 'results');
    const away = freshFolder();
    for (const [at, kind] of ANYWHERE.entries()) {
      const suite = join(results, `kind-${at}`);
      mkdirSync(suite);
      for (const name of ['history.jsonl', 'baseline.json']) cpSync(join(dirname(run), name), join(suite, name));
      cpSync(run, join(suite, 'bad'), { recursive: true });
      const path = placed(suite, kind);
      const behind = join(away, String(at));
      if (existsSync(path)) cpSync(path, behind, { recursive: true });
      else writeFileSync(behind, '');
      // What stands behind the link says so, wherever it would be read.
      for (const file of statSync(behind).isDirectory() ? filesBelow(behind) : [behind]) {
        const text = readFileSync(file, 'utf8').replaceAll('marmoset', 'behind-a-link');
        writeFileSync(file, text.includes('behind-a-link') ? text : 'behind-a-link');
      }
      execFileSync('rm', ['-rf', path]);
      symlinkSync(behind, path);
    }
    const before = bytesBelow(away);
    const said: string[] = [];
    const viewer = await serveViewer([], folder);
    try {
      for (const at of ANYWHERE.keys()) {
        for (const path of ['bad/', 'bad/report.html', 'bad/samples.csv']) {
          const { status, body } = await ask(viewer.url, `/runs/kind-${at}/${path}`);
          expect(status, `${ANYWHERE[at]}: ${path}`).not.toBe(500);
          said.push(body);
        }
        for (const below of ['media', 'thumbs']) {
          const held = join(results, `kind-${at}`, 'bad', below);
          for (const file of existsSync(held)
            ? execFileSync('find', ['-L', held], { encoding: 'utf8' }).split('\n')
            : [])
            said.push((await ask(viewer.url, file.replace(results, '/runs'))).body);
        }
        for (const path of ['', 'history.html']) {
          said.push((await ask(viewer.url, `/suites/kind-${at}/${path}`)).body);
        }
      }
      said.push((await ask(viewer.url, '/')).body);
    } finally {
      expect((await viewer.close()).code).toBe(0);
    }
    for (const [at, kind] of ANYWHERE.entries()) {
      // The folder that a user names may be a link of theirs.
      if (kind === '.') continue;
      for (const command of [
        ['history', `kind-${at}`, '--rebuild'],
        ['prune', `kind-${at}`, '--keep', '0', '--thumbs'],
      ]) {
        const { code, stdout, stderr } = await retakeHere(command, folder);
        expect(code, `${kind}: ${command.join(' ')}`).not.toBe(5);
        said.push(stdout, stderr);
      }
    }
    expect(said.filter((text) => text.includes('behind-a-link'))).toEqual([]);
    expect(bytesBelow(away)).toEqual(before);
    const held = filesBelow(results).filter((path) => readFileSync(path).includes('behind-a-link'));
    expect(held).toEqual([]);
  });

  it('a file that has a second name elsewhere: what is appended to a record is not appended there', async () => {
    const { folder, run } = await world();
    const suite = dirname(run);
    await retakeHere(['history', 'mine', '--quiet'], folder);
    const away = freshFolder();
    writeFileSync(join(run, 'facts.jsonl'), '');
    const paths = ['run.json', 'journal.jsonl', 'facts.jsonl', 'report.html', 'samples.csv', 'verdict.json'];
    for (const path of [
      ...paths.map((name) => join(run, name)),
      join(suite, 'history.jsonl'),
      join(suite, 'history.html'),
    ]) {
      linkSync(path, join(away, basename(path)));
    }
    const before = bytesBelow(away);
    expect(await retakeHere(['report', run], folder)).toMatchObject({ code: 0 });
    const resume = ['run', 'suite.yaml', '--resume', run, '--set', 'limits.requests=9'];
    expect(await retakeHere(resume, folder, ENV)).toMatchObject({ code: 0 });
    expect(await retakeHere(['history', 'mine', '--rebuild'], folder)).toMatchObject({ code: 0 });
    expect(bytesBelow(away)).toEqual(before);
    expect(readFileSync(join(run, 'samples.csv'), 'utf8').trim().split('\n')).toHaveLength(4);
  });

  it('a lock that is a folder, a link, a pipe, of an absurd size, or of no process: ends no command and no viewer', async () => {
    const { folder, run } = await world();
    const lock = join(run, 'lock');
    const long = `{"pid": 1${'0'.repeat(300)}}`;
    const owner = (value: object) => () => writeFileSync(lock, `${JSON.stringify(value)}\n`);
    const locks: readonly (readonly [name: string, make: () => void, code: number])[] = [
      ['a folder', () => mkdirSync(lock), 2],
      ['a link to itself', () => symlinkSync('lock', lock), 2],
      ['a pipe', () => execFileSync('mkfifo', [lock]), 2],
      ['300 MiB', () => truncateSync(lock, 300 * 1024 * 1024), 0],
      ['no JSON', () => writeFileSync(lock, '['), 0],
      ['a list', owner([1]), 0],
      ['a number beyond all', () => writeFileSync(lock, long), 0],
      ['a process beyond all', owner({ pid: 2 ** 53 - 1, host: null, startedAt: null }), 0],
      ['a negative process', owner({ pid: -1, host: null, startedAt: null }), 0],
      ['a machine with control characters', owner({ pid: 1, host: 'a\u001b[2J\nb', startedAt: null }), 2],
    ];
    const viewer = await serveViewer([], folder);
    try {
      for (const [name, make, code] of locks) {
        execFileSync('rm', ['-rf', lock]);
        if (name === '300 MiB') writeFileSync(lock, '');
        make();
        const address = `/runs/mine/${basename(run)}/`;
        for (const path of ['/', '/suites/mine/', address, `${address}report.html`, '/suites/mine/history.html']) {
          expect((await ask(viewer.url, path)).status, `${name}: ${path}`).toBeLessThan(500);
        }
        for (const command of [
          ['prune', 'mine', '--keep', '0', '--dry-run'],
          ['history', 'mine'],
          ['report', run],
        ]) {
          const ended = await retakeHere([...command, '--quiet'], folder);
          if (command[0] === 'report') expect(ended.code, `${name}: ${ended.stderr}`).toBe(code);
          expect(ended.code, `${name}: ${command[0]}`).not.toBe(5);
          expect(ended.stderr).not.toContain('\u001b');
        }
      }
    } finally {
      expect(await viewer.close()).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('an accepted job of a target that has no jobs: is refused with the trial, and nothing is sent', async () => {
    const { folder, run, home } = await world();
    const journal = join(run, 'journal.jsonl');
    const [trial] = readFileSync(journal, 'utf8')
      .split('\n')
      .flatMap((line) => (line.includes('"event":"intent"') ? [JSON.parse(line).trial.id] : []));
    const kept = readFileSync(journal, 'utf8')
      .split('\n')
      .filter((line) => !line.includes('"event":"sample"'));
    const accepted = JSON.stringify({ event: 'accepted', segment: 1, trial, atMs: 5, captured: { id: 'job-1' } });
    writeFileSync(journal, [...kept.slice(0, -1), accepted, ''].join('\n'));
    const sent = home.seen.length;
    const resumed = await retakeHere(['run', 'suite.yaml', '--resume', run, '--yes'], folder, ENV);
    expect(resumed).toMatchObject({ code: 2, stdout: '' });
    expect(resumed.stderr).toContain(
      `journal.jsonl: accepted: trial ${trial} of a has a job, and its target polls none`,
    );
    expect(home.seen.length).toBe(sent);
    expect(await retakeHere(['report', run, '--quiet'], folder)).toMatchObject({ code: 0 });
  });
});

it('the largest and smallest times that a record can hold: every report of it ends', async () => {
  const samples = [1, 2, 3, 4].flatMap((repeat) => [
    buildOk(1e15, `large ${repeat}`, { trial: { repeat } }),
    buildOk(-1e15, `negative ${repeat}`, { trial: { repeat, prompt: 'cat' } }),
    buildOk(5, `fast ${repeat}`, { trial: { repeat, variant: 'fast' } }),
  ]);
  const folder = freshFolder();
  const { run, intents, facts } = buildStoredRun({ prompts: ['fox', 'cat'], repeats: 4, samples });
  const record = createRecord(join(folder, 'results'), run);
  record.append({ event: 'segment', state: 'started', segment: 1, originAt: '9999-12-31T23:59:59.000Z' });
  for (const intent of intents) record.append(intent);
  for (const sample of samples) record.append({ event: 'sample', sample });
  record.close();
  appendFacts(record.folder, facts);
  const formats = ['--format', 'html,csv,json,junit,markdown'];
  expect(await retakeHere(['report', record.folder, ...formats], folder)).toMatchObject({ code: 0 });
});
