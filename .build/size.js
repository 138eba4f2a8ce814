// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

/*
 * Says how large a checkout is, as Markdown: `npm run size`, or `npm run size -- BEFORE AFTER` for two of them side by side. Only what git
 * holds counts, without what is made by a tool. `npm run size -- --check` fails where something is above its limit in weights.json.
 * The whole is held exactly, a module with 3 % of air, so that an honest line needs no commit of its own. `--set` lowers the limits to
 * what is there. A limit is raised by hand, in a commit that says what the lines buy.
 */

/** @typedef {{ file: string, text: string }} Source */
/** @typedef {{ lines: number, files: number, functions: number[], comments: number, inward: number, pairs: number, face: Set<string> }} Module */

const GENERATED = /^\/\/ Made from |^export const SCRIPT = "/;

/** Of the whole: held exactly. What else is printed has no limit. */
const HELD = ['lines of source', 'lines of test', 'words of READMEs'];

/** How far a module may grow before its limit is raised, and to what its limit is rounded up, in lines. */
const AIR = { share: 0.03, step: 50 };

/** What any module may import. */
const LOWEST = ['kit', 'statistics'];

const WEIGHTS = new URL('weights.json', import.meta.url);

const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const folders = named.length > 0 ? named : ['.'];
const sizes = folders.map(sizeOf);
if (options.length > 0 && sizes[0] !== undefined) process.exit(weigh(weightsOf(sizes[0]), options.includes('--set')));

const modules = [...new Set(sizes.flatMap((size) => [...size.modules.keys()]))].sort();
const KEYS = /** @type {const} */ ([
  'lines',
  'files',
  'median function',
  'longest function',
  'comment lines',
  'imports from others',
  'files that others import',
]);

print(
  ['module', ...KEYS],
  modules.map((name) => [
    name,
    ...KEYS.map((key) => beside(sizes.map(({ modules }) => cells(modules.get(name))[key]))),
  ]),
);
console.log('');
print(
  ['whole', folders.join(' | ')],
  Object.keys(sizes[0]?.whole ?? {}).map((key) => [key, beside(sizes.map(({ whole }) => whole[key]))]),
);

/** @param {string} folder */
function sizeOf(folder) {
  const tracked = execFileSync('git', ['ls-files'], { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 })
    .trim()
    .split('\n');
  /** @type {(choose: (path: string) => boolean) => Source[]} */
  const read = (choose) =>
    tracked
      .filter((path) => choose(path) && existsSync(join(folder, path)))
      .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
      .filter(({ text }) => !GENERATED.test(text));
  const source = read((path) => /^src\/.*\.ts$/.test(path));
  const sheets = read((path) => /^src\/.*\.css$/.test(path));
  const modules = modulesOf(source, sheets);
  const total = [...modules.values()];
  const functions = total.flatMap((module) => module.functions);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const names = typeNames(source);
  /** @type {Record<string, number | string>} */
  const whole = {
    'lines of source': linesOf([...source, ...sheets]),
    files: source.length + sheets.length,
    'median function': median(functions),
    'longest function': Math.max(...functions),
    'functions above 60 lines': functions.filter((length) => length > 60).length,
    'comment lines': sum(total.map(({ comments }) => comments)),
    'imports between modules': sum(total.map(({ inward }) => inward)),
    'type names declared twice or more': names.length,
    'lines of test': linesOf(read((path) => /^test\/.*\.ts$/.test(path))),
    'lines of README.md': linesOf(read((path) => path === 'README.md')),
    'words of READMEs': wordsOf(
      read((path) => path === 'README.md' || /^(src|suites|results)\/(.*\/)?README\.md$/.test(path)),
    ),
    'pairs of a file and a module that it imports, without kit and statistics': sum(total.map(({ pairs }) => pairs)),
    'lines of published schemas in git': linesOf(read((path) => /^suites\/.*\.schema\.json$/.test(path))),
    'direct dependencies': ['dependencies', 'optionalDependencies', 'devDependencies']
      .map((kind) => Object.keys(manifest[kind] ?? {}).length)
      .join(' + '),
    'program, kB': Math.round(bytesOf(join(folder, 'dist')) / 1000),
  };
  return { modules, whole };
}

/**
 * What is held: the whole, and the lines of each module.
 *
 * @param {ReturnType<typeof sizeOf>} size
 * @returns {Record<string, number>}
 */
function weightsOf({ modules, whole }) {
  return Object.fromEntries([
    ...HELD.map((key) => [key, Number(whole[key])]),
    ...[...modules].sort().map(([name, { lines }]) => [`lines of ${name}`, lines]),
  ]);
}

/** The limit that leaves a weight its air. @type {(key: string, weight: number) => number} */
function withAir(key, weight) {
  return HELD.includes(key) ? weight : Math.ceil((weight * (1 + AIR.share)) / AIR.step) * AIR.step;
}

/**
 * Compares with the limits. 1 if one is exceeded.
 *
 * @param {Readonly<Record<string, number>>} weights
 * @param {boolean} lower
 */
