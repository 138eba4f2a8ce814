import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { isObject, type Json } from '../../src/kit/json.ts';
import { digestOf } from '../../src/plan/build-trial.ts';
import { appendLines } from '../../src/record/line-files.ts';
import type { Run } from '../../src/record/run.ts';
import { createRecord } from '../../src/record/store.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { once } from '../fixtures/once-for.ts';
import { filesBelow, onlyRun, retakeHere } from '../fixtures/retake-process.ts';
import { writeJudge } from '../fixtures/scripted-judge.ts';
import { buildOk, buildStoredRun } from '../fixtures/stored-run-builder.ts';
import { ask, serveViewer } from '../fixtures/viewer-process.ts';
import { type Loopback, serveOnAndOn } from '../targets/loopback.ts';

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

/** Not blank: scorers are asked about it. */
function picture(seed: number): Promise<Buffer> {
  const pixels = Uint8Array.from({ length: 16 * 16 * 3 }, (_, at) => (at * 37 * seed) % 251);
  return sharp(pixels, { raw: { width: 16, height: 16, channels: 3 } })
    .png()
    .toBuffer();
}

/** A server of the user's and another, for all tests. */
const servers = once(async (): Promise<readonly Loopback[]> => {
  const images = await Promise.all([1, 2].map(picture));
  return await Promise.all(
    [0, 1].map(() =>
      serveOnAndOn((_, response, sent) => {
        response.writeHead(200, { 'content-type': 'image/png' }).end(images[sent % 2]);
      }),
    ),
  );
});

/** A folder with a run of the user's own that ended early; made once for each suite. */
const begun = new Map<string, Promise<string>>();

async function beginRun(suite: string, requests: number): Promise<string> {
  const [home, away] = await servers();
  const folder = freshFolder();
  mkdirSync(join(folder, 'targets', 'own'), { recursive: true });
  writeFileSync(join(folder, 'targets', 'own', 'images.yaml'), target(home?.url ?? ''));
  writeFileSync(join(folder, 'targets', 'own', 'away.yaml'), target(away?.url ?? '', '${env.OTHER}'));
  writeFileSync(join(folder, 'suite.yaml'), suite);
  const ended = await retakeHere(['run', 'suite.yaml', '--yes', '--set', `limits.requests=${requests}`], folder, ENV);
  expect(ended).toMatchObject({ code: 3 });
  return folder;
}

/** A copy of a run that ended early, at a server of the user's; another server stands by. Neither was asked since. */
async function world(suite = SUITE, requests = 1): Promise<World> {
  const made = begun.get(suite) ?? beginRun(suite, requests);
  begun.set(suite, made);
  const folder = freshFolder();
  cpSync(await made, folder, { recursive: true });
  const [home, away] = await servers();
  if (home === undefined || away === undefined) throw new Error('two servers were started');
  for (const { seen } of [home, away]) seen.length = 0;
  return { folder, run: onlyRun(join(folder, 'results')), home, away };
}

/** A world with a shard beside the run, both of one prompt; the shard is made once. */
const sharded = once(async (): Promise<World> => {
  const made = await world();
  const share = ['--run', 'shard', '--shard', '1/2', '--set', 'load.concurrency=2'];
  await retakeHere(['run', 'suite.yaml', ...share], made.folder, ENV);
  return made;
});

async function worldWithShard(): Promise<{ readonly folder: string; readonly run: string; readonly shard: string }> {
  const made = await sharded();
  const folder = freshFolder();
  cpSync(made.folder, folder, { recursive: true });
  const run = join(folder, relative(made.folder, made.run));
  return { folder, run, shard: join(dirname(run), 'shard-1of2') };
}

/** Changes a JSON file. */
function edit<T>(path: string, change: (value: T) => unknown): void {
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')))));
}

type Recorded = Pick<Run, 'suite' | 'targets' | 'variants' | 'against'>;
const editRun = (run: string, change: (value: Recorded) => object) =>
  edit<Recorded>(join(run, 'run.json'), (value) => ({ ...value, ...change(value) }));
