import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accepted } from '../../src/kit/diagnostic.ts';
import { parseDocument } from '../../src/kit/document.ts';
import { MOST_LEVELS } from '../../src/kit/json.ts';
import { json } from '../../src/kit/json-value.ts';
import { applyOverrides } from '../../src/kit/set.ts';
import { readBaseline, readLines, readRun } from '../../src/record/read-record.ts';
import { readAnswer, readGreeting } from '../../src/score/command/protocol.ts';
import { readChoice } from '../../src/score/judge-items.ts';
import { parseBehaviour } from '../../src/service/parse-behaviour.ts';
import { parsePrompts } from '../../src/suite/prompt-files/prompt-file.ts';
import { readJsonText } from '../../src/targets/language/json-limits.ts';
import { readVote } from '../../src/view/voting-server.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { expectFaults, linesOf } from '../fixtures/told-faults.ts';

const read = (text: string) => accepted(parseDocument('a.yaml', text));
const faults = (text: string) => linesOf(parseDocument('a.yaml', text));

describe('a document', () => {
  test('a document gives plain values in the order written, from YAML and from JSON with tabs', () => {
    expect(read('a: 1\nb: [x, yes, ~, "1"]\nc: { d: 1.5 }\n').value).toEqual({
      a: 1,
      b: ['x', 'yes', null, '1'],
      c: { d: 1.5 },
    });
    expect(Object.keys(read('z: 1\na: 2\n').value as object)).toEqual(['z', 'a']);
    expect(read('{\n\t"a": [\n\t\t1\n\t]\n}').value).toEqual({ a: [1] });
    expect(read('').value).toBeNull();
  });

  test('a document knows where keys and values stand, after a byte order mark and with carriage returns too', () => {
    const document = read('\uFEFFname: x\r\nload:\r\n  concurrency: 4\r\nseeds: [1, 22, 3]\r\n');
    expect(document.placeOf(['load', 'concurrency'])).toEqual({ file: 'a.yaml', line: 3, column: 16 });
    expect(document.placeOf(['load', 'concurrency'], 'key')).toEqual({ file: 'a.yaml', line: 3, column: 3 });
    expect(document.placeOf(['seeds', 2])).toEqual({ file: 'a.yaml', line: 4, column: 16 });
  });

  test('a document places what is not there at what would hold it', () => {
    const document = read('load:\n  order: paired\n');
    expect(document.placeOf(['load', 'warmup'])).toEqual({ file: 'a.yaml', line: 1, column: 1 });
    expect(document.placeOf(['variants'])).toEqual({ file: 'a.yaml', line: 1, column: 1 });
  });

  test('a document unfolds aliases, and places their values at the anchor', () => {
    const document = read('base: &base { model: fast }\nother: *base\n');
    expect(document.value).toEqual({ base: { model: 'fast' }, other: { model: 'fast' } });
    expect(document.placeOf(['other', 'model'])).toEqual({ file: 'a.yaml', line: 1, column: 22 });
  });

  test('a document that is wrong is refused with place, cause and remedy', async () => {
    await expectFaults('documents', faults);
  });

  test('a document refuses nesting and aliases that would exhaust the process', () => {
    expect(faults('['.repeat(20_000))).toEqual(['a.yaml:1:202: nested deeper than 200 levels; use fewer levels']);
    expect(faults(`${'- '.repeat(10_000)}x`)).toHaveLength(1);
    const chain = Array.from({ length: 210 }, (_, level) => `a${level + 1}: &a${level + 1} [*a${level}]`);
    expect(faults(['a0: &a0 [x]', ...chain].join('\n'))[0]).toMatch(
      /nested deeper than 200 levels with aliases unfolded; use fewer levels$/,
    );
    const doubling = Array.from({ length: 40 }, (_, level) => `a${level + 1}: &a${level + 1} [*a${level}, *a${level}]`);
    expect(faults(['a0: &a0 [x]', ...doubling].join('\n'))).toEqual([
      expect.stringContaining(
        'more than 200000 values with aliases unfolded; write fewer, or move them to other files',
      ),
    ]);
  });

  test('a document reads back any JSON value, and never throws on any text', () => {
    const key = fc.string().filter((text) => text !== '__proto__');
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { depthSize: 'small' },
        fc.constant(null),
        fc.boolean(),
        fc.maxSafeInteger(),
        fc.string(),
        fc.array(tie('json'), { maxLength: 4 }),
        fc.dictionary(key, tie('json'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(json, (value) => {
        expect(read(JSON.stringify(value)).value).toEqual(value);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]:-,&*!?|>\'"%#ab1 \n\t') }), (text) => void faults(text)),
    );
  });
});

