import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { METRICS } from '../src/analysis/metrics.ts';
import { STABILITY_METRICS } from '../src/compare/baseline/stability.ts';
import { ALONE } from './test-options.ts';

/*
 * The rules of the architecture as data. src/README.md explains them; this file holds them.
 */

/** Each module imports only from the layers below its own, never another module of its own layer. */
const LAYERS: readonly (readonly string[])[] = [
  ['text', 'access', 'shape'],
  ['statistics', 'media'],
  ['suite'],
  ['targets'],
  ['plan'],
  ['record'],
  ['prepare', 'run', 'examine', 'analysis', 'calibrate', 'score'],
  ['compare', 'fleet'],
  ['report'],
  ['commands'],
  ['main'],
];

/**
 * The submodules of a module, or of a folder in one, in their order: each imports only those before it. Files beside
 * the submodules stand above all of them, but for those in BENEATH.
 */
const SUBMODULES: Readonly<Record<string, readonly string[]>> = {
  commands: ['line', 'setup', 'display', 'records', 'measuring', 'tools'],
  analysis: ['samples', 'cells', 'probes', 'scores', 'measures', 'metrics', 'warning-codes', 'warnings'],
  targets: ['language', 'model', 'format', 'transport', 'secrets', 'request', 'reply', 'call'],
  record: ['files', 'model', 'find', 'journal', 'outputs', 'histories', 'spend', 'tally', 'merge'],
  run: ['wire', 'limits', 'resume', 'calls'],
  report: ['words', 'statements', 'csv', 'markdown', 'terminal', 'html'],
  compare: ['pairs', 'effects', 'history', 'baseline', 'gate'],
  score: ['outputs', 'command', 'judge', 'from-file', 'votes'],
  suite: ['document', 'format', 'declare', 'prompt-files'],
  statistics: ['distributions', 'samples', 'rates', 'ranks', 'series'],
  service: ['sampler', 'scene', 'forms', 'rendering', 'behaviour', 'jobs', 'handlers'],
  view: ['files', 'progress', 'pages', 'results', 'routes', 'voting'],
  'view/pages': ['parts', 'lists', 'compare', 'client'],
};

/** What all submodules of a module share: types, names and grouping. They may name types of the submodules. */
const BENEATH: readonly string[] = [
  'commands/edge.ts',
  'report/reporter.ts',
  'score/scorer.ts',
  'compare/comparison.ts',
  ...['analysis', 'confidence', 'effective-sample', 'grouping', 'note', 'noted'].map((name) => `analysis/${name}.ts`),
];