function weigh(weights, lower) {
  /** @type {Readonly<Record<string, number>>} */
  const limits = existsSync(WEIGHTS) ? JSON.parse(readFileSync(WEIGHTS, 'utf8')) : {};
  const limitOf = (/** @type {string} */ key) => limits[key] ?? (lower ? Infinity : 0);
  const above = Object.entries(weights).filter(([key, weight]) => weight > limitOf(key));
  for (const [key, weight] of above)
    console.log(`${key}: ${weight}, above the limit of ${limitOf(key)} in weights.json`);
  if (lower) {
    const lowered = Object.fromEntries(
      Object.entries(weights).map(([key, weight]) => [key, Math.min(withAir(key, weight), limitOf(key))]),
    );
    writeFileSync(WEIGHTS, `${JSON.stringify(lowered, null, 2)}\n`);
  } else if (above.length === 0) {
    console.log(`within all ${Object.keys(weights).length} limits of weights.json`);
  }
  return above.length > 0 ? 1 : 0;
}

/**
 * The modules of src by name. A file beside the folders is a module of its own.
 *
 * @param {readonly Source[]} source
 * @param {readonly Source[]} sheets
 */
function modulesOf(source, sheets) {
  /** @type {Map<string, Module>} */
  const modules = new Map();
  const of = (/** @type {string} */ name) => {
    const known = modules.get(name) ?? {
      lines: 0,
      files: 0,
      functions: [],
      comments: 0,
      inward: 0,
      pairs: 0,
      face: new Set(),
    };
    modules.set(name, known);
    return known;
  };
  for (const { file, text } of sheets) {
    of(moduleOf(file)).lines += countLines(text);
    of(moduleOf(file)).files += 1;
  }
  for (const { file, text } of source) {
    const own = of(moduleOf(file));
    const { functions, comments, imported } = readModule(file, text);
    own.lines += countLines(text);
    own.files += 1;
    own.functions.push(...functions);
    own.comments += comments;
    const others = new Set([...imported].map(moduleOf));
    own.pairs += [...others].filter((name) => name !== moduleOf(file) && !LOWEST.includes(name)).length;
    for (const path of imported) {
      if (moduleOf(path) === moduleOf(file)) continue;
      own.inward += 1;
      of(moduleOf(path)).face.add(path);
    }
  }
  return modules;
}

/**
 * The lengths of a file's functions in lines, its lines of comment, and the files that it imports.
 *
 * @param {string} file
 * @param {string} text
 */
function readModule(file, text) {
  const { program, comments, module } = parseSync(file, text);
  const ends = lineEnds(text);
  const span = (/** @type {{ start: number, end: number }} */ { start, end }) =>
    lineOf(ends, end) - lineOf(ends, start) + 1;
  /** @type {number[]} */
  const functions = [];
  const measure = (/** @type {{ start: number, end: number, body?: { type: string } | null }} */ node) => {
    // An arrow without a block is an expression.
    if (node.body?.type === 'BlockStatement') functions.push(span(node));
  };
  new Visitor({ FunctionDeclaration: measure, FunctionExpression: measure, ArrowFunctionExpression: measure }).visit(
    program,
  );
  const imported = [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries)]
    .flatMap((each) => ('moduleRequest' in each && each.moduleRequest ? [each.moduleRequest.value] : []))
    .concat([...text.matchAll(/import\('(\.[^']+)'\)/g)].map(([, path = '']) => path))
    .filter((path) => path.startsWith('.'))
    .map((path) => posix.join(posix.dirname(file), path));
  return { functions, comments: sum(comments.map(span)), imported: new Set(imported) };
}

/**
 * The names of types that several files declare.
 *
 * @param {readonly Source[]} source
 */
function typeNames(source) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { text } of source) {
    const declared = [...text.matchAll(/^(?:export )?(?:interface|type|class) (\w+)/gm)].map(([, name = '']) => name);
    for (const name of new Set(declared)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([name]) => name);
}

/** @param {Module | undefined} module */
function cells(module) {
  return {
    lines: module?.lines ?? 0,
    files: module?.files ?? 0,
    'median function': module === undefined ? 0 : median(module.functions),
    'longest function': module === undefined ? 0 : Math.max(0, ...module.functions),
    'comment lines': module?.comments ?? 0,
    'imports from others': module?.inward ?? 0,
    'files that others import': module?.face.size ?? 0,
  };
}

/** @param {string} file */
function moduleOf(file) {
  const [, name = '', ...deeper] = file.split('/');
  return deeper.length === 0 ? name.replace(/\.ts$/, '') : name;
}

/** The bytes of what users start, where it was built. @param {string} dist */
function bytesOf(dist) {
  const program = join(dist, 'program');
  const chunks = existsSync(program)
    ? readdirSync(program)
        .filter((name) => name.endsWith('.js'))
        .map((name) => join(program, name))
    : [];
  return sum([join(dist, 'main.js'), ...chunks].filter((path) => existsSync(path)).map((path) => statSync(path).size));
}

/** @param {string} text */
function lineEnds(text) {
  return [...text.matchAll(/\n/g)].map(({ index }) => index);
}

/** @type {(ends: readonly number[], offset: number) => number} */
function lineOf(ends, offset) {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? Infinity) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param {string} text */
function countLines(text) {
  return text.split('\n').length - 1;
}

/** @param {readonly Source[]} sources */
function linesOf(sources) {
  return sum(sources.map(({ text }) => countLines(text)));
}

/** @param {readonly Source[]} sources */
function wordsOf(sources) {
  return sum(sources.map(({ text }) => text.split(/\s+/).filter((word) => word !== '').length));
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** @param {readonly number[]} numbers */
function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/** @param {readonly (number | string | undefined)[]} values */
function beside(values) {
  return values.join(' → ');
}

/** @type {(head: readonly string[], rows: readonly (readonly string[])[]) => void} */
function print(head, rows) {
  for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
}
