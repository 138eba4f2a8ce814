import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { serveImages, writePainter } from '../fixtures/image-server.ts';
import { retakeHere } from '../fixtures/retake-process.ts';
import { serveVotes } from '../fixtures/viewer-process.ts';

/* Every command that is printed for a user to paste does what it is printed for, as it stands. */

/** Gives the words of a command as a shell takes them: of one without any sign of a shell they are plain. */
function wordsOf(command: string): readonly string[] {
  if (/^[\w ./:=,@-]+$/.test(command)) return command.split(/ +/).slice(1);
  const words = execFileSync('bash', ['-c', `retake() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' });
  return words.split('\0').slice(0, -1);
}

async function paste(command: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
  const { code, stderr } = await retakeHere(wordsOf(command), cwd, { PATH: process.env.PATH ?? '', ...env });
  return { code, command, stderr };
}

/** Of a command that serves votes. */
async function pasteAndStop(command: string, cwd: string) {
  const server = await serveVotes(wordsOf(command).slice(1), cwd);
  const { code, stderr } = await server.close();
  return { code, command, stderr };
}

/** Commands at the end of a line, behind what they are for, or before a comment. */
function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?:^ *|: )(retake [a-z][^#\n]*?)(?: +#.*)?$/gm)].map(([, command = '']) => command);
}

/** What the reports of the only run say to do next. */
function nextIn(cwd: string): string {
  const [suite = ''] = readdirSync(join(cwd, 'results'));
  const [run = ''] = readdirSync(join(cwd, 'results', suite)).filter((name) => /^\d/.test(name));
  return JSON.parse(readFileSync(join(cwd, 'results', suite, run, 'verdict.json'), 'utf8')).next.command;
}

test('what the report of a suite of Retake says to do next needs no suite beside it', async () => {
  const cwd = freshFolder();
  const service = await serveImages();
  onTestFinished(service.close);
  const env = { RETAKE_BASE_URL: service.url, RETAKE_API_KEY: 'key-of-a-test' };
  const short = ['seeds=[1]', 'repeats=1', 'probes=[]', 'limits.requests=4'].flatMap((set) => ['--set', set]);
  expect(await retakeHere(['run', 'text-to-image', '--quiet', '--yes', ...short], cwd, env)).toMatchObject({ code: 3 });
  expect(await paste(nextIn(cwd), cwd, env)).toMatchObject({ code: 0 });
});

const SCORED = `suite: 1
name: paid
variants:
  a: { target: ./painter.yaml, price: { per: request, usd: 0.4 } }
  b: { target: ./painter.yaml, price: { per: request, usd: 0.4 }, const: { model: other } }
prompts: [a fox, a cat, a house]
repeats: 1
load: { warmup: 0, concurrency: 4 }
scorers: { notes: { use: command, command: [sh, gone.sh], gives: { n: { better: higher } } }, marks: { use: file, gives: { m: { better: higher } } } }
reports: [csv, html, json, markdown]
`;

/** What a command may hold in place of a name of the user's. */
const PLACEHOLDER = /\b(RUN\d?|FILE|FOLDER|NAME|URL|N)\b|\.\.\.|[<>]/;

/** Behind a colon or alone on a line; between backticks or in `<code>`. In other prose only the command is named. */
function wholeCommands(text: string): readonly string[] {
  const marked = [...text.matchAll(/(?:`|<code>)(retake [^`\n]*?)(?:`|<\/code>)/g)].map(([, command = '']) => command);
  const commented = text.replaceAll(/^ *# {1,3}(?=retake )| No gate: .*/gm, '').replaceAll(/ {3,}[a-z][^#\n]*$/gm, '');
  return [...commandsIn(commented), ...marked.map((command) => command.replaceAll('&#39;', "'"))];
}

test('whatever a command prints for a user to paste has right arguments, also where names have spaces', async () => {
  const service = await serveImages();
  onTestFinished(service.close);
  const cwd = freshFolder();
  const suites = join(cwd, 'my suites');
  mkdirSync(suites);
  writePainter(suites, service.url);
  writeFileSync(join(suites, 'suite.yaml'), SCORED.replace(/^scorers.*\n/m, ''));
  writeFileSync(join(suites, 'scored.yaml'), SCORED.replace('name: paid', 'name: scored'));
  writeFileSync(join(suites, 'gone.sh'), 'exit 1\n');
  const [suite, out] = ['my suites/suite.yaml', 'my results'];
  const [first, second] = [`${out}/paid/first`, `${out}/paid/second`];
  const named = (name: string) => ['--out', out, '--run', name, '--quiet'];
  const situations: readonly (readonly string[])[] = [
    ['validate', suite],
    ['plan', suite],
    ['plan', 'my suites/scored.yaml'],
    ['run', suite, ...named('first'), '--yes'],
    ['run', suite, ...named('second'), '--set', 'limits.usd=1'],
    [
      ...['run', 'my suites/scored.yaml', ...named('shards'), '--shard', '1/2', '--allow-commands', '--yes'],
      ...['--set', 'reports=[json]'],
    ],
    ['merge', `${out}/scored/shards-1of2`, '--out', out],
    ['baseline', first],
    ['history', `${out}/paid`],
    ['gate', first],
    ['compare', first, second, '--html', 'my page.html'],
    ['report', second],
    ['prune', `${out}/scored`, '--keep', '0'],
    ['init', 'my first.yaml', '--target', 'reference/text-to-image', '--base-url', service.url, '--model', 'fast-lcm'],
    ['fleet', 'keys', 'eu-1', '--out', 'my keys'],
  ];
  const mistakes: readonly (readonly string[])[] = [
    ['report', out],
    ['targets', 'test'],
    ['score', `${out}/scored`],
    ['run'],
    ['compare', first],
    ['merge'],
  ];
  const found = new Set<string>();
  for (const args of [...situations, ...mistakes]) {
    const { code, stdout, stderr } = await retakeHere(args, cwd);
    expect(code === 2, stderr).toBe(mistakes.includes(args));
    for (const command of wholeCommands(`${stdout}\n${stderr}`)) found.add(command);
  }
  for (const file of ['my first.yaml', `${second}/summary.md`, `${second}/report.html`, `${out}/paid/history.html`]) {
    expect(existsSync(join(cwd, file)), file).toBe(true);
    for (const command of wholeCommands(readFileSync(join(cwd, file), 'utf8'))) found.add(command);
  }
  const [left, whole] = [[...found].filter((each) => PLACEHOLDER.test(each)), [...found]];
  const said = whole.filter((each) => !left.includes(each) && !/^retake [a-z]+(:.*|\.?)$/.test(each));
  expect(left.toSorted()).toEqual([
    'retake compare results/demo/RUN1 results/demo/RUN2',
    'retake history --csv FILE',
    'retake merge results/demo/RUN-*of8',
    "retake score 'my results/scored/shards' --from FILE.csv",
    'retake score RUN --from FILE.csv',
  ]);
  expect(said.length).toBeGreaterThan(10);
  const env = { RETAKE_BASE_URL: service.url, RETAKE_API_KEY: 'key-of-a-test' };
  // Reports name the folder that is usual.
  cpSync(join(cwd, out), join(cwd, 'results'), { recursive: true });
  const ends = [];
  for (const command of said) ends.push(await paste(command, cwd, env));
  // Examples of a sentence name a suite that a user has.
  const failed = ends.filter(({ code, command }) => code !== 0 && !wordsOf(command).includes('suite.yaml'));
  // The program of the scorer fails again.
  const again = "retake score 'my results/scored/shards' --allow-commands";
  expect(failed).toMatchObject([{ code: 2, command: again, stderr: expect.stringContaining('starts scorer notes') }]);
  const { command: next = '' } = ends.find(({ command }) => command.includes('--resume results/')) ?? {};
  expect(next).toMatch(/ --set limits\.usd=2\.4 --yes$/);
  const steps = ['try reference/text-to-image', "plan 'my first.yaml'", "run 'my first.yaml'"];
  expect(said).toEqual(expect.arrayContaining(steps.map((step) => `retake ${step}`)));
});

const README = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');

test('the commands of README for an endpoint of the user, in its order, from an empty folder', async () => {
  const service = await serveImages();
  onTestFinished(service.close);
  const cwd = freshFolder();
  const half = sharp({ create: { width: 64, height: 64, channels: 3, background: '#000' } });
  for (const name of ['photo.jpg', 'mask.png']) {
    await half.extend({ right: 64, background: '#fff' }).toFile(join(cwd, name));
  }
  const [, endpoint = ''] = README.split('## Your own endpoint');
  const commands = [...endpoint.matchAll(/(?:^|`)(retake (?:init|try|run|vote|gate|baseline|report|plan) [^`#\n]*)/gm)];
  const ends = [];
  // Those of another row that are the same do the same.
  for (const command of new Set(commands.map(([, written = '']) => written.trim()))) {
    const stopped = existsSync(join(cwd, 'results/mine')) ? readdirSync(join(cwd, 'results/mine')).toSorted() : [];
    const mine = command.replace('RUN', stopped.findLast((name) => !name.includes('.')) ?? '');
    const pasted = mine.replace(/\bURL\b|https:\/\/api\.example\.com/, service.url);
    ends.push(await (mine.startsWith('retake vote') ? pasteAndStop(pasted, cwd) : paste(pasted, cwd)));
  }
  // Whether so quick a service is slower than itself is chance: a gate may fail.
  expect(ends.filter(({ code }) => code !== 0 && code !== 1 && code !== 4)).toMatchObject([
    {
      code: 3,
      command: expect.stringContaining('limits.requests=20 '),
      stderr: expect.stringMatching(/--resume results\/mine\/\S+\s+--set limits\.requests=\d+ --yes/),
    },
  ]);
  expect(
    ends.map(({ command }) => command).filter((command) => /--resume|--ci|--mask|--swap/.test(command)),
  ).toHaveLength(4);
  expect(README.split('\n').length).toBeLessThanOrEqual(160);
});

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

test('every command that a sentence of the source names is one, with options that it has', async () => {
  const cwd = freshFolder();
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const named = files.flatMap((file) => {
    const lines = readFileSync(join(SOURCES, file), 'utf8').split('\n');
    return lines.flatMap((line) => {
      if (/^\s*(\*|\/\/|\/\*|export const SCRIPT)/.test(line)) return [];
      const written = line.replaceAll(/'retake', '([a-z]+)'/g, 'retake $1');
      return [...written.matchAll(/\bretake ([a-z]+)((?: (?:--)?[\w${}.:/=*-]+)*)/g)].map(
        ([, name = '', rest = '']) => ({
          name,
          options: [...rest.matchAll(/ (--[a-z-]+)/g)].map(([, option = '']) => option),
          file,
        }),
      );
    });
  });
  const helps = new Map<string, string>();
  for (const name of new Set(named.map((each) => each.name)))
    helps.set(name, (await retakeHere([name, '--help'], cwd)).stdout);
  const wrong = named.filter(({ name, options }) => {
    const help = helps.get(name) ?? '';
    return !help.includes(`retake ${name}`) || options.some((option) => !help.includes(option));
  });
  expect(wrong).toEqual([]);
});
