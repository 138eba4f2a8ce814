// @ts-check
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/*
 * Joins the program that users start, dist/main.js, its worker threads and its child processes into few files, after tsc has written one
 * file a module: to find, open and link hundreds of files takes node longer than all that `retake --help` and `retake validate` do, and a
 * run starts six of them. The library and its types stay what tsc wrote.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'src');

/** What node starts, each at the place of its own module: the program, its worker threads and child processes. */
const STARTED = [
  'main',
  'run/calibrate/loopback-server',
  'examine/examiner',
  'run/wire/wire-thread',
  'service/jobs/sampling-worker',
];

/** What the library loads too, and has a package joined in whose own installation is not wanted. */
const SHARED = ['media/libav'];

/** Stands in a chunk for the way from its folder to dist/. */
const TO_DIST = '@to-dist@/';

/**
 * Keeps `import.meta.url` what tsc made of it, the place of a module's own file in dist/, wherever a chunk has the module: worker
 * threads, child processes and the files of the package are found from there.
 *
 * @type {import('rolldown').Plugin}
 */
const keepPlaces = {
  name: 'keep-places',
  transform(code, id) {
    if (!id.startsWith(source) || !code.includes('import.meta.url')) return null;
    const file = relative(source, id).replaceAll('\\', '/').replace(/\.ts$/, '.js');
    return code.replaceAll('import.meta.url', `new URL('${TO_DIST}${file}', import.meta.url).href`);
  },
  renderChunk(code, { fileName }) {
    return code.replaceAll(TO_DIST, '../'.repeat(fileName.split('/').length - 1) || './');
  },
};

/**
 * Lays out help with the widths that tables have. The package that yargs takes them from builds tables of all of Unicode when it is
 * loaded, half of what yargs takes to start, three times over.
 *
 * @type {import('rolldown').Plugin}
 */
const ownTextWidth = {
  name: 'own-text-width',
  resolveId: (id) => (id === 'string-width' ? '\0string-width' : null),
  load: (id) =>
    id === '\0string-width'
      ? `export { textWidth as default } from ${JSON.stringify(join(source, 'kit', 'text-width.ts'))};`
      : null,
};

/**
 * Leaves sharp in node_modules, as its native code is found from there; node-av finds its own by its name. sharp is required, not imported:
 * that takes node half as long, for the same code.
 *
 * @type {import('rolldown').Plugin}
 */
const nativeCode = {
  name: 'native-code',
  resolveId: (id) => (id === 'sharp' ? '\0sharp' : null),
  load: (id) =>
    id === '\0sharp'
      ? "import { createRequire } from 'node:module';\nexport default createRequire(import.meta.url)('sharp');"
      : null,
};

/**
 * Takes the agent of undici alone, all that Retake uses of it: the package itself loads its fetch, caches, proxies and mocks as well.
 *
 * @type {import('rolldown').Plugin}
 */
const onlyAgent = {
  name: 'only-agent',
  resolveId: (id) => (id === 'undici' ? '\0undici' : null),
  load: (id) =>
    id === '\0undici'
      ? `export { default as Agent } from ${JSON.stringify(join(root, 'node_modules', 'undici', 'lib', 'dispatcher', 'agent.js'))};`
      : null,
};

/**
 * Leaves out what compiles the schemas of routes, half of fastify: no route of Retake has one. Each stands for what fastify calls: the
 * choice of a compiler, its making, and the compiler.
 *
 * @type {import('rolldown').Plugin}
 */
const noRouteSchemas = {
  name: 'no-route-schemas',
  resolveId: (id) =>
    id === '@fastify/ajv-compiler' || id === '@fastify/fast-json-stringify-compiler' ? '\0no-route-schemas.cjs' : null,
  load: (id) =>
    id === '\0no-route-schemas.cjs'
      ? "module.exports = () => () => () => { throw new Error('a route has a schema, and no compiler is bundled'); };"
      : null,
};

/**
 * Writes the licences of what was joined in, as they ask for; and takes away what an earlier build left.
 *
 * @type {import('rolldown').Plugin}
 */
const licences = {
  name: 'licences',
  buildStart: () => rmSync(join(root, 'dist', 'program'), { recursive: true, force: true }),
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    const folders = new Set(modules.filter((id) => relative(root, id).startsWith('node_modules')).map(packageFolder));
    const texts = [...folders].sort().map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      if (file === undefined && license === undefined) throw new Error(`${name} is joined in, but names no licence`);
      // One package has no file with its licence, only the name.
      const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
      return `${name} ${version}\n\n${text}\n`;
    });
    this.emitFile({ type: 'asset', fileName: 'program/LICENSES.txt', source: texts.join('\n---\n\n') });
  },
};

/**
 * The folder of the package that a file belongs to: the nearest above it whose manifest has a version.
 *
 * @type {(file: string) => string}
 */
function packageFolder(file) {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version !== undefined) return folder;
  }
  throw new Error(`no manifest above ${file}`);
}

await build({
  input: Object.fromEntries([...STARTED, ...SHARED].map((entry) => [entry, join(source, `${entry}.ts`)])),
  platform: 'node',
  // Installed where a fleet is wanted, and loaded then.
  external: ['@nats-io/transport-node'],
  plugins: [keepPlaces, ownTextWidth, nativeCode, onlyAgent, noRouteSchemas, licences],
  output: {
    dir: join(root, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'program/[name].js',
    // Readable as it is: a stack trace names functions and lines as they were written. Minified it starts no faster.
    minify: false,
    comments: { jsdoc: false },
  },
});