const overriding = (run: string, ...overrides: readonly string[]) =>
  editRun(run, ({ suite }) => ({ suite: { ...suite, overrides } }));
const naming = (run: string, file: string) => editRun(run, ({ suite }) => ({ suite: { ...suite, file } }));

/** A target, stored in a record or baseline, that is sent to another server. */
const moved = <T extends object>({ declared, ...stored }: T & { declared: Json }, url: string) => ({
  ...stored,
  declared: { ...(isObject(declared) ? declared : {}), base_url: url },
});

const PAIRS = SUITE.replace('own/images }', 'own/images }, b: { target: own/images, baseline: true }');

/** Each program writes a file with its name into the folder of the suite. */
const program = (name: string) => `: > ${name}-started\necho '{"retake":1}'\n`;
const command = (name: string) => ({
  use: 'command',
  name: 'text',
  command: ['sh', `${name}.sh`],
  gives: [{ value: 'text', better: 'lower', range: null, unit: 'score', meaning: null }],
  env: [],
  timeoutMs: 60_000,
  frames: 1,
  original: false,
});
const judge = (baseUrl: string | null) => ({
  use: 'judge',
  name: 'fit',
  target: './judge.yaml',
  const: {},
  baseUrl,
  question: 'Which?',
  priceUsd: null,
  limits: { requests: null, usd: null },
});
const SCORERS = `scorers:
  text: { use: command, command: [sh, mine.sh], gives: { text: { better: lower } } }
  fit: { use: judge, target: ./judge.yaml, question: Which?, limits: { requests: 1 } }
`;

const sending = (run: string) => ({
  score: ['score', run, '--yes', '--allow-commands'],
  resume: ['run', '--resume', run, '--yes', '--allow-commands', '--set', 'limits.requests=20'],
});
/** @param good another run */
const silent = (run: string, shard: string, good: string) => [
  ['gate', run],
  ['report', run],
  ['follow', run],
  ['compare', run, good],
  ['compare', good, run],
  ['merge', shard],
  ['history', 'mine', '--out', dirname(dirname(run))],
  ['baseline', run, '--force'],
];

/** What is said where nothing is sent; null: what the suite of the user names is used. Scoring reads no baseline. */
interface Said {
  readonly resume: string | null;
  readonly score?: string | null;
}

/** What a record of somebody else names; it came with the folder `got`. */
const NAMED: readonly (readonly [what: string, change: (run: string, away: string) => void, said: Said])[] = [
  [
    'a server by --set',
    (run, away) => overriding(run, `variants.a.base_url=${away}`),
    { resume: 'began with --set variants.a.base_url=', score: null },
  ],
  [
    'a program, a judge, other targets and servers of its variants',
    (run, away) =>
      editRun(run, ({ targets, variants }) => ({
        scorers: [command('theirs'), judge(away)],
        targets: targets.map((stored) => moved(stored, away)),
        variants: variants.map((variant) => ({ ...variant, baseUrl: away })),
      })),
    { resume: null, score: null },
  ],
  [
    'a suite that came with it',
    (run) => naming(run, 'got/suite.yaml'),
    { resume: 'is not found among your files: got/suite.yaml', score: 'name it: retake score RUN --suite' },
  ],
  [
    'a suite beside its results',
    (run) => naming(run, 'other.yaml'),
    { resume: 'is not found among your files: other.yaml', score: 'is not found among your files' },
  ],
  [
    'a suite outside the working folder',
    (run) => naming(run, '../suite.yaml'),
    { resume: 'is not found among your files', score: 'is not found among your files' },
  ],
  [
    'another suite of the user',
    (run) => naming(run, 'another.yaml'),
    { resume: 'suite was "mine", is "another"', score: 'another.yaml is the suite another, not mine' },
  ],
  [
    'its own stored baseline, which goes elsewhere',
    (run) => {
      const baseline = JSON.parse(readFileSync(join(dirname(run), 'baseline.json'), 'utf8'));
      const missing = { environment: {}, changedEnvironment: [], missing: [] };
      const { run: id, createdAt } = baseline;
      editRun(run, () => ({ against: { run: id, createdAt, digest: digestOf(baseline), ...missing } }));
    },
    { resume: 'the stored baseline adds requests and OWN_KEY (key) to what is sent to' },
  ],
  [
    'a stored baseline that is not there',
    (run) => {
      const missing = { environment: {}, changedEnvironment: [], missing: [] };
      const createdAt = '2026-11-20T15:45:00.000Z';
      editRun(run, () => ({ against: { run: 'gone', createdAt, digest: '0'.repeat(64), ...missing } }));
    },
    { resume: 'name its file with --against' },
  ],
];

