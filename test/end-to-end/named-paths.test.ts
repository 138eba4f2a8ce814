import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileFaultOf } from '../../src/kit/diagnostic.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type ImageServer, serveImages, writePainter } from '../fixtures/image-server.ts';
import { retakeHere } from '../fixtures/retake-process.ts';

/* Whatever stands at a path that a user names: it is written into, read or refused; it is never replaced or waited for. */

const SUITE = `suite: 1
name: named
variants:
  careful: { target: ./painter.yaml, baseline: true }
  hasty: { target: ./painter.yaml, const: { model: hasty } }
prompts: [{ id: fox, text: A red fox }]
seeds: [1, 2]
repeats: 1
probes: []
load: { concurrency: 1 }
reports: [csv]
`;

let server: ImageServer;
let folder: string;

beforeAll(async () => {
  server = await serveImages();
  folder = freshFolder();
  writePainter(folder, server.url);
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  expect(await retakeHere(['run', 'suite.yaml', '--run', 'first', '--quiet'], folder)).toMatchObject({ code: 0 });
});

afterAll(() => server.close());

/** What main.ts prints of a fault of the file system counts as a refusal. */
async function ended(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  try {
    return await retakeHere(args, folder, env);
  } catch (error) {
    const fault = fileFaultOf(error);
    if (fault === null) throw error;
    return { code: 2, stdout: '', stderr: `retake: ${fault.cause}; ${fault.remedy}` };
  }
}

/** Device numbers are those of /dev/null; nothing here names a device of this machine. */
function makeDevice(path: string): boolean {
  try {
    execFileSync('mknod', [path, 'c', '1', '3'], { stdio: 'ignore' });
    return lstatSync(path).isCharacterDevice();
  } catch {
    return false;
  }
}

const NO_DEVICES = 'only root may make devices, and not everywhere';
const MAY_MAKE_DEVICES = makeDevice(join(freshFolder(), 'null'));

const KINDS = {
  'a device': (path: string) => void makeDevice(path),
  'a pipe that nobody reads': (path: string) => void execFileSync('mkfifo', [path]),
  'a link to a file': (path: string) => {
    writeFileSync(`${path}.target`, 'before');
    symlinkSync(`${path}.target`, path);
  },
  'a link to nothing': (path: string) => symlinkSync(`${path}.target`, path),
  'a folder': (path: string) => mkdirSync(path),
} as const;
type PathKind = keyof typeof KINDS;
const PIPE: readonly PathKind[] = ['a pipe that nobody reads'];

/** What may happen at a path: `into` the content goes where it leads; `beside` another name is taken. */
type Does = 'into' | 'beside' | 'refuses';

interface Output {
  readonly file: string;
  readonly args: (path: string) => readonly string[];
  readonly env?: (path: string) => Readonly<Record<string, string>>;
  /** By default, into what can be written into. */
  readonly does?: Does;
  /** What it finds at the end of a link is not its own. */
  readonly refusesLinked?: true;
  /** A fault is said, and the command goes on. */
  readonly goesOn?: true;
  /** What is tried there, where it writes as another one does that meets everything. */
  readonly only?: readonly PathKind[];
}

