import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/*
 * What is recorded holds codes: no type and no comparison rests on a sentence. src/README.md explains the layers.
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
  'src/targets/wire.ts': 'the HTTP client tells some of its errors apart by their message alone',
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

/**
 * Modules of data: plans, records, what examination finds, what analysis makes of it. What media says of bytes is a
 * decoder's own text.
 */
const DATA = ['src/plan/', 'src/record/', 'src/examine/', 'src/analysis/'];

/**
 * Analysis is made again for each report. What it finds has its words beside its code: warnings, notes, probes and
 * metrics.
 */
const WORDED = ['incomplete.ts', 'metrics/', 'note.ts', 'probe', 'warnings/'].map((path) => `src/analysis/${path}`);

/** Files of these layers that speak to whoever names a folder, as diagnostics: nothing of it is kept. */
const SPEAKING: Readonly<Record<string, string>> = {
  'src/record/find-run.ts': 'there is no run in the folder that was named',
  'src/record/hand-over.ts': 'a record of another machine cannot be copied',
  'src/record/store.ts': 'another process holds the record',
  'src/record/merge-record.ts': 'records are not shards of one run, or overlap; the run is there already',
  'src/record/shard-identity.ts': 'how shards of one run, or workers, differ',
  'src/record/read-record.ts': 'a file of the record or a stored baseline is missing or damaged',
  'src/record/own-files.ts': 'a file of a record is not a regular file',
  'src/record/own-names.ts': 'a record that is to be replaced has files of the user',
  'src/record/files/read-lines.ts': 'a line or a field of a record is wrong',
  'src/kit/json-value.ts': 'what a field must be',
};

/** Without what schemas say of their fields: documentation for readers, as a comment is. */
function withoutDescriptions(text: string): string {
  const literal = /(?:'(?:[^'\\\n]|\\.)*'|"[^"\n]*")/.source;
  return text.replace(
    new RegExp(
      `(?:\\.describe\\(|description:|\\bpart\\(|\\b(?:shape|choice)\\(\\s*'\\w+',)\\s*${literal}(?:\\s*\\+\\s*${literal})*`,
      'g',
    ),
    '',
  );
}

describe('sentences', () => {
  test('plans, records and examination hold no sentence, nor does analysis but beside its codes', () => {
    const found = sources
      .filter(
        ({ file }) =>
          DATA.some((folder) => file.startsWith(folder)) &&
          !(file in SPEAKING) &&
          !WORDED.some((path) => file.startsWith(path)),
      )
      .flatMap(({ file, text }) =>
        withoutDescriptions(withoutComments(text))
          .split('\n')
          .filter((line) => !/new \w*Error\(|from '/.test(line))
          .flatMap((line) => [...line.matchAll(SENTENCE)].map(([sentence]) => `${file}: ${sentence}`)),
      );
    expect(found).toEqual([]);
  });
});

const tests = sourcesIn('test', '.ts').filter(({ file }) => !file.startsWith('test/golden/'));

/**
 * A verb in the third person, or a word that goes on with another sentence: the name of a test begins with its subject.
 */
const NO_SUBJECT =
  /^(?:accepts?|accuses|adds|agrees?|allows|answers|appears?|applies|are|asks|at|be|becomes?|begins?|believes|blames|bounds|brings|builds|calls|can|cannot|carries|changes|checks|chooses|comes?|compares|contains|could|counts|covers|decides|declares|decodes|derives|differs|do|does|draws|drops|ends|equals|escapes|examines|explains|fails|falls|fills|finds|fits|follows|for|from|gets|gives?|goes|had|has|have|hides|holds?|ignores|imports|in|is|it|its|joins|keeps?|kills|knows?|leaves|lets|lies|lists|loses|makes?|marks|matches|may|measures|mirrors|must|needs|never|not|of|offers|on|opens|orders|overwrites|passes|picks|places|plays|prices|prints|puts|ranks|reads|redacts|refuses|rejects|repeats|reports|resolves|returns|reaches|rises|rounds|runs|says?|sees|sends|serves|sets|shares|shows|shuffles|skips|sorts|speaks?|splits|spreads?|starts|stays|stops|stores|suspects|takes?|tells|that|throws|to|treats|turns|twice|uses|waits|warns|was|when|where|whose|with|without|works|wraps|writes|yields) /;

/** The text of every `it` and `test`, also behind a table of cases. */
function testNames(text: string): readonly string[] {
  const quoted = String.raw`(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|\x60((?:[^\x60\\]|\\.)*)\x60)`;
  const direct = new RegExp(String.raw`^[ \t]*(?:it|test)(?:\.\w+)*(?:\([^'"\x60\n]*\))?\(\s*${quoted},`, 'gm');
  const tabled = new RegExp(String.raw`^[ \t]*\](?: as const)?\)\(\s*${quoted},`, 'gm');
  return [...text.matchAll(direct), ...text.matchAll(tabled)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}

describe('names of tests', () => {
  test('every name begins with its subject, so that it can be read alone in a list of failures', () => {
    const named = tests.flatMap(({ file, text }) => testNames(text).map((name) => ({ file, name })));
    expect(named.length).toBeGreaterThan(1200);
    expect(named.filter(({ name }) => NO_SUBJECT.test(name)).map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
    expect(named.filter(({ name }) => /^%[sdijoO#]$/.test(name)).map(({ file }) => file)).toEqual([]);
  });
});
