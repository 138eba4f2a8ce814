// @ts-check
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/*
 * Joins the program that users start, dist/main.js, into few files, after tsc has written one file a module: to find, open and link
 * hundreds of files takes node longer than all that `retake --help` and `retake validate` do. The library and its types, worker
 * threads and child processes stay what tsc wrote.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'src');

/** Packages that nearly every command loads: they are joined in. All others are loaded from node_modules, when they are needed. */
const JOINED = ['json-p3', 'pure-rand', 'yaml', 'yargs', 'zod'];

const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const loaded = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !JOINED.includes(name));

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
      ? `export { textWidth as default } from ${JSON.stringify(join(source, 'text', 'text-width.ts'))};`
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
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      if (file === undefined) throw new Error(`${name} is joined in, but has no file with its licence`);
      return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
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
  input: { main: join(source, 'main.ts') },
  platform: 'node',
  external: loaded.map((name) => new RegExp(`^${name}(/|$)`)),
  plugins: [keepPlaces, ownTextWidth, licences],
  output: {
    dir: join(root, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'program/[name].js',
    // Readable as it is: a stack trace names functions and lines as they were written. Minified it starts no faster.
    minify: false,
  },
});
