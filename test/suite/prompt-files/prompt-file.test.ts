import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accepted, formatDiagnostic } from '../../../src/kit/diagnostic.ts';
import { apportion } from '../../../src/statistics/apportion.ts';
import { loadSuite } from '../../../src/suite/load-suite.ts';
import type { Case } from '../../../src/suite/suite.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { expectFaults, linesOf } from '../../fixtures/told-faults.ts';

const HEAD = 'suite: 1\nname: s\nvariants: { a: { target: p/e } }\nprompts:\n';

async function load(entry: string, files: Readonly<Record<string, string>>) {
  const cwd = freshFolder();
  for (const [name, content] of Object.entries({ 's.yaml': `${HEAD}  - ${entry}\n`, ...files })) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), content);
  }
  return loadSuite('s.yaml', { env: {}, overrides: [], cwd });
}

async function cases(entry: string, files: Readonly<Record<string, string>>): Promise<readonly Case[]> {
  return accepted(await load(entry, files)).cases;
}

/** The shape of PartiPrompts: four columns, no notation for quotes, categories of unlike size. */
function parti(sizes: Readonly<Record<string, number>>): string {
  const rows = Object.entries(sizes).flatMap(([category, size]) =>
    Array.from({ length: size }, (_, i) => `${category} number ${i}\t${category}\tBasic\t`),
  );
  return `Prompt\tCategory\tChallenge\tNote\n${rows.join('\n')}\n`;
}

describe('a published prompt set', () => {
  test('tab-separated values keep quotes as characters, and map names the columns', async () => {
    const text = 'Prompt\tCategory\tChallenge\tNote\n"Hello" on a sign\tSigns\tBasic\tx; y\nbond\tAbstract\tBasic\t\n';
    const [sign, bond, ...rest] = await cases('{ from: p.tsv, map: { text: Prompt, tags: [Category, Challenge] } }', {
      'p.tsv': text,
    });
    expect(rest).toEqual([]);
    expect(sign).toMatchObject({
      text: '"Hello" on a sign',
      tags: ['Signs', 'Basic'],
      inputs: {},
      place: { line: 2, column: 1 },
    });
    expect(bond).toMatchObject({ id: 'bond', text: 'bond', tags: ['Abstract', 'Basic'] });
  });

  test('tab-separated values lose quotes around a whole cell, as spreadsheets and pandas write them', async () => {
    const text = 'id\ttext\nsign\t"a sign that says ""no"", "\ntab\t"a\tb\r\nc"\nopen\t"a fox\nempty\t"x"" y\n';
    const read = await cases('{ from: p.tsv }', { 'p.tsv': text });
    expect(read.map((prompt) => prompt.text)).toEqual(['a sign that says "no", ', 'a\tb\r\nc', '"a fox', '"x"" y']);
  });

  test('lines of JSON keep what a scorer looks for in expect, and send nothing of it', async () => {
    const lines = [
      '{"tag": "two_object", "include": [{"class": "bench", "count": 1}], "prompt": "a photo of a bench"}',
      '{"tag": "colors", "include": [{"class": "cat", "color": "red"}], "prompt": "a photo of a red cat"}',
    ];
    const entry = '{ from: meta.jsonl, map: { text: prompt, tags: tag, thing: /include/0/class }, expect: [include] }';
    expect(await cases(entry, { 'meta.jsonl': lines.join('\n') })).toMatchObject([
      {
        tags: ['two_object'],
        inputs: { thing: 'bench' },
        expect: { row: 1, values: { include: [{ class: 'bench', count: 1 }] } },
      },
      {
        tags: ['colors'],
        inputs: { thing: 'cat' },
        expect: { row: 2, values: { include: [{ class: 'cat', color: 'red' }] } },
      },
    ]);
    const [all] = await cases('{ from: meta.jsonl, map: { text: prompt }, expect: "*" }', {
      'meta.jsonl': lines.join('\n'),
    });
    expect(Object.keys(all?.expect?.values ?? {})).toEqual(['tag', 'include', 'prompt']);
  });

  test('a JSON array gives objects with lists of tags, and kinds for all rows', async () => {
    const array =
      '[\n  {"prompt_en": "a person swimming", "dimension": ["a b", "c"]},\n  {"prompt_en": "a [cat], \\"x\\"", "dimension": "d"}\n]';
    const entry = '{ from: vbench.json, map: { text: prompt_en, tags: dimension }, kinds: [text-to-video] }';
    expect(await cases(entry, { 'vbench.json': array })).toMatchObject([
      { text: 'a person swimming', tags: ['a b', 'c'], kinds: ['text-to-video'], place: { line: 2, column: 3 } },
      { text: 'a [cat], "x"', tags: ['d'], kinds: ['text-to-video'], place: { line: 3, column: 3 } },
    ]);
  });

  test('a JSON array of texts is prompts, and ndjson is lines of JSON', async () => {
    const files = { 'p.json': '["a fox", "a cat"]', 'p.ndjson': '{"text": "a dog"}\n' };
    expect((await cases('{ from: p.json }', files)).map(({ text }) => text)).toEqual(['a fox', 'a cat']);
    expect((await cases('{ from: p.ndjson }', files)).map(({ text }) => text)).toEqual(['a dog']);
  });

  test('a map leaves other columns out of the inputs', async () => {
    const csv = 'Prompts,Category,seconds\nA red cube,Colors,4\n';
    const files = { 'p.csv': csv };
    expect((await cases('{ from: p.csv, map: { text: Prompts } }', files))[0]?.inputs).toEqual({});
    expect((await cases('{ from: p.csv, map: { text: Prompts, s: seconds } }', files))[0]?.inputs).toEqual({ s: 4 });
  });
});