/** What other modules may import of a module: files, and folders that end in /. */
const FACES: Readonly<Record<string, readonly string[]>> = {
  text: [
    'shell-words.ts',
    'text-width.ts',
    'time-left-words.ts',
    'visible.ts',
    'wall-clock.ts',
    'wording.ts',
    'workflow-commands.ts',
  ],
  access: ['host-check.ts', 'loopback.ts'],
  shape: ['declare.ts'],
  statistics: ['distributions/', 'ranks/', 'rates/', 'samples/', 'series/', 'multiple-tests.ts'],
  media: [
    'compare/',
    'video/',
    'decode-error.ts',
    'decode-fault.ts',
    'decode.ts',
    'header-size.ts',
    'image-findings.ts',
    'pixels.ts',
    'signals/signals.ts',
    'sniff.ts',
    'still/',
    'strip/strip-metadata.ts',
  ],
  suite: [
    'document/',
    'format/',
    'containment.ts',
    'declare/check.ts',
    'declare/declare-judges.ts',
    'declare/declare-stored.ts',
    'load.ts',
    'named-file.ts',
  ],
  targets: [
    'format/',
    'model/',
    'reply/',
    'request/',
    'secrets/',
    'transport/',
    'call/call-event.ts',
    'call/call.ts',
    'call/edge.ts',
    'resolve.ts',
    'resolve-endpoint.ts',
    'resolve-judge.ts',
  ],
  plan: [
    'probes/',
    'build-trial.ts',
    'estimate.ts',
    'expand.ts',
    'looks.ts',
    'open.ts',
    'plan.ts',
    'planned-looks.ts',
    'share.ts',
    'sweep.ts',
    'trial.ts',
  ],
  record: [
    'find/',
    'histories/',
    'model/',
    'outputs/',
    'baseline-file.ts',
    'files/own-files.ts',
    'merge/',
    'journal/follow-journal.ts',
    'lock.ts',
    'merge-record.ts',
    'read-record.ts',
    'spend/',
    'store.ts',
    'tally/run-tally.ts',
  ],
  prepare: ['declared-files.ts', 'load-target.ts', 'prepare-judges.ts', 'prepare-suite.ts', 'refuse-plan.ts'],
  run: ['limits/', 'resume/', 'wire/', 'calls/runner-event.ts', 'runner.ts'],
  examine: ['examine.ts', 'examiners.ts', 'pairs.ts'],
  score: [
    'command/',
    'judge/',
    'outputs/',
    'votes/',
    'from-file/read-values.ts',
    'score-run.ts',
    'scorer.ts',
    'scorers.ts',
  ],
  analysis: [
    'cells/',
    'measures/',
    'samples/',
    'scores/',
    'warning-codes/',
    'analyse.ts',
    'analysis.ts',
    'confidence.ts',
    'effective-sample.ts',
    'grouping.ts',
    'metrics.ts',
    'note.ts',
    'noted.ts',
    'probes/probe-finding.ts',
  ],
  calibrate: ['calibrate.ts', 'fitness.ts', 'floor.ts'],
  compare: [
    'baseline/',
    'gate/planning/',
    'history/',
    'pairs/',
    'analysis-document.ts',
    'assess.ts',
    'comparison.ts',
    'gate/alpha.ts',
    'gate/bounds.ts',
    'gate/rule-cases.ts',
    'gate/verdict.ts',
    'noise-floor.ts',
  ],
  fleet: ['beats.ts', 'channel.ts', 'coordinator.ts', 'engine.ts', 'keys.ts', 'messages.ts', 'roll.ts', 'worker.ts'],
  report: [
    'csv/',
    'html/client/',
    'html/markup/',
    'html/sections/',
    'html/style/',
    'statements/',
    'terminal/',
    'words/',
    'html/still/',
    'html/history-page.ts',
    'reporter.ts',
    'reporters.ts',
  ],
  commands: ['command-line.ts', 'edge.ts', 'setup/calibrate-machine.ts'],
  service: ['behaviour/parse-behaviour.ts', 'service.ts'],
  view: [
    'pages/parts/addresses.ts',
    'pages/parts/shown-ballot.ts',
    'results/reports.ts',
    'viewer.ts',
    'voting/voting-page.ts',
    'voting/voting-server.ts',
  ],
};

const MOST_FACES = 14;

/** They stand apart: reached over HTTP, they import only the named modules, and only the named importer starts them. */
const APART: Readonly<Record<string, { readonly importers: readonly string[]; readonly imports: readonly string[] }>> =
  {
    service: { importers: ['commands/tools/serve.ts'], imports: ['access'] },
    view: {
      importers: ['commands/records/view.ts', 'commands/records/vote.ts', 'commands/setup/vote/'],
      imports: ['text', 'access', 'statistics', 'media', 'suite', 'plan', 'record', 'analysis', 'compare', 'report'],
    },
  };

