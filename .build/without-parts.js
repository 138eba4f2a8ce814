// @ts-check
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * `npm run without-parts` shows that a run does without its optional parts: deletes them in a copy, with the tests that need one, builds
 * what is left, checks its types, runs the unit tests, and measures a suite against a server of its own.
 */

const PARTS = ['score', 'fleet', 'view', 'service'];
/** They describe the complete checkout. */
const OF_ALL = /^test\/(architecture|conventions|package|readmes|words|workflows|example-report)\.test\.ts$/;
/** Of the test files that belong to no part, at least so many must run. */
const LEAST_SHARE = 0.85;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const copy = mkdtempSync(join(tmpdir(), 'retake-without-parts-'));

try {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const left = withoutNeeding(files.filter((file) => !isOfPart(file) && existsSync(join(root, file))));
  for (const file of left) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

  const run = (/** @type {string} */ line) => {
    const [program = '', ...words] = line.split(' ');
    execFileSync(program, words, { cwd: copy, stdio: 'inherit', env: { ...process.env, NO_COLOR: '1' } });
  };
  console.log('== without parts: build and types');
  run('npm run --silent build');
  run('npx tsc -p src/page/client/tsconfig.json');
  run('npx tsc -p test/tsconfig.json');

  console.log('== without parts: unit tests');
  const vitest = 'npx vitest --config test/vitest.config.ts --project unit';
  const [program = '', ...words] = `${vitest} list --filesOnly --json`.split(' ');
  /** @type {{ file: string }[]} */
  const unit = JSON.parse(execFileSync(program, words, { cwd: root, encoding: 'utf8' }));
  const ofCore = unit.map(({ file }) => relative(root, file)).filter((file) => !isOfPart(file));
  const kept = ofCore.filter((file) => left.includes(file));
  console.log(`${kept.length} of ${ofCore.length} test files run, the others need a part or the whole checkout`);
  if (kept.length < LEAST_SHARE * ofCore.length) throw new Error('too few unit tests run without the parts');
  run(`${vitest} run --reporter=dot`);

  console.log('== without parts: a suite');
  await measureASuite();
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** Whether a file lies in a folder of a part, in src or test. @param {string} file */
function isOfPart(file) {
  const [top = '', module = '', folder = ''] = file.split('/');
  return (top === 'src' || top === 'test') && PARTS.includes(module === 'commands' ? folder : module);
}

/**
 * Without the tests and tools that import, or name in the build, a file that is not there; whatever imports those too.
 *
 * @param {readonly string[]} files
 */
function withoutNeeding(files) {
  let left = files.filter((file) => !OF_ALL.test(file));
  for (;;) {
    const there = new Set(left);
    const next = left.filter(
      (file) => !/^test\/.*\.ts$/.test(file) || importsOf(file).every((path) => there.has(path)),
    );
    if (next.length === left.length) return next;
    left = next;
  }
}

/** @param {string} file */
function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const named = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+\.ts)'/g)].map(([, path = '']) =>
    posix.join(posix.dirname(file), path),
  );
  const built = [...text.matchAll(/\bbuilt\('([^']+)\.js'\)/g)].map(([, path]) => `src/${path}.ts`);
  // What the build makes is not in Git.
  return [...named, ...built].filter(
    (path) => isOfPart(path) || !/-(?:script|css)\.ts$|\/present-parts\.ts$/.test(path),
  );
}

/** To CSV, HTML and a gate that passes and fails; then what needs a part is refused. */
async function measureASuite() {
  const images = ['fox', 'lighthouse'].map((name) => readFileSync(join(root, 'suites', 'inputs', `${name}.jpg`)));
  let sent = 0;
  const server = createServer((request, response) => {
    sent += 1;
    request.resume().on('end', () => {
      // The same image each time, or one and the other.
      const image = images[request.url === '/wavering' ? sent % 2 : 0];
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(image);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const url = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
  const folder = join(copy, 'measured');
  mkdirSync(folder);
  for (const path of ['steady', 'wavering']) {
    writeFileSync(
      join(folder, `${path}.target.yaml`),
      `target: 1
id: own/${path}
kind: text-to-image
base_url: ${url}
submit: { path: /${path}, encoding: json, body: { prompt: "\${case.prompt}", seed: "\${case.seed}" } }
result: { from: body, expect: image/* }
`,
    );
    writeFileSync(join(folder, `${path}.yaml`), suiteOf(path, ''));
  }
  writeFileSync(
    join(folder, 'scored.yaml'),
    suiteOf('steady', 'scorers: { hps: { use: file, gives: { hps: { better: higher } } } }'),
  );
  const expected = /** @type {const} */ ([
    ['run steady.yaml --run a', 0, ''],
    ['run wavering.yaml --run b', 1, ''],
    ['run scored.yaml', 2, 'a suite with scorers needs a part'],
    ['run demo', 2, 'needs a part'],
    ['run steady.yaml --fleet nats://127.0.0.1:1 --workers 1', 2, '--fleet needs a part'],
    ['try reference/text-to-image', 2, 'needs a part'],
    ['view', 2, 'retake view needs a part'],
    ['serve', 2, 'retake serve needs a part'],
  ]);
  try {
    for (const [line, code, says] of expected) {
      const ended = await retake(line.split(' '), folder);
      if (ended.code === code && ended.said.includes(says)) continue;
      throw new Error(`retake ${line} ended with ${ended.code} and not with ${code}, "${says}":\n${ended.said}`);
    }
    for (const file of ['samples.csv', 'measures.csv', 'report.html', 'verdict.json'])
      if (!existsSync(join(folder, 'results', 'steady', 'a', file))) throw new Error(`the run wrote no ${file}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** @param {string} path @param {string} more */
function suiteOf(path, more) {
  return `suite: 1
name: ${path}
variants: { one: { target: ./${path}.target.yaml, baseline: true } }
prompts: [a fox, a harbour, a kitchen, a street]
seeds: [1, 2]
repeats: 3
load: { concurrency: 1, warmup: 0 }
gate: [{ metric: determinism.pixel, none: departure }]
reports: [csv, html]
${more}
`;
}

/**
 * Runs the program of the copy to its end, with nothing of this environment.
 *
 * @param {readonly string[]} words
 * @param {string} cwd
 */
async function retake(words, cwd) {
  const child = spawn(process.execPath, [join(copy, 'dist', 'main.js'), ...words], {
    cwd,
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  return { code, said };
}