describe('a folder of prompts', () => {
  const FILES = {
    'dpg/b10.txt': '\uFEFFA red fox.\nIt sleeps.\n\n',
    'dpg/b2.txt': ' A cat\r\n',
    'dpg/Z.txt': 'A boat',
    'dpg/.hidden.txt': 'not this one',
    'dpg/README.md': 'nor this one',
    'dpg/deep/c.txt': 'nor this one',
  };

  test('each file is a prompt, in the order of the bytes of their names, which are the ids', async () => {
    const found = await cases('{ from: dpg/*.txt, kinds: [text-to-image] }', FILES);
    expect(found.map(({ id, text }) => [id, text])).toEqual([
      ['Z', 'A boat'],
      ['b10', 'A red fox.\nIt sleeps.'],
      ['b2', ' A cat'],
    ]);
    expect(found).toMatchObject([{ kinds: ['text-to-image'], place: { file: 'dpg/Z.txt', line: 1 } }, {}, {}]);
    const begin = await cases('{ from: ./dpg/b*0.txt, sample: 1 }', FILES);
    expect(begin.map(({ id }) => id)).toEqual(['b10']);
  });

  test.each([
    ['dpg/x*.txt', {}, 's.yaml:5:13: cannot read dpg/x*.txt: no file has such a name; correct the folder or the name'],
    ['dpg/b3.txt', {}, 's.yaml:5:13: cannot read dpg/b3.txt: there is no such file; did you mean "b2.txt"?'],
    ['p.csv', { 'p.csv': 'id,promt\na,A\n' }, 'p.csv:1:1: no column "text"; say which it is: map: { text: "promt" }'],
    ['none/*.txt', {}, 's.yaml:5:13: cannot read none/*.txt: there is no such file; correct the path'],
    ['"*/b2.txt"', {}, 's.yaml:5:13: "from" can have one "*", in the name of .txt files; write folder/*.txt'],
    ['dpg/**.txt', {}, 's.yaml:5:13: "from" can have one "*", in the name of .txt files; write folder/*.txt'],
    ['dpg/*.csv', {}, 's.yaml:5:13: "from" can have one "*", in the name of .txt files; write folder/*.txt'],
    ['dpg/*.txt', { 'dpg/no.txt': '\n' }, 'dpg/no.txt:1:1: the text is empty; write a prompt'],
    [
      'dpg/*.txt',
      { 'dpg/a b.txt': 'A' },
      'dpg/a b.txt:1:1: the id "a b" is not a valid label; rename the file: write letters (a-z, A-Z), digits, ".", "_" and "-", at most 100',
    ],
    ['../*.txt', {}, 's.yaml:5:13: cannot read {above}/*.txt: it is outside the folder of the suite'],
  ])('%s with %j is refused', async (from, more, sentence) => {
    expect(linesOf(await load(`{ from: ${from} }`, { ...FILES, ...more }))).toEqual([
      expect.stringContaining(sentence.replace('{above}', tmpdir())),
    ]);
  });

  test('a link in the folder to a file outside is refused', async () => {
    const cwd = freshFolder();
    const outside = join(freshFolder(), 'secret.txt');
    await writeFile(outside, 'a secret');
    await mkdir(join(cwd, 'dpg'));
    await symlink(outside, join(cwd, 'dpg', 'a.txt'));
    await writeFile(join(cwd, 's.yaml'), `${HEAD}  - { from: dpg/*.txt }\n`);
    const refused = await loadSuite('s.yaml', { env: {}, overrides: [], cwd });
    expect(refused).toMatchObject({ ok: false, diagnostics: [{ cause: expect.stringContaining('a link leads out') }] });
    const allowed = await loadSuite('s.yaml', { env: {}, overrides: [], cwd, allowOutside: true });
    expect(allowed).toMatchObject({ ok: true, value: { cases: [{ id: 'a', text: 'a secret' }] } });
  });
});

