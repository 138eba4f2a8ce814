import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { LETTERINGS, letter, SIGNS } from '../fixtures/text-images.ts';
import { NIGHTLY } from '../test-options.ts';

/* The scorer that comes with Retake, against images whose text is known and against Debian's program. */

const SCORER = fileURLToPath(new URL('../../suites/scorers/text.mjs', import.meta.url));

/** Every connection throws, also in worker threads. */
const OFFLINE = `data:text/javascript,${encodeURIComponent(
  "import { Socket } from 'node:net'; Socket.prototype.connect = () => { throw new Error('it connects'); };",
)}`;

interface Question {
  readonly id: string;
  readonly media: readonly string[];
  readonly expect: { readonly text?: string } | null;
}

interface Answer {
  readonly id?: string;
  readonly scores?: { readonly cer: number };
  readonly unscored?: string;
  readonly retake?: number;
}

/** What it says of itself, then its answers. */
async function ask(questions: readonly Question[]): Promise<readonly Answer[]> {
  const program = spawn(process.execPath, ['--import', OFFLINE, SCORER], {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  program.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  const said = await text(program.stdout);
  return said
    .trim()
    .split('\n')
    .map((line): Answer => JSON.parse(line));
}

const FEW = SIGNS.slice(0, 4);

const folder = freshFolder();
const styles = Object.keys(LETTERINGS) as readonly (keyof typeof LETTERINGS)[];
const pathOf = (style: string, at: number) => join(folder, `${style}-${at}.png`);
const clean = (id: string, at: number, expected: string): Question => {
  return { id, media: [pathOf('plain', at)], expect: { text: expected } };
};

beforeAll(async () => {
  for (const style of styles) {
    for (const [at, sign] of SIGNS.entries()) {
      writeFileSync(pathOf(style, at), await letter(sign, LETTERINGS[style]));
    }
  }
});

describe('suites/scorers/text.mjs', () => {
  it('clean text is read without an error, and each letter that is another one counts', async () => {
    // A letter that no sign has, so that no other edit is shorter.
    const replaced = (sign: string, count: number) => 'Q'.repeat(count) + sign.slice(count);
    const questions = [
      ...FEW.map((sign, at) => clean(`exact ${at}`, at, `  ${sign.replace(' ', '\n')}`)),
      ...FEW.slice(2).map((sign, at) => clean(`wrong ${at}`, 2 + at, replaced(sign, 1 + at))),
      { ...clean('no text', 0, ''), expect: {} },
      { ...clean('nothing', 0, ''), expect: null },
      clean('another', 0, 'Q'),
      { id: 'frames', media: [pathOf('plain', 0), pathOf('plain', 1)], expect: { text: SIGNS[0] } },
    ];
    const [greeting, ...answers] = await ask(questions);
    expect(greeting).toMatchObject({
      retake: 1,
      version: '7.0.0',
      weights: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(answers.map(({ id }) => id)).toEqual(questions.map(({ id }) => id));
    const cers = answers.flatMap(({ scores }) => scores?.cer ?? []);
    expect(cers.slice(0, 4)).toEqual(FEW.map(() => 0));
    expect(cers.slice(4, 6)).toEqual(FEW.slice(2).map((sign, at) => (1 + at) / sign.length));
    expect(answers.slice(6, 9)).toEqual([
      { id: 'no text', unscored: 'nothing_expected' },
      { id: 'nothing', unscored: 'nothing_expected' },
      { id: 'another', scores: { cer: 1 } },
    ]);
    expect(cers.at(-1)).toBeGreaterThan(0.3);
    expect(cers.at(-1)).toBeLessThanOrEqual(0.5);
  });

  it.skipIf(!NIGHTLY || noTesseract())(
    'text.mjs reads what the program of Debian reads, but for 1 image in 20',
    async () => {
      const images = styles.flatMap((style) => SIGNS.map((_, at) => pathOf(style, at)));
      const read = readByDebian(images);
      const questions = images.map((path, at) => ({ id: path, media: [path], expect: { text: read[at] ?? '' } }));
      const [, ...answers] = await ask(questions);
      const differing = answers.filter(({ scores }) => scores?.cer !== 0);
      expect(differing.length, JSON.stringify(differing)).toBeLessThanOrEqual(images.length / 20);
    },
  );

  it.runIf(NIGHTLY)('a fresh worker after 200 images reads what the one before read', async () => {
    const [, ...answers] = await ask(Array.from({ length: 210 }, (_, at) => clean(`${at}`, 0, SIGNS[0])));
    expect(answers).toEqual(answers.map(({ id }) => ({ id, scores: { cer: 0 } })));
  });

  it('text.mjs without its packages ends, and says how they are installed', () => {
    const alone = freshFolder();
    copyFileSync(SCORER, join(alone, 'text.mjs'));
    const ended = spawnSync(process.execPath, ['text.mjs'], { cwd: alone, encoding: 'utf8', env: {} });
    expect(ended).toMatchObject({ status: 1, stdout: '' });
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const pinned = (name: string) => `${name}@${manifest.devDependencies[name]}`;
    const packages = `${pinned('tesseract.js')} ${pinned('@tesseract.js-data/eng')}`;
    expect(ended.stderr).toBe(`text.mjs needs two packages: npm install --ignore-scripts ${packages}\n`);
  });
});

/** Whether the test that takes Debian's program is skipped; never where tools are required. */
function noTesseract(): boolean {
  return process.env.RETAKE_REQUIRE_TOOLS !== '1' && spawnSync('tesseract', ['--version']).status !== 0;
}

/** With the same data. */
function readByDebian(images: readonly string[]): readonly string[] {
  const data = join(
    dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')),
    '4.0.0_best_int',
  );
  const own = freshFolder();
  writeFileSync(join(own, 'eng.traineddata'), gunzipSync(readFileSync(join(data, 'eng.traineddata.gz'))));
  writeFileSync(join(own, 'images.txt'), images.join('\n'));
  const options = ['--tessdata-dir', own, '--oem', '1', '--psm', '3', '-l', 'eng'];
  const env = { ...process.env, OMP_THREAD_LIMIT: '1' };
  const read = execFileSync('tesseract', [join(own, 'images.txt'), 'stdout', ...options], {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return read.split('\f');
}