/** They check what was read, so they load the shapes with zod. Everything else imports the types of a shape alone. */
const READERS = [
  'record/read-record.ts',
  'record/journal/follow-journal.ts',
  'record/baseline-file.ts',
  'compare/published-schemas.ts',
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
    only: ['targets/transport/transport.ts', 'calibrate/loopback-server.ts', 'fleet/engine.ts', 'service/', 'view/'],
  },
  {
    what: 'tell the time',
    pattern: /\bDate\.now\(|\bnew Date\(\)|\bperformance\.|\bhrtime\b/,
    only: ['run/wire/clock.ts', 'service/', 'view/'],
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
      'commands/setup/endpoints.ts',
      // Of the machine: a browser, git.
      'commands/display/open-browser.ts',
      'commands/display/screenshot.ts',
      'commands/setup/describe-checkout.ts',
    ],
  },
  {
    what: 'touch files',
    pattern: /from 'node:fs(\/promises)?'/,
    only: [
      'main.ts',
      'suite/containment.ts',
      'suite/load.ts',
      'suite/named-file.ts',
      'prepare/declared-files.ts',
      'record/',
      // Files for a program of the user, in a folder that is gone afterwards.
      'examine/show-output.ts',
      'commands/',
      'service/',
      'view/',
    ],
  },
  { what: 'draw unseeded random numbers', pattern: /\bMath\.random\b/, only: [] },
];

/** Reports must be byte-identical over Node versions: nothing whose last digit or order an engine may choose. */
const UNSTABLE = /\bMath\.pow\b|\*\*|\bIntl\b|\.toLocale\w+\(|\.localeCompare\(/;
const STABLE_MODULES = ['text', 'statistics', 'analysis', 'report'];

/** Adapters of one interface never import each other; only the commands know the list. */
const ADAPTERS = [
  { list: 'analysis/metrics.ts', adapter: /^export const \w+: (readonly )?Metric\b/m },
  { list: 'report/reporters.ts', adapter: /^export const \w+: Reporter\b/m },
  { list: 'score/scorers.ts', adapter: /^export function \w+Scorer\(.*\): Scorer \{/m },
];

const MOST_LINES = 320;
const NAMELESS = /^(utils?|helpers?|common|types|constants|misc|shared)\.ts$/;

const source = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(source, join(entry.parentPath, entry.name)).split('\\').join('/'))
  .sort();
const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')]));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function importsOf(file: string): readonly string[] {
  const text = withoutComments(texts.get(file) ?? '');
  const named = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map((match) => match[1] ?? '');
  const started = [...text.matchAll(/new URL\('(\.{1,2}\/[^']+)', import\.meta\.url\)/g)].map(
    (match) => match[1] ?? '',
  );
  return [...named, ...started]
    .map((path) => posix.normalize(posix.join(posix.dirname(file), path.replace(/\.js$/, '.ts'))))
    .filter((path) => path.endsWith('.ts'));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function moduleOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] ?? file) : file.replace(/\.ts$/, '');
}

function layerOf(module: string): number {
  return LAYERS.findIndex((layer) => layer.includes(module));
}

function may(file: string, only: readonly string[]): boolean {
  return only.some((allowed) => (allowed.endsWith('/') ? file.startsWith(allowed) : file === allowed));
}

/** What a test must not do in a process that it shares with other tests. */
const WEIGHS_OR_CHANGES =
  /process\.(?:memoryUsage|cpuUsage|resourceUsage|chdir|umask)\b|process\.env(?:\.\w+|\[[^\]]+\]) = |delete process\.env|setFlagsFromString|stubEnv/;