describe('what a record of somebody else adds to what is sent and started', () => {
  it('every command that reads a record: uses no key, variable, file, program or origin that the suite of the user does not name', async () => {
    const { folder, run, home, away } = await world(PAIRS, 2);
    await retakeHere(
      ['run', 'suite.yaml', '--run', 'part', '--shard', '1/2', '--set', 'load.concurrency=2'],
      folder,
      ENV,
    );
    expect(await retakeHere(['baseline', 'results/mine', '--force', '--quiet'], folder)).toMatchObject({ code: 0 });
    // From here on the suite has scorers, which the record lacks or has otherwise.
    for (const name of ['mine', 'theirs']) writeFileSync(join(folder, `${name}.sh`), program(name));
    writeJudge(folder, `${home.url}/v1`);
    writeFileSync(join(folder, 'suite.yaml'), PAIRS + SCORERS);
    writeFileSync(join(folder, 'another.yaml'), `${PAIRS.replace('name: mine', 'name: another')}${SCORERS}`);
    cpSync(join(folder, 'results', 'mine'), join(folder, 'got', 'results', 'mine'), { recursive: true });
    cpSync(join(folder, 'targets', 'own', 'away.yaml'), join(folder, 'got', 'away.yaml'));
    for (const name of ['suite.yaml', 'other.yaml']) {
      writeFileSync(join(folder, 'got', name), PAIRS.replaceAll('own/images', './away.yaml'));
    }
    const got = join(folder, 'got', 'results', 'mine');
    edit<{ targets: { declared: Json }[] }>(join(got, 'baseline.json'), ({ targets, ...value }) => {
      return { ...value, targets: targets.map((stored) => moved(stored, away.url)) };
    });
    const env = { ...ENV, JUDGE_KEY: 'key-of-the-judge', PATH: process.env.PATH ?? '' };
    const started = () => ['mine', 'theirs'].filter((name) => existsSync(join(folder, `${name}-started`)));
    for (const [what, change, said] of NAMED) {
      const bad = join(got, 'bad');
      rmSync(bad, { recursive: true, force: true });
      cpSync(join(got, basename(run)), bad, { recursive: true });
      change(bad, away.url);
      for (const [name, args] of Object.entries(sending(bad))) {
        const words = name === 'score' ? said.score : said.resume;
        if (words === undefined) continue;
        rmSync(join(folder, 'mine-started'), { force: true });
        const sent = home.seen.length;
        const { code, stderr } = await retakeHere(args, folder, env);
        const context = `${name} of a record with ${what}: ${stderr}`;
        expect(code, context).not.toBe(5);
        if (words !== null) expect(stderr.replace(/\s+/g, ' '), context).toContain(words);
        const used = words === null ? ['mine'] : [];
        expect([home.seen.length > sent, started()], context).toEqual([words === null, used]);
        expect(away.seen, context).toEqual([]);
      }
    }
    rmSync(join(folder, 'mine-started'), { force: true });
    const sent = home.seen.length;
    for (const record of ['bad', 'part-1of2']) {
      for (const [, change] of NAMED) change(join(got, record), away.url);
    }
    for (const args of silent(join(got, 'bad'), join(got, 'part-1of2'), run)) {
      expect((await retakeHere(args, folder, env)).code, args.join(' ')).not.toBe(5);
    }
    const viewer = await serveViewer([], join(folder, 'got'));
    for (const path of ['', 'report.html']) await ask(viewer.url, `/runs/mine/bad/${path}`);
    await viewer.close();
    expect([home.seen.length, away.seen, started()]).toEqual([sent, [], []]);
    expect(JSON.stringify(home.seen)).not.toContain(ENV.OTHER);
  });

  it('what the user names: is sent without a question; an origin that a flag names is allowed, and said', async () => {
    const { folder, run, home, away } = await world();
    const original = readFileSync(join(run, 'run.json'));
    const limit = (requests: number) => ['--set', `limits.requests=${requests}`];
    overriding(run, `variants.a.base_url=${away.url}`);
    const repeated = ['--set', `variants.a.base_url=${away.url}`];
    const allowed = await retakeHere(['run', '--resume', run, ...repeated, ...limit(3)], folder, ENV);
    expect(allowed.stderr).toContain(`sends a to ${away.url}; before it was sent to ${home.url}`);
    expect(allowed.code).toBe(0);
    expect([home.seen.length, away.seen.length]).toEqual([0, 2]);

    writeFileSync(join(run, 'run.json'), original);
    expect(await retakeHere(['baseline', 'results/mine', '--quiet'], folder)).toMatchObject({ code: 0 });
    const kept = join('results', 'mine', 'baseline.json');
    const against = ['run', 'suite.yaml', '--yes', '--against', kept, ...limit(2)];
    const same = await retakeHere(against, folder, ENV);
    expect(same).toMatchObject({ code: 3 });
    expect(same.stderr).not.toContain('adds');
    edit<{ targets: { declared: Json }[] }>(join(folder, kept), ({ targets, ...value }) => {
      return { ...value, targets: targets.map((stored) => moved(stored, away.url)) };
    });
    expect(await retakeHere(against, folder, ENV)).toMatchObject({ code: 2 });
    expect(away.seen).toHaveLength(2);
    const named = await retakeHere([...against, '--allow-origin', away.url], folder, ENV);
    expect(named.stderr).toContain(`adds requests and OWN_KEY (key) to what is sent to ${away.url}\n`);
    expect(away.seen).toHaveLength(3);
  });
});

