import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { METRICS } from '../src/analysis/metrics.ts';
import { STABILITY_METRICS } from '../src/analysis/stability.ts';
import { codeOf, FILES, IMPORTS, moduleOf, TEXTS } from './fixtures/source-files.ts';
import { ALONE } from './test-options.ts';

/* Rules of the source that are not about modules, as data. src/README.md explains them; this file holds them. */

/** They check what was read, so they load the shapes with zod. Everything else imports the types of a shape alone. */
const READERS = [
  'record/read-record.ts',
  // A bound is declared as it is written and as it is recorded.
  'suite/format/gate-schema.ts',
  'report/schemas/published-schemas.ts',
  'fleet/channel.ts',
];

/** What only certain files may do. A path that ends in / stands for a folder. */
const RIGHTS: readonly { what: string; pattern: RegExp; only: readonly string[] }[] = [
  {
    what: 'touch argv, env, exit or the console',
    pattern: /\bprocess\.(argv|env|exit|stdin|stdout|stderr|on)\b|\bconsole\./,
    only: ['main.ts'],
  },
  {
    what: 'open sockets',
    // BlockList and isIP of node:net only read addresses.
    pattern:
      /import (?!type |\{ BlockList, isIP \}).*from '(undici|node:(net|http|https|http2|tls|dgram|dns)(\/\w+)?)'|'@nats-io\/|\bfetch\(/,
    // The loopback server listens for calibration's own round trips; nothing else reaches it.
    only: [
      'targets/transport.ts',
      'run/calibrate/loopback-server.ts',
      'fleet/engine.ts',
      // A page asks the viewer that it came from.
      'page/client/compare-runs.ts',
      'page/compare-script.ts',
      'service/',
      'view/',
    ],
  },
  {
    what: 'tell the time',
    pattern: /\bDate\.now\(|\bnew Date\(\)|\bperformance\.|\bhrtime\b/,
    only: ['run/clock.ts', 'service/', 'view/'],
  },
  {
    what: 'start programs',
    pattern: /from '(node:child_process|workerpool)'/,
    only: [
      // Of the user: only if they are allowed.
      'score/command/process-group.ts',
      // Our own.
      'examine/examiner.ts',
      'examine/examiners.ts',
      'workflow/embedded-service.ts',
      // Of the machine: git.
      'workflow/run-header.ts',
    ],
  },
  {
    what: 'touch files',
    pattern: /from 'node:fs(\/promises)?'/,
    only: [
      'main.ts',
      'suite/named-file.ts',
      'suite/load-suite.ts',
      'suite/named-file.ts',
      'run/declared-files.ts',
      'record/',
      // Files for a program of the user, in a folder that is gone afterwards.
      'examine/show-output.ts',
      'workflow/',
      'commands/',
      'service/',
      'view/',
    ],
  },
  { what: 'draw unseeded random numbers', pattern: /\bMath\.random\b/, only: [] },
];

/** Reports must be byte-identical over Node versions: nothing whose last digit or order an engine may choose. */
const UNSTABLE = /\bMath\.pow\b|\*\*|\bIntl\b|\.toLocale\w+\(|\.localeCompare\(/;
const STABLE_MODULES = ['kit', 'statistics', 'analysis', 'report'];

/** Adapters of one interface never import each other; only the commands know the list. */
const ADAPTERS = [
  { list: 'analysis/metrics.ts', adapter: /^export const \w+: (readonly )?Metric\b/m },
  { list: 'report/reporters.ts', adapter: /^export const \w+: Reporter<'(?!html')/m },
  { list: 'score/scorers.ts', adapter: /^export function \w+Scorer\(.*\): Scorer \{/m },
];

const MOST_LINES = 400;

function may(file: string, only: readonly string[]): boolean {
  return only.some((allowed) => (allowed.endsWith('/') ? file.startsWith(allowed) : file === allowed));
}

/** What a test must not do in a process that it shares with other tests. */
const WEIGHS_OR_CHANGES =
  /process\.(?:memoryUsage|cpuUsage|resourceUsage|chdir|umask)\b|process\.env(?:\.\w+|\[[^\]]+\]) = |delete process\.env|setFlagsFromString|stubEnv/;

describe('the source', () => {
  it('the source loads the schemas of a record only where one is read', () => {
    const isShape = (file: string): boolean => / from '[./]*kit\/declare\.ts'/.test(TEXTS.get(file) ?? '');
    const shapes = FILES.filter(isShape);
    expect(shapes.length).toBeGreaterThan(20);
    const loading = FILES.filter((file) => !isShape(file) && !may(file, READERS));
    const broken = loading.flatMap((file) =>
      [...codeOf(file).matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gm)]
        .map(([, path = '']) => posix.normalize(posix.join(posix.dirname(file), path)))
        .filter((path) => shapes.includes(path))
        .map((path) => `${file} -> ${path}`),
    );
    expect(broken).toEqual([]);
  });

  it.each(RIGHTS)('the source lets only the named files $what', ({ pattern, only }) => {
    const offenders = FILES.filter((file) => !may(file, only) && pattern.test(codeOf(file)));
    expect(offenders).toEqual([]);
  });

  it('the source computes and prints numbers the same on every Node version', () => {
    const offenders = FILES.filter((file) => STABLE_MODULES.includes(moduleOf(file)) && UNSTABLE.test(codeOf(file)));
    expect(offenders).toEqual([]);
  });

  it.each(ADAPTERS)('the source keeps the adapters of $list apart', ({ list, adapter }) => {
    const each = FILES.filter((file) => file !== list && adapter.test(TEXTS.get(file) ?? ''));
    expect(each.length).toBeGreaterThan(1);
    const between = each.flatMap((file) =>
      (IMPORTS.get(file) ?? []).filter((path) => each.includes(path)).map((path) => `${file} -> ${path}`),
    );
    expect(between).toEqual([]);
    const importers = FILES.filter((file) => (IMPORTS.get(file) ?? []).includes(list));
    expect(importers.filter((file) => !/^(?:commands|workflow)\//.test(file) && file !== 'index.ts')).toEqual([]);
    expect(each.filter((file) => !(IMPORTS.get(list) ?? []).includes(file))).toEqual([]);
  });

  it('the source keeps a file to one idea', () => {
    const long = FILES.filter((file) => (TEXTS.get(file) ?? '').split('\n').length > MOST_LINES + 1);
    expect(long).toEqual([]);
  });

  it('the source names in its comments only files that are there', () => {
    const missing = FILES.flatMap((file) =>
      [...(TEXTS.get(file) ?? '').matchAll(/`([\w./-]+\.ts)`/g)]
        .filter(([, name = '']) => FILES.every((other) => other !== name && !other.endsWith(`/${name}`)))
        .map(([, name = '']) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('the source declares no type name in two files', () => {
    const places = new Map<string, string[]>();
    for (const [file, text] of TEXTS) {
      for (const [, name = ''] of text.matchAll(/^(?:export )?(?:interface|type|class) (\w+)/gm)) {
        places.set(name, [...(places.get(name) ?? []), file]);
      }
    }
    expect([...places].filter(([, declaring]) => declaring.length > 1)).toEqual([]);
  });

  it('the source keeps names of metrics out of the gate, which asks each metric what it declares', () => {
    const names = [...METRICS.map(({ name }) => name), ...STABILITY_METRICS.keys()];
    const families = names.flatMap((name) => (name.includes('.') ? [`${name.split('.')[0]}.`] : []));
    // Its sentences say `as long` of latencies.
    const gate = FILES.filter((file) => file.startsWith('gate/') && file !== 'gate/verdict-statement.ts');
    const naming = gate.filter((file) => {
      const quoted = [...codeOf(file).matchAll(/['"`]([^'"`\n]*)['"`]|\/\^([^/\n]*)\//g)].map(
        ([, text, pattern]) => text ?? (pattern ?? '').replaceAll('\\', ''),
      );
      return quoted.some((text) => names.includes(text) || families.some((family) => text.startsWith(family)));
    });
    expect(gate.length).toBeGreaterThanOrEqual(15);
    expect(naming).toEqual([]);
  });

  it('the source has one barrel, the library face', () => {
    const barrels = FILES.filter((file) => {
      const text = codeOf(file).trim();
      const statements = text.split(/;\s*\n|;$/).filter((statement) => statement.trim() !== '');
      return statements.length > 0 && statements.every((statement) => /^\s*export\s[^=]*from '/.test(statement));
    });
    expect(barrels.filter((file) => file !== 'index.ts')).toEqual([]);
  });

  it('the source makes folders for tests where they are removed', () => {
    const tests = fileURLToPath(new URL('.', import.meta.url));
    const makers = readdirSync(tests, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && /import \{[^}]*\bmkdtemp/.test(readFileSync(join(tests, path), 'utf8')))
      .map((path) => path.split('\\').join('/'));
    expect(makers.sort()).toEqual([
      'fixtures/ffmpeg.ts',
      'fixtures/fresh-folder.ts',
      'tools/bench/scratch.ts',
      'tools/golden/golden.ts',
      'tools/golden/records.ts',
    ]);
  });

  it('the source gives a process of its own to each test that weighs or changes its process', () => {
    const tests = fileURLToPath(new URL('.', import.meta.url));
    const weighing = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.test.ts') && WEIGHS_OR_CHANGES.test(readFileSync(join(tests, path), 'utf8')),
    );
    const alone = new Set(ALONE);
    const shared = weighing.map((path) => `test/${path.split('\\').join('/')}`).filter((path) => !alone.has(path));
    expect(shared.filter((path) => path !== 'test/conventions.test.ts')).toEqual([]);
  });

  it('the settings of tests name files that are there, so that none is left out of the nightly run', () => {
    const tests = fileURLToPath(new URL('.', import.meta.url));
    const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).map((path) => `test/${path}`);
    const expressionOf = (pattern: string) =>
      new RegExp(
        `^${pattern.replaceAll('.', '\\.').replaceAll(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(.+/)?'))}$`,
      );
    const texts = ['vitest.config.ts', 'tools/vitest.config.ts', 'test-options.ts'].map((file) =>
      readFileSync(join(tests, file), 'utf8'),
    );
    const named = texts.flatMap((text) =>
      [...text.matchAll(/'(test\/[^']+)'/g)].flatMap(([, name = '']) => expanded(name)),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !files.some((file) => expressionOf(name).test(file)))).toEqual([]);
  });

  it('each file of reviewed sentences is written by one test', () => {
    const tests = fileURLToPath(new URL('.', import.meta.url));
    const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.test.ts'));
    const texts = files.map((path) => readFileSync(join(tests, path), 'utf8'));
    const written = texts.flatMap((text) =>
      [...text.matchAll(/^reviewed\('([a-z-]+)'/gm)].map(([, name]) => `${name}.txt`),
    );
    expect(written.toSorted()).toEqual(readdirSync(join(tests, 'golden/sentences')).toSorted());
  });

  it('the source mirrors src in test', () => {
    const tests = fileURLToPath(new URL('.', import.meta.url));
    const folders = readdirSync(tests, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    const modules = new Set(FILES.map((file) => dirname(file).split('/')[0] ?? ''));
    const others = ['contracts', 'presets', 'fixtures', 'golden', 'end-to-end', 'tools'];
    expect(folders.filter((folder) => !modules.has(folder) && !others.includes(folder))).toEqual([]);
  });
});

/** The patterns that a pattern with braces stands for. */
function expanded(pattern: string): readonly string[] {
  const [braces, choices = ''] = /\{([^{}]*)\}/.exec(pattern) ?? [];
  if (braces === undefined) return [pattern];
  return choices.split(',').flatMap((choice) => expanded(pattern.replace(braces, choice)));
}