const OUTPUTS: Readonly<Record<string, Output>> = {
  'compare --html': {
    file: 'page.html',
    args: (path) => ['compare', 'results/named/first', 'results/named/first', '--html', path, '--quiet'],
  },
  'history --csv': { file: 'all.csv', args: (path) => ['history', 'named', '--csv', path, '--quiet'], only: PIPE },
  'history --html': { file: 'all.html', args: (path) => ['history', 'named', '--html', path, '--quiet'], only: PIPE },
  'report --out': {
    file: 'samples.csv',
    args: (path) => ['report', 'results/named/first', '--out', dirname(path), '--quiet'],
    refusesLinked: true,
    only: [...PIPE, 'a link to a file'],
  },
  GITHUB_STEP_SUMMARY: {
    file: 'summary.md',
    args: () => ['report', 'results/named/first', '--format', 'markdown', '--quiet'],
    env: (path) => ({ GITHUB_STEP_SUMMARY: path }),
    goesOn: true,
    only: [...PIPE, 'a link to nothing'],
  },
  'try --out': {
    file: 'fox.png',
    args: (path) => ['try', 'painter.yaml', '--out', path],
    does: 'beside',
    only: [...PIPE, 'a link to nothing'],
  },
  init: {
    file: 'own.yaml',
    args: (path) => ['init', path.slice(folder.length + 1), '--target', 'openai/images'],
    does: 'refuses',
    only: [...PIPE, 'a link to nothing'],
  },
  'fleet keys --out': {
    file: 'eu.key',
    args: (path) => ['fleet', 'keys', 'eu', '--out', dirname(path)],
    does: 'refuses',
    only: [...PIPE, 'a link to nothing'],
  },
  'run --out': {
    file: 'results',
    args: (path) => ['run', 'suite.yaml', '--out', path, '--quiet'],
    does: 'refuses',
    only: PIPE,
  },
};

/** A reader that waits in `cat`, until `release`, however often the pipe is opened and closed meanwhile. */
async function reading(path: string): Promise<{ readonly release: () => Promise<string> }> {
  const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'ignore'] });
  const read = text(reader.stdout);
  for (;;) {
    try {
      const held = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return {
        release: () => {
          closeSync(held);
          return read;
        },
      };
    } catch {
      await pause(5);
    }
  }
}

const isPosix = process.platform !== 'win32';
let places = 0;

function at(output: Output, make: (path: string) => void) {
  places += 1;
  const path = join(folder, `place-${places}`, output.file);
  mkdirSync(dirname(path));
  make(path);
  const before = lstatSync(path);
  return { path, before };
}

function expectSameThing(path: string, before: ReturnType<typeof lstatSync>): void {
  const now = lstatSync(path);
  expect([now.mode, now.ino, now.rdev]).toEqual([before?.mode, before?.ino, before?.rdev]);
}

describe.skipIf(!isPosix)('a path that a user names as output', () => {
  const kinds: readonly PathKind[] = Object.keys(KINDS).filter((kind): kind is PathKind => Object.hasOwn(KINDS, kind));
  const cases = Object.entries(OUTPUTS).flatMap(([name, { only = kinds }]) =>
    only.map((kind) => [name, kind] as const),
  );

  it.for(cases)('%s where %s stands: it is written into or refused, and never replaced', async ([name, kind], test) => {
    const output = OUTPUTS[name];
    if (output === undefined) throw new Error(name);
    test.skip(kind === 'a device' && !MAY_MAKE_DEVICES, NO_DEVICES);
    const { path, before } = at(output, KINDS[kind]);
    const { code, stderr } = await ended(output.args(path), output.env?.(path));
    expectSameThing(path, before);
    expect(readdirSync(dirname(path)).filter((each) => each.endsWith('.part'))).toEqual([]);
    const isRefused =
      kind === 'a folder' ||
      kind === 'a pipe that nobody reads' ||
      (kind === 'a link to a file' && output.refusesLinked === true);
    const does = output.does ?? (isRefused ? 'refuses' : 'into');
    if (kind === 'a link to a file') {
      const target = readFileSync(`${path}.target`, 'utf8');
      if (does === 'into') expect(target).not.toBe('before');
      else expect(target).toBe('before');
    }
    if (kind === 'a link to nothing' && does === 'into')
      expect(readFileSync(`${path}.target`).length).toBeGreaterThan(0);
    if (does !== 'refuses') return expect([code, stderr]).toEqual([0, expect.any(String)]);
    if (output.goesOn === true) return expect(stderr).toMatch(/^cannot append to GITHUB_STEP_SUMMARY: (ENXIO|EISDIR)/m);
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual([2, expect.stringMatching(/^(retake: )?\S.*; \S.*$/)]);
  });

  it.each(['compare --html', 'report --out', 'GITHUB_STEP_SUMMARY'])(
    '%s where a pipe with a reader stands: the reader gets the content',
    async (name) => {
      const output = OUTPUTS[name];
      if (output === undefined) throw new Error(name);
      const { path, before } = at(output, (pipe) => execFileSync('mkfifo', [pipe]));
      const { release } = await reading(path);
      const { code } = await ended(output.args(path), output.env?.(path));
      const got = await release();
      expect(code).toBe(0);
      expectSameThing(path, before);
      expect(got.length).toBeGreaterThan(100);
    },
  );
});