describe('a sample', () => {
  const SIZES = { animals: 120, people: 70, arts: 31, vehicles: 9, world: 2 };
  const files = { 'p.tsv': parti(SIZES) };
  const entry = (sample: number, more = '') =>
    `{ from: p.tsv, map: { text: Prompt, tags: Category }, sample: ${sample}, by: tags${more} }`;
  const idsOf = async (sample: number, more?: string) => (await cases(entry(sample, more), files)).map(({ id }) => id);

  test('each sample is part of a larger one of the same draw, in the order of the file', async () => {
    const sizes = [12, 60, 61, 100, 200];
    const samples = await Promise.all(sizes.map((size) => idsOf(size)));
    expect(samples.map((ids) => ids.length)).toEqual(sizes);
    for (const [index, ids] of samples.slice(1).entries())
      expect(ids).toEqual(expect.arrayContaining([...(samples[index] ?? [])]));
    const inFile = (await cases('{ from: p.tsv, map: { text: Prompt } }', files)).map(({ id }) => id);
    expect(samples[3]).toEqual(inFile.filter((id) => samples[3]?.includes(id)));
    expect(await idsOf(60, ', draw: 2')).not.toEqual(samples[1]);
  });

  test('a larger sample of texts that begin alike keeps the ids of a smaller one', async () => {
    const alike = Array.from({ length: 60 }, (_, i) => `A photograph of ${'the same long hall '.repeat(4)}, ${i}`);
    const idsByText = async (sample: number) => {
      const drawn = await cases(`{ from: p.txt, sample: ${sample} }`, { 'p.txt': alike.join('\n') });
      return drawn.map(({ text, id }) => [text, id] as const);
    };
    const all = new Map(await idsByText(alike.length));
    expect(new Set(all.values()).size).toBe(alike.length);
    for (const size of [6, 7, 30]) for (const [text, id] of await idsByText(size)) expect(all.get(text)).toBe(id);
  });

  test('a sample is the same on every version of Node', async () => {
    expect(await idsOf(6)).toMatchInlineSnapshot(`
      [
        "animals-number-30",
        "animals-number-49",
        "animals-number-86",
        "people-number-19",
        "people-number-20",
        "arts-number-24",
      ]
    `);
  });

  test('a sample has of each value as many as its share says, within one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 12 }),
        fc.nat(),
        (sizes, draw) => {
          const total = sizes.reduce((sum, size) => sum + size, 0);
          const seats = 1 + (draw % total);
          const given = apportion(sizes, seats);
          expect(given.reduce((sum, each) => sum + each, 0)).toBe(seats);
          for (const [i, size] of sizes.entries()) expect(given[i]).toBeLessThanOrEqual(size);
          // A seat more takes none away.
          const next = seats < total ? apportion(sizes, seats + 1) : given;
          for (const [i, each] of given.entries()) expect(next[i]).toBeGreaterThanOrEqual(each);
        },
      ),
    );
    const shares = apportion([53, 24, 23], 7);
    expect(shares).toEqual([3, 2, 2]);
  });

  test('a value without a row in the sample is named', async () => {
    const loaded = await load(entry(12), files);
    expect(loaded.ok && loaded.warnings?.map(formatDiagnostic)).toEqual([
      's.yaml:5:67: the sample has no row of vehicles, world; ask for more',
    ]);
  });
});

const linesOfEntry = async (entry: string, name: string, content: string) =>
  linesOf(await load(entry, { [name]: content }));

test('a prompt file, or its entry in a suite, is refused with place, cause and remedy', async () => {
  await expectFaults('prompt-entries', (entry, file) => {
    const [name = '', ...content] = file.split('\n');
    return linesOfEntry(entry, name, content.join('\n'));
  });
  await expectFaults('prompt-contents', (content, entry) => {
    return linesOfEntry(entry, /from: ([^, ]*)/.exec(entry)?.[1] ?? '', content);
  });
});