describe.skipIf(process.platform === 'win32')('what leads out of a record of somebody else', () => {
  it('a link in the folder of a run: is refused by name, by every command, and not followed', async () => {
    const { folder, run, shard } = await worldWithShard();
    const victim = join(freshFolder(), 'file.txt');
    writeFileSync(victim, 'untouched');
    const bad = join(folder, 'bad');
    cpSync(run, join(folder, 'good'), { recursive: true });
    for (const [source, command] of [
      [run, ['report', bad]],
      [run, ['gate', bad]],
      [run, ['baseline', bad, '--force']],
      [run, ['follow', bad]],
      [run, ['compare', bad, join(folder, 'good')]],
      [run, ['compare', join(folder, 'good'), bad]],
      [run, ['run', 'suite.yaml', '--resume', bad, '--set', 'limits.requests=2']],
      [shard, ['merge', bad]],
    ] as const) {
      rmSync(bad, { recursive: true, force: true });
      cpSync(source, bad, { recursive: true });
      symlinkSync(victim, join(bad, 'samples.csv.part'));
      const { code, stderr } = await retakeHere(command, folder, ENV);
      expect([command[0], code]).toEqual([command[0], 2]);
      expect(stderr).toContain(`${join('bad', 'samples.csv.part')} is a link`);
      expect(readFileSync(victim, 'utf8')).toBe('untouched');
    }
  });

  it('a link in the folder of a suite, and a pipe in that of a run: are not followed, nor waited for', async () => {
    const { folder, run } = await world();
    const suite = dirname(run);
    const victim = join(freshFolder(), 'file.txt');
    const lead = (path: string) => {
      writeFileSync(victim, 'untouched');
      rmSync(path, { force: true });
      symlinkSync(victim, path);
    };
    const parts = ['baseline.json.part', 'history.jsonl.part', 'history.html.part'];
    for (const names of [parts, ['baseline.json', 'history.jsonl']]) {
      for (const name of names) lead(join(suite, name));
      await retakeHere(['baseline', suite, '--force'], folder);
      const history = await retakeHere(['history', 'mine'], folder);
      expect(history.code).not.toBe(5);
      expect(readFileSync(victim, 'utf8'), names.join()).toBe('untouched');
    }
    for (const name of [...parts, 'history.jsonl']) lead(join(suite, name));
    await retakeHere(['run', 'suite.yaml', '--yes', '--set', 'limits.requests=1'], folder, ENV);
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
    // A pipe would be waited for.
    const [shelf = ''] = readdirSync(join(run, 'thumbs'));
    for (const name of ['samples.csv.part', 'verdict.json.part', join('thumbs', shelf)]) {
      rmSync(join(run, name), { force: true });
      execFileSync('mkfifo', [join(run, name)]);
    }
    expect(await retakeHere(['report', run], folder)).toMatchObject({ code: 0 });
  });

  it('a thumbnail and media of a shard that are links: are not in the merged run', async () => {
    const { folder, shard } = await worldWithShard();
    const secret = join(freshFolder(), 'id_rsa');
    writeFileSync(secret, 'a file of this machine');
    for (const below of ['thumbs', join('media', readdirSync(join(shard, 'media'))[0] ?? '')]) {
      for (const name of readdirSync(join(shard, below))) {
        rmSync(join(shard, below, name));
        symlinkSync(secret, join(shard, below, name));
      }
    }
    expect((await retakeHere(['merge', shard, '--quiet'], folder)).code).not.toBe(5);
    const merged = join(dirname(shard), 'shard');
    expect(readdirSync(join(merged, 'thumbs'))).toEqual([]);
    expect(execFileSync('find', [merged, '-type', 'l'], { encoding: 'utf8' })).toBe('');
    expect(readFileSync(join(merged, 'report.html')).includes(Buffer.from('a file of this').toString('base64'))).toBe(
      false,
    );
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
      rmSync(path, { recursive: true, force: true });
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
        ['history', `kind-${at}`],
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
    expect(await retakeHere(['history', 'mine'], folder)).toMatchObject({ code: 0 });
    expect(bytesBelow(away)).toEqual(before);
    expect(readFileSync(join(run, 'samples.csv'), 'utf8').trim().split('\n')).toHaveLength(4);
  });

  it('a lock that is a folder, a link, a pipe, of an absurd size, or of no process: ends no command and no viewer', async () => {
    const { folder, run } = await world();
    const lock = join(run, 'lock');
    const owner = (value: object) => () => writeFileSync(lock, `${JSON.stringify(value)}\n`);
    const large = () => {
      writeFileSync(lock, '');
      truncateSync(lock, 300 * 1024 * 1024);
    };
    const locks: readonly (readonly [name: string, make: () => void, code: number])[] = [
      ['a folder', () => mkdirSync(lock), 2],
      ['a link to itself', () => symlinkSync('lock', lock), 2],
      ['a pipe', () => execFileSync('mkfifo', [lock]), 2],
      ['300 MiB', large, 0],
      ['a number beyond all', () => writeFileSync(lock, `{"pid": 1${'0'.repeat(300)}}`), 0],
      ['a negative process', owner({ pid: -1, host: null, startedAt: null }), 0],
      ['a machine with control characters', owner({ pid: 1, host: 'a\u001b[2J\nb', startedAt: null }), 2],
    ];
    const viewer = await serveViewer([], folder);
    try {
      for (const [name, make, code] of locks) {
        rmSync(lock, { recursive: true, force: true });
        make();
        for (const path of ['/', `/runs/mine/${basename(run)}/`]) {
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
  appendLines(record.folder, 'facts.jsonl', facts);
  const formats = ['--format', 'html,csv,json,junit,markdown'];
  expect(await retakeHere(['report', record.folder, ...formats], folder)).toMatchObject({ code: 0 });
});