describe.skipIf(!isPosix)('a file that a user names for reading', () => {
  const INPUTS: Readonly<Record<string, (path: string) => readonly string[]>> = {
    'the suite': (path) => ['plan', path],
    'a target': (path) => ['try', path],
    'a stored baseline': (path) => ['plan', 'suite.yaml', '--against', path],
    'a baseline of gate': (path) => ['gate', 'results/named/first', '--baseline', path],
    'an image of try': (path) => ['try', 'reference/image-to-video', '--image', path],
    'an inspected image': (path) => ['inspect', path, path],
    values: (path) => ['score', 'results/named/first', '--from', path],
    'a suite of score': (path) => ['score', 'results/named/first', '--suite', path],
    'a behaviour': (path) => ['serve', '--port', '0', '--behaviour', path],
    'the key of a coordinator': (path) => ['run', 'suite.yaml', '--fleet', DEAD, '--workers', '1', '--key', path],
    'the key of a worker': (path) => ['work', 'suite.yaml', '--fleet', DEAD, '--name', 'eu', '--key', path],
    'prompts of a suite': (path) => ['plan', suiteWith(path, `prompts: [{ from: ./named.txt }]`)],
    'an image of a suite': (path) => ['plan', suiteWith(path, `prompts: [{ text: a, image: ./${NAMED} }]`)],
    'a target of a suite': (path) => ['plan', suiteWith(path, `variants: { a: { target: ./${NAMED} } }`)],
    'a run': (path) => ['report', path],
    'a shard': (path) => ['merge', path],
  };
  /** Where nobody listens; the key is read before. */
  const DEAD = 'nats://127.0.0.1:9';
  const NAMED = 'named.yaml';

  function suiteWith(path: string, line: string): string {
    const suite = join(dirname(path), 'suite.yaml');
    writePainter(dirname(path), server.url);
    const [key = ''] = line.split(':');
    writeFileSync(suite, `${SUITE.replace(new RegExp(`^${key}:.*\n(  .*\n)*`, 'm'), '')}${line}\n`);
    return suite;
  }

  const kinds = ['a pipe', 'a device', 'a link to a pipe'] as const;
  /** One of each kind of reader meets everything. */
  const whole = ['the suite', 'an inspected image', 'values', 'a run'];
  const cases = Object.keys(INPUTS).flatMap((name) =>
    kinds.flatMap((kind) => (kind === 'a pipe' || whole.includes(name) ? [[name, kind] as const] : [])),
  );
  it.for(cases)('%s that is %s is refused in a sentence, and not waited for', async ([name, kind], test) => {
    test.skip(kind === 'a device' && !MAY_MAKE_DEVICES, NO_DEVICES);
    places += 1;
    const path = join(folder, `place-${places}`, name.startsWith('prompts') ? 'named.txt' : NAMED);
    mkdirSync(dirname(path));
    if (kind === 'a device') makeDevice(path);
    else execFileSync('mkfifo', [kind === 'a pipe' ? path : `${path}.pipe`]);
    if (kind === 'a link to a pipe') symlinkSync(`${path}.pipe`, path);
    const { code, stderr } = await ended(INPUTS[name]?.(path) ?? []);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/named\.(yaml|txt)\b.* (not a (regular )?file|is a (file|link)|not a run: .*); /),
    ]);
  });
});
