import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { serveImages, writePainter } from '../fixtures/image-server.ts';
import { servePaid } from '../fixtures/paid-service.ts';
import { retakeHere, serveHere } from '../fixtures/retake-process.ts';
import { serveVotes } from '../fixtures/viewer-process.ts';

/* Every command that is printed for a user to paste does what it is printed for, as it stands. */

/** Gives the words of a command as a shell takes them. */
function wordsOf(command: string): readonly string[] {
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

const PAID = `suite: 1
name: paid
variants: { image: { target: ./image.yaml } }
prompts: [a fox, a cat, a house, a boat]
repeats: 1
load: { warmup: 1 }
reports: [csv]
`;

test.each([
  ['requests', '{ requests: 3 }', 0.01, ['--yes'], ' --set limits.requests=5 --yes'],
  ['US dollars', '{ usd: 0.025 }', 0.01, [], ' --set limits.usd=0.06'],
  ['US dollars, where the rest may cost more than 1', '{ usd: 0.9 }', 0.4, [], ' --set limits.usd=2.1 --yes'],
] as const)('a run that a limit of %s has stopped prints a command that measures the rest', async (...row) => {
  const [, limits, usd, given, raised] = row;
  const service = await servePaid(() => 0);
  onTestFinished(service.close);
  const cwd = freshFolder();
  const submit = '{ path: /image, encoding: json, body: { prompt: "${case.prompt}", seed: "${case.seed}" } }';
  const price = `{ per: request, usd: ${usd} }`;
  const target = `target: 1\nid: test/image\nkind: text-to-image\nbase_url: ${service.url}\nsubmit: ${submit}\nresult: { from: body, expect: image/* }\nprice: ${price}\n`;
  writeFileSync(join(cwd, 'image.yaml'), target);
  writeFileSync(join(cwd, 'suite.yaml'), `${PAID}limits: ${limits}\n`);
  const { code, stderr } = await retakeHere(['run', 'suite.yaml', '--quiet', ...given], cwd);
  expect(code).toBe(3);
  const [command = '', ...more] = commandsIn(stderr);
  expect(more).toEqual([]);
  expect(command.endsWith(raised)).toBe(true);
  const again = join(freshFolder(), 'copy');
  cpSync(cwd, again, { recursive: true });
  expect(await paste(command, cwd)).toMatchObject({ code: 0 });
  expect(await paste(nextIn(again), again)).toMatchObject({ code: 0 });
});

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

test('the next steps that init prints, for a server of the user on this machine', async () => {
  const service = await serveHere(['{ cached: {} }']);
  onTestFinished(() => service.close());
  const cwd = freshFolder();
  const target = ['--target', 'reference/text-to-image', '--base-url', service.url];
  const made = await retakeHere(['init', 'first.yaml', ...target, '--model', 'fast-lcm'], cwd, service.env);
  const commands = commandsIn(made.stdout);
  expect(commands.map((command) => command.split(' ')[1])).toEqual(['try', 'plan', 'run']);
  // A run of this suite takes long; its plan says the same of what it asks for.
  for (const command of commands.slice(0, 2)) expect(await paste(command, cwd, service.env)).toMatchObject({ code: 0 });
});

const SCORED = `suite: 1
name: paid
variants:
  a: { target: ./painter.yaml, price: { per: request, usd: 0.1 } }
  b: { target: ./painter.yaml, price: { per: request, usd: 0.1 }, const: { model: other } }
prompts: [a fox, a cat]
repeats: 1
load: { warmup: 1, concurrency: 4 }
scorers: { notes: { use: command, command: [sh, gone.sh], gives: { n: { better: higher } } }, marks: { use: file, gives: { m: { better: higher } } } }
reports: [csv, html, json, markdown]
`;

/** What a command may hold in place of a name of the user's. */
const PLACEHOLDER = /\b(RUN\d?|FILE|FOLDER|NAME|URL|N)\b|\.\.\.|[<>]/;

/** Behind a colon or alone on a line; between backticks or in `<code>`. In other prose only the command is named. */
function wholeCommands(text: string): readonly string[] {
  const marked = [...text.matchAll(/(?:`|<code>)(retake [^`\n]*?)(?:`|<\/code>)/g)].map(([, command = '']) => command);
  const commented = text.replaceAll(/^ *# {1,3}(?=retake )/gm, '').replaceAll(/ {3,}[a-z][^#\n]*$/gm, '');
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
  const run = (name: string, ...more: readonly string[]) => [
    ...['run', suite, '--out', out, '--run', name, '--quiet'],
    ...more,
  ];
  const situations: readonly (readonly string[])[] = [
    ['validate', suite],
    ['plan', suite],
    ['plan', 'my suites/scored.yaml'],
    run('first'),
    run('second', '--yes', '--set', 'limits.requests=4'),
    run('dear', '--yes', '--set', 'limits.usd=0.3', '--set', 'repeats=9'),
    run('shards', '--shard', '1/2'),
    run('shards', '--shard', '2/2'),
    ['run', 'my suites/scored.yaml', '--out', out, '--run', 'unscored', '--quiet', '--allow-commands'],
    ['merge', `${out}/paid/shards-1of2`, `${out}/paid/shards-2of2`, '--out', out],
    ['baseline', first],
    ['history', `${out}/paid`],
    ['gate', first],
    ['compare', first, second, '--html', 'my page.html'],
    ['report', second],
    ['prune', `${out}/scored`, '--keep', '0'],
    ['init', 'my first.yaml', '--target', 'reference/text-to-image', '--base-url', service.url],
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
    'retake score RUN --from FILE.csv',
  ]);
  expect(said.length).toBeGreaterThan(10);
  const env = { RETAKE_BASE_URL: service.url, RETAKE_API_KEY: 'key-of-a-test' };
  const ends = [];
  for (const command of said) ends.push(await paste(command, cwd, env));
  // Examples of a sentence name a suite that a user has; the page of a report names the folder that is usual.
  const isExample = ({ command }: { readonly command: string }) => / (suite\.yaml|results\/\S+)( |$)/.test(command);
  expect(ends.filter((end) => end.code === 2 && !isExample(end))).toEqual([]);
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
  for (const [, command = ''] of commands) {
    const stopped = existsSync(join(cwd, 'results/mine')) ? readdirSync(join(cwd, 'results/mine')).toSorted() : [];
    const mine = command.replace('RUN', stopped.findLast((name) => !name.includes('.')) ?? '');
    const pasted = mine.replace(/\bURL\b|https:\/\/api\.example\.com/, service.url);
    ends.push(await (mine.startsWith('retake vote') ? pasteAndStop(pasted, cwd) : paste(pasted, cwd)));
  }
  // Whether so quick a service is slower than itself is chance: a gate may fail.
  expect(ends.filter(({ code }) => code !== 0 && code !== 1 && code !== 4)).toMatchObject([
    { code: 3, command: expect.stringContaining('limits.requests=20 ') },
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
    helps.set(name, (await retakeHere([name, '--help', 'all'], cwd)).stdout);
  const wrong = named.filter(({ name, options }) => {
    const help = helps.get(name) ?? '';
    return !help.includes(`retake ${name}`) || options.some((option) => !help.includes(option));
  });
  expect(wrong).toEqual([]);
});
