import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { publishedSchemas } from '../src/report/schemas/published-schemas.ts';
import { freshFolder } from './fixtures/fresh-folder.ts';

/* What `npm pack` would put into the package, of the build that is there. */

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
let packed: ReadonlySet<string> = new Set();

beforeAll(() => {
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  packed = new Set(JSON.parse(listed)[0].files.map(({ path }: { path: string }) => path));
});

/** Every file that a module of the package names: by import, or as the place of a worker or of data. */
function namedBy(file: string): readonly string[] {
  const text = readFileSync(`${root}/${file}`, 'utf8');
  const named = [...text.matchAll(/(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"'`$]+)["']/g)].map(([, path = '']) =>
    posix.join(posix.dirname(file), path),
  );
  const placed = [
    ...text.matchAll(
      /(?<!createRequire\()new URL\(["'](\.{1,2}\/[^"']+)["'], (?:new URL\(["']([^"']+)["'], )?import\.meta\.url/g,
    ),
  ].map(([, path = '', base = '']) => posix.join(posix.dirname(posix.join(posix.dirname(file), base || 'x')), path));
  return [...named, ...placed].map((path) => (file.endsWith('.d.ts') ? path.replace(/\.[jt]s$/, '.d.ts') : path));
}

it('the package has its program, its library with types, and the licences of what was joined in', () => {
  const { types, default: library } = manifest.exports['.'];
  const named = [manifest.bin.retake, types, library].map((path: string) => posix.normalize(path));
  expect([...named, 'dist/program/LICENSES.txt', 'README.md', 'LICENSE'].filter((path) => !packed.has(path))).toEqual(
    [],
  );
});

it('the package depends on exactly the versions that were joined in, so that audits see what runs', () => {
  const licences = readFileSync(`${root}/dist/program/LICENSES.txt`, 'utf8');
  const joined = Object.entries(manifest.dependencies).filter(([name]) => name !== 'sharp');
  expect(joined.length).toBeGreaterThan(5);
  const heads = new Set(licences.split('\n'));
  expect(joined.map(([name, version]) => `${name} ${version}`).filter((head) => !heads.has(head))).toEqual([]);
});

it('the package has all that its modules name: other modules, workers, targets, its manifest', () => {
  const modules = [...packed].filter((path) => /\.(js|d\.ts)$/.test(path) && path.startsWith('dist/'));
  const lost = modules.flatMap((file) =>
    namedBy(file)
      .filter((path) => !packed.has(path) && ![...packed].some((each) => each.startsWith(`${path}/`)))
      .map((path) => `${file} names ${path}`),
  );
  expect(lost).toEqual([]);
  // The pattern does find them.
  const workers = [
    'run/wire/wire-thread',
    'examine/examiner',
    'service/jobs/sampling-worker',
    'run/calibrate/loopback-server',
  ];
  const found = new Set(modules.flatMap(namedBy));
  expect(workers.filter((worker) => !found.has(`dist/${worker}.js`))).toEqual([]);
});

it('the package has no module that neither program nor library needs', () => {
  const needed = new Set<string>();
  const visit = (file: string): void => {
    if (needed.has(file) || !packed.has(file) || !file.endsWith('.js')) return;
    needed.add(file);
    for (const named of namedBy(file)) visit(named);
  };
  for (const entry of [manifest.bin.retake, manifest.exports['.'].default]) visit(posix.normalize(entry));
  const modulesOf = (files: Iterable<string>) =>
    new Set([...files].filter((file) => /^dist\/.*\.js$/.test(file)).map((file) => file.split('/')[1]));
  const neededModules = modulesOf(needed);
  expect(neededModules.size).toBeGreaterThan(10);
  expect([...modulesOf(packed)].filter((module) => !neededModules.has(module))).toEqual([]);
});

it('the package imports only what it depends on', () => {
  const installed = new Set(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }));
  const bare = /(?:^import|\bfrom|\bimport\()\s*["']([a-z@][^"'\s]*)["']/gm;
  const imported = [...packed]
    .filter((path) => path.startsWith('dist/') && path.endsWith('.js'))
    .flatMap((file) => [...readFileSync(`${root}/${file}`, 'utf8').matchAll(bare)].map(([, name = '']) => name))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  expect(imported).toContain('zod');
  const unknown = imported.filter((name) => !isBuiltin(name) && !installed.has(name));
  expect([...new Set(unknown)]).toEqual([]);
});

it('installing the package runs nothing: what it depends on has no script that npm would run', () => {
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(
    readFileSync(`${root}/package-lock.json`, 'utf8'),
  );
  const dependedOn = Object.entries(packages).filter(([, { dev }]) => dev !== true);
  expect(dependedOn.some(([path]) => path.includes('@seydx/node-av-linux-x64'))).toBe(true);
  expect(dependedOn.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
});

/** A package in package-lock.json. */
interface Locked {
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

/** The packages that node loads together with a file of the bundle. */
function loadedWith(file: string): ReadonlySet<string> {
  const files = new Set<string>();
  const visit = (each: string): void => {
    if (files.has(each)) return;
    files.add(each);
    const text = readFileSync(`${root}/${each}`, 'utf8');
    for (const [, path = ''] of text.matchAll(/^(?:import|export)\b[^;'"]*["'](\.{1,2}\/[^"']+)["'];$/gm)) {
      visit(posix.join(posix.dirname(each), path));
    }
  };
  visit(file);
  const texts = [...files].map((each) => readFileSync(`${root}/${each}`, 'utf8')).join('\n');
  const named = [...texts.matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)\/|\(import\.meta\.url\)\("(sharp)"\)/gm)];
  return new Set(named.map(([, bundled, required]) => bundled ?? required ?? ''));
}

it('the program loads what a command needs, and no more', () => {
  const loaded = (file: string) => {
    const packages = loadedWith(file);
    const heavy = ['yargs', 'zod', 'yaml', 'undici', 'fastify', 'workerpool', 'sharp'];
    return heavy.filter((name) => packages.has(name));
  };
  expect(loaded('dist/main.js')).toEqual(['yargs']);
  expect(loaded('dist/program/validate.js')).toEqual(['zod', 'yaml']);
  expect(loaded('dist/program/report.js')).toEqual(['zod', 'workerpool']);
  expect(loaded('dist/program/serve.js')).toEqual(['fastify']);
  expect(loaded('dist/run/wire/wire-thread.js')).toEqual(['undici']);
  expect(loaded('dist/examine/examiner.js')).toEqual(['workerpool', 'sharp']);
  expect(loaded('dist/service/jobs/sampling-worker.js')).toEqual(['sharp']);
});

it('the package has every suite, target, prompt file, input and schema of the checkout', () => {
  const tracked = execFileSync('git', ['ls-files', 'suites'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  expect(tracked.length).toBeGreaterThan(80);
  const built = Object.keys(publishedSchemas()).map((name) => `suites/${name}.schema.json`);
  expect([...tracked, ...built].filter((path) => existsSync(`${root}/${path}`) && !packed.has(path))).toEqual([]);
  expect(built).toContain('suites/run.schema.json');
});

it('the package has no source maps, state of the compiler, tests or results', () => {
  expect([...packed].filter((path) => /\.map$|\.tsbuildinfo$|^test\/|^results\/(?!README)|^src\//.test(path))).toEqual(
    [],
  );
});

it('npm start in a clone without its dependencies says in one sentence what to run, and fails', () => {
  const clone = freshFolder();
  for (const path of ['package.json', '.npmrc', '.build'])
    cpSync(join(root, path), join(clone, path), { recursive: true });
  const { status, stderr } = spawnSync('npm', ['--silent', 'start'], { cwd: clone, encoding: 'utf8' });
  expect(stderr).toBe('The dependencies are not installed: run "npm ci" first.\n');
  expect(status).toBe(2);
});
