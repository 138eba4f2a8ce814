import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/*
 * Data holds codes, reports hold words: no type and no comparison rests on a sentence, and words that were replaced stay
 * away. src/README.md explains the layers.
 */

const root = fileURLToPath(new URL('..', import.meta.url));

interface Source {
  readonly file: string;
  readonly text: string;
}

function sourcesIn(folder: string, ending: string): readonly Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ file: relative(root, path).split('\\').join('/'), text: readFileSync(path, 'utf8') }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

const sources = sourcesIn('src', '.ts');

/** Two words with a blank between them, in quotes. */
const PHRASE = String.raw`(?:'[^'\n]*\w \w[^'\n]*'|\`[^\`\n]*\w \w[^\`\n]*\`)`;

/** Where a phrase decides something: compared with, looked for, or a member of a union of literals. */
const DECIDING: readonly { readonly how: string; readonly pattern: RegExp }[] = [
  { how: 'compared', pattern: new RegExp(String.raw`(?:[!=]==|\bcase)\s*${PHRASE}`, 'g') },
  {
    how: 'looked for',
    pattern: new RegExp(String.raw`\.(?:includes|startsWith|endsWith|indexOf|has|get)\(\s*${PHRASE}`, 'g'),
  },
  { how: 'a type', pattern: new RegExp(String.raw`(?<!\|)\|\s*${PHRASE}|${PHRASE}\s*\|(?!\|)`, 'g') },
  { how: 'a key', pattern: new RegExp(String.raw`(?:^|[{,])\s*${PHRASE}\s*:`, 'gm') },
];

/** Files that look into texts that others wrote. */
const OTHERS_TEXTS: Readonly<Record<string, string>> = {
  'src/targets/transport/wire.ts': 'the HTTP client tells some of its errors apart by their message alone',
};

function phrasesIn({ text }: Source): readonly string[] {
  const code = withoutComments(text);
  return DECIDING.flatMap(({ how, pattern }) =>
    [...code.matchAll(pattern)].map(([found]) => `${how}: ${found.trim()}`),
  );
}

describe('codes', () => {
  test('no comparison, no type and no key of the sources is a phrase', () => {
    const checked = sources.filter(({ file }) => !(file in OTHERS_TEXTS));
    expect(checked.length).toBeGreaterThan(200);
    expect(checked.flatMap((source) => phrasesIn(source).map((found) => `${source.file}: ${found}`))).toEqual([]);
  });

  test('every file that looks into texts of others does so', () => {
    const looking = sources.filter((source) => phrasesIn(source).length > 0).map(({ file }) => file);
    expect(Object.keys(OTHERS_TEXTS).filter((file) => !looking.includes(file))).toEqual([]);
  });
});

/** Sentences in quotes: three words or more with blanks between them, whatever is filled in. */
const SENTENCE = /'(?=[^'\n]*[A-Za-z]+ [A-Za-z]+ [A-Za-z]+)[^'\n]*'|`(?=[^`\n]*[A-Za-z]+ [A-Za-z]+ [A-Za-z]+)[^`\n]*`/g;

/** Layers of data: plans, records, what examination finds, what analysis makes of it. */
const DATA = ['src/plan/', 'src/record/', 'src/examine/', 'src/media/', 'src/analysis/'];

/** The meaning of a metric is written beside it, for the page and the README. */
const MEANINGS = 'src/analysis/metrics/';

/** Files of these layers that speak to whoever names a folder, as diagnostics: nothing of it is kept. */
const SPEAKING: Readonly<Record<string, string>> = {
  'src/record/find-run.ts': 'there is no run in the folder that was named',
  'src/record/lock.ts': 'another process holds the record',
  'src/record/merge/check-shards.ts': 'records are not shards of one run',
  'src/record/merge-record.ts': 'the run is there already, or shards overlap',
  'src/record/read-record.ts': 'a file of the record is missing or damaged',
  'src/record/read-lines.ts': 'a line of a record is damaged',
  'src/record/schemas/shape.ts': 'a field of a record is wrong',
  'src/record/schemas/field-schemas.ts': 'what a field must be',
  'src/record/schemas/json-schema.ts': 'the titles of the published schemas',
  'src/analysis/analysis-schema.ts': 'the title of its published schema',
};

describe('sentences', () => {
  test('plans, records, examination and analysis hold none, but diagnostics and errors that are thrown', () => {
    const found = sources
      .filter(
        ({ file }) =>
          DATA.some((folder) => file.startsWith(folder)) && !(file in SPEAKING) && !file.startsWith(MEANINGS),
      )
      .flatMap(({ file, text }) =>
        withoutComments(text)
          .split('\n')
          .filter((line) => !/new \w*Error\(|from '|\.describe\(/.test(line))
          .flatMap((line) => [...line.matchAll(SENTENCE)].map(([sentence]) => `${file}: ${sentence}`)),
      );
    expect(found).toEqual([]);
  });
});

/** Wordings that were replaced, each with what is said instead. */
const REPLACED: Readonly<Record<string, string>> = {
  company: 'concurrency, concurrent',
  'departs in at most': 'at most 11.8 % of further takes would differ',
  'installing aside': 'excluding install',
  'tells latencies apart': 'noise floor of this machine',
  'of a sweep every number': 'a sweep reports every number per concurrency',
  'again to break them off': 'press Ctrl-C again to abort them',
  'is not asked: no variant': 'prompt x is unused: no variant has one of its kinds',
  'take fewer prompts': 'use fewer prompts',
  'mend what the flags': 'fix what was flagged',
  befell: 'occur more often in long calls',
  'given up: no request': 'Abandoned requests: none',
  'every request and mark shown': 'make one call; show every request and timestamp',
  'a whole one is described': 'filter by name; an exact name shows its details',
  'faults and habits': 'faults to inject',
  'leave the machine to the run': 'run nothing else on this machine',
  'send less at once': 'lower the load',
  'make the report again': 'run retake report again',
  'number in flight': 'concurrency',
};

describe('wordings', () => {
  test('none that was replaced is in the sources, the suites, the presets or a README', () => {
    const readers = ['README.md', 'results/README.md', 'suites/README.md'].map((file) => ({
      file,
      text: readFileSync(join(root, file), 'utf8'),
    }));
    const all = [...sources, ...sourcesIn('src', '.md'), ...sourcesIn('suites', '.yaml'), ...readers];
    const found = all.flatMap(({ file, text }) =>
      Object.keys(REPLACED)
        .filter((words) => new RegExp(String.raw`\b${words}\b`, 'i').test(text))
        .map((words) => `${file}: "${words}", say "${REPLACED[words]}"`),
    );
    expect(found).toEqual([]);
  });
});