/* JSON and YAML of users, programs and servers in which lists lie inside lists: one limit for all that read it. */

/** Deeper than recursion goes: what forgets the limit throws. */
const TOO_DEEP = 20_000;

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

function fileOf(name: string, text: string): string {
  const folder = freshFolder();
  writeFileSync(join(folder, name), text);
  return folder;
}

function document(text: string, ...overrides: readonly string[]): unknown {
  const read = parseDocument('s.yaml', text);
  const made = read.ok ? applyOverrides(read.value, overrides) : read;
  return made.ok ? made.value.value : made.diagnostics[0]?.cause;
}

function row(file: string, text: string): unknown {
  const place = { file, line: 1, column: 1 };
  const entry = { from: file, expect: '*' as const };
  const read = parsePrompts([{ file, text }], entry, (_, cause, remedy) => ({ place, cause, remedy }));
  return read.ok ? read.value[0]?.inputs : read.diagnostics[0]?.cause;
}

function reply(text: string): unknown {
  const { value, refused } = readJsonText(text);
  return value ?? refused;
}

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}

/** What takes any value: it gives the value that is kept, or why there is none. */
const KEEPERS: readonly [string, (text: string, levels: number) => unknown][] = [
  ['a YAML document', (text) => document(`a: ${text}`)],
  ['a value of --set', (text) => document('{}', `a=${text}`)],
  ['a key of --set', (_text, levels) => document('{}', `${'a.'.repeat(levels)}a=1`)],
  ['a row of JSON lines', (text) => row('p.jsonl', `{"text":"a","deep":${text}}`)],
  ['a row of a JSON array', (text) => row('p.json', `[{"text":"a","deep":${text}}]`)],
  ['a reply', (text) => reply(`{"a":${text}}`)],
];

test.each(KEEPERS)('%s is read to the limit of levels, and then fits a record', async (_what, read) => {
  const levels = MOST_LEVELS - 2;
  const kept = await read(nested(levels), levels);
  expect(levelsOf(kept)).toBe(MOST_LEVELS - 1);
  expect(json.safeParse(kept).success).toBe(true);
});

test.each(KEEPERS)('%s that is deeper than any is refused', async (_what, read) => {
  expect(await read(nested(TOO_DEEP), TOO_DEEP)).toContain('nested deeper than 200');
});

const SCORE = { value: 'v', better: null, range: null, unit: 'score', meaning: null } as const;

/** What wants another value there. */
test.each<[string, (text: string) => unknown]>([
  ['the first line of a program', (text) => readGreeting(`{"retake":1,"version":${text}}`)],
  ['the answer of a program', (text) => readAnswer(`{"id":"a","scores":{"v":${text}}}`, 'a', [SCORE])],
  ['the answer of a judge', (text) => readChoice(`{"better":${text}}`)],
  ['a vote', (text) => readVote(`{"ballot":${text},"choice":"left","voter":"a"}`)],
  ['a behaviour file', (text) => parseBehaviour(`behaviour: ${text}`, 'b.yaml')],
  ['run.json', (text) => readRun(fileOf('run.json', `{"format":1,"label":${text},"suite":{"declared":${text}}}`))],
  [
    'a journal',
    (text) => readLines(fileOf('journal.jsonl', `{"event":"accepted","captured":{"a":${text}}}\n`), 'journal.jsonl'),
  ],
  ['scores', (text) => readLines(fileOf('scores.jsonl', `{"line":"value","values":${text}}\n`), 'scores.jsonl')],
  [
    'a stored baseline',
    (text) => readBaseline(join(fileOf('baseline.json', `{"format":1,"suite":{"declared":${text}}}`), 'baseline.json')),
  ],
])('%s that is deeper than any is no error of ours', async (_what, read) => {
  expect(JSON.stringify(await read(nested(TOO_DEEP)))).not.toContain('[[');
});