describe('the architecture', () => {
  it('the architecture has a layer for every module', () => {
    const modules = [...new Set(files.map(moduleOf))];
    expect(modules.filter((module) => layerOf(module) < 0 && !(module in APART) && module !== 'index')).toEqual([]);
  });

  it('the architecture lets arrows run downwards only', () => {
    const broken = files.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter((imported) => {
          const [from, to] = [moduleOf(file), moduleOf(imported)];
          if (from === to || from === 'index') return false;
          if (to in APART) return APART[to]?.importers.some((path) => file.startsWith(path)) !== true;
          if (from in APART) return APART[from]?.imports.includes(to) !== true;
          return layerOf(to) >= layerOf(from);
        })
        .map((imported) => `${file} -> ${imported}`),
    );
    expect(broken).toEqual([]);
  });

  it.each(Object.entries(SUBMODULES))(
    'the architecture lets the submodules of %s import only those before them',
    (module, order) => {
      const rankOf = (file: string): number => {
        if (BENEATH.includes(file)) return 0;
        const [inner, ...deeper] = file.slice(module.length + 1).split('/');
        return deeper.length === 0 ? order.length + 1 : order.indexOf(inner ?? '') + 1;
      };
      const isOwn = (file: string): boolean => file.startsWith(`${module}/`);
      const own = files.filter(isOwn);
      expect(own.filter((file) => !BENEATH.includes(file) && rankOf(file) === 0)).toEqual([]);
      const broken = own.flatMap((file) =>
        (BENEATH.includes(file) ? [] : (imports.get(file) ?? []))
          .filter((imported) => isOwn(imported) && rankOf(imported) > rankOf(file))
          .map((imported) => `${file} -> ${imported}`),
      );
      expect(broken).toEqual([]);
    },
  );

  it('the architecture lets a module import only the faces of others', () => {
    const imported = [...imports].flatMap(([file, paths]) =>
      paths.filter((path) => moduleOf(path) !== moduleOf(file)).map((path) => ({ file, path })),
    );
    const isFace = (path: string): boolean => {
      const [module = '', ...inner] = path.split('/');
      return inner.length > 0 && may(inner.join('/'), FACES[module] ?? []);
    };
    expect(imported.filter(({ path }) => !isFace(path)).map(({ file, path }) => `${file} -> ${path}`)).toEqual([]);
    const unused = Object.entries(FACES).flatMap(([module, face]) =>
      face
        .map((entry) => `${module}/${entry}`)
        .filter(
          (entry) => !imported.some(({ path }) => path === entry || (entry.endsWith('/') && path.startsWith(entry))),
        ),
    );
    expect(unused).toEqual([]);
    expect(Object.entries(FACES).filter(([, face]) => face.length > MOST_FACES)).toEqual([]);
  });

  it('the architecture has no circle, type imports included', () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      if (path.includes(file) || done.has(file)) return;
      for (const imported of imports.get(file) ?? []) visit(imported, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });

  it('the architecture imports only files that exist', () => {
    const lost = files.flatMap((file) =>
      (imports.get(file) ?? []).filter((path) => !texts.has(path)).map((path) => `${file} -> ${path}`),
    );
    expect(lost).toEqual([]);
  });

  it('the architecture loads the schemas of a record only where one is read', () => {
    const isShape = (file: string): boolean => / from '[./]*shape\/declare\.ts'/.test(texts.get(file) ?? '');
    const shapes = files.filter(isShape);
    expect(shapes.length).toBeGreaterThan(30);
    const loading = files.filter((file) => !isShape(file) && !READERS.includes(file));
    const broken = loading.flatMap((file) =>
      [...withoutComments(texts.get(file) ?? '').matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gm)]
        .map(([, path = '']) => posix.normalize(posix.join(posix.dirname(file), path)))
        .filter((path) => shapes.includes(path))
        .map((path) => `${file} -> ${path}`),
    );
    expect(broken).toEqual([]);
  });

  it.each(RIGHTS)('the architecture lets only the named files $what', ({ pattern, only }) => {
    const offenders = files.filter((file) => !may(file, only) && pattern.test(withoutComments(texts.get(file) ?? '')));
    expect(offenders).toEqual([]);
  });

  it('the architecture computes and prints numbers the same on every Node version', () => {
    const offenders = files.filter(
      (file) => STABLE_MODULES.includes(moduleOf(file)) && UNSTABLE.test(withoutComments(texts.get(file) ?? '')),
    );
    expect(offenders).toEqual([]);
  });

  it.each(ADAPTERS)('the architecture keeps the adapters of $list apart', ({ list, adapter }) => {
    const each = files.filter((file) => file !== list && adapter.test(texts.get(file) ?? ''));
    expect(each.length).toBeGreaterThan(1);
    const between = each.flatMap((file) =>
      (imports.get(file) ?? []).filter((path) => each.includes(path)).map((path) => `${file} -> ${path}`),
    );
    expect(between).toEqual([]);
    const importers = files.filter((file) => (imports.get(file) ?? []).includes(list));
    expect(importers.filter((file) => !file.startsWith('commands/') && file !== 'index.ts')).toEqual([]);
    expect(each.filter((file) => !(imports.get(list) ?? []).includes(file))).toEqual([]);
  });

  it('the architecture keeps a file to one idea', () => {
    const long = files.filter((file) => (texts.get(file) ?? '').split('\n').length > MOST_LINES + 1);
    expect(long).toEqual([]);
  });

  it('the architecture declares no type name in two files', () => {
    const places = new Map<string, string[]>();
    for (const [file, text] of texts) {
      for (const [, name = ''] of text.matchAll(/^(?:export )?(?:interface|type|class) (\w+)/gm)) {
        places.set(name, [...(places.get(name) ?? []), file]);
      }
    }
    expect([...places].filter(([, declaring]) => declaring.length > 1)).toEqual([]);
  });

  it('the architecture names files for what they are', () => {
    expect(files.filter((file) => NAMELESS.test(posix.basename(file)))).toEqual([]);
  });

  it('the architecture keeps names of metrics out of the gate, which asks each metric what it declares', () => {
    const names = [...METRICS.map(({ name }) => name), ...STABILITY_METRICS.keys()];
    const families = names.flatMap((name) => (name.includes('.') ? [`${name.split('.')[0]}.`] : []));
    const gate = files.filter((file) => file.startsWith('compare/gate/'));
    const naming = gate.filter((file) => {
      const quoted = [...withoutComments(texts.get(file) ?? '').matchAll(/['"`]([^'"`\n]*)['"`]|\/\^([^/\n]*)\//g)].map(
        ([, text, pattern]) => text ?? (pattern ?? '').replaceAll('\\', ''),
      );
      return quoted.some((text) => names.includes(text) || families.some((family) => text.startsWith(family)));
    });
    expect(gate.length).toBeGreaterThan(20);
    expect(naming).toEqual([]);
  });

  it('the architecture has one barrel, the library face', () => {
    const barrels = files.filter((file) => {
      const text = withoutComments(texts.get(file) ?? '').trim();
      const statements = text.split(/;\s*\n|;$/).filter((statement) => statement.trim() !== '');
      return statements.length > 0 && statements.every((statement) => /^\s*export\s[^=]*from '/.test(statement));
    });
    expect(barrels.filter((file) => file !== 'index.ts')).toEqual([]);
  });

  it('the architecture makes folders for tests where they are removed', () => {
    const tests = fileURLToPath(new URL('.', import.meta.url));
    const makers = readdirSync(tests, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && /import \{[^}]*\bmkdtemp/.test(readFileSync(join(tests, path), 'utf8')))
      .map((path) => path.split('\\').join('/'));
    expect(makers.sort()).toEqual(['fixtures/ffmpeg.ts', 'fixtures/fresh-folder.ts', 'tools/bench/scratch.ts']);
  });

  it('the architecture gives a process of its own to each test that weighs or changes its process', () => {
    const tests = fileURLToPath(new URL('.', import.meta.url));
    const weighing = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.test.ts') && WEIGHS_OR_CHANGES.test(readFileSync(join(tests, path), 'utf8')),
    );
    const alone = new Set(ALONE);
    const shared = weighing.map((path) => `test/${path.split('\\').join('/')}`).filter((path) => !alone.has(path));
    expect(shared.filter((path) => path !== 'test/architecture.test.ts')).toEqual([]);
  });

  it('the architecture mirrors src in test', () => {
    const tests = fileURLToPath(new URL('.', import.meta.url));
    const folders = readdirSync(tests, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    const modules = new Set(files.map((file) => dirname(file).split('/')[0] ?? ''));
    const others = ['contracts', 'presets', 'fixtures', 'golden', 'end-to-end', 'tools'];
    expect(folders.filter((folder) => !modules.has(folder) && !others.includes(folder))).toEqual([]);
  });
});
