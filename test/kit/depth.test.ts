import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseDocument } from '../../src/kit/document.ts';
import { MOST_LEVELS } from '../../src/kit/json.ts';
import { json } from '../../src/kit/json-value.ts';
import { applyOverrides } from '../../src/kit/set.ts';
import { readBaseline, readJournal, readRun, readScores } from '../../src/record/read-record.ts';
import { readAnswer, readGreeting } from '../../src/score/command/protocol.ts';
import { readChoice } from '../../src/score/judge-items.ts';
import { parseBehaviour } from '../../src/service/parse-behaviour.ts';
import { parsePrompts } from '../../src/suite/prompt-files/prompt-file.ts';
import { readJsonText } from '../../src/targets/language/json-limits.ts';
import { readVote } from '../../src/view/voting/read-vote.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';

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
  ['the answer of a program', (text) => readAnswer(`{"id":"a","scores":{"v":${text}}}`, 'a', [SCORE], () => false)],
  ['the answer of a judge', (text) => readChoice(`{"better":${text}}`)],
  ['a vote', (text) => readVote(`{"ballot":${text},"choice":"left","voter":"a"}`)],
  ['a behaviour file', (text) => parseBehaviour(`behaviour: ${text}`, 'b.yaml')],
  ['run.json', (text) => readRun(fileOf('run.json', `{"format":1,"label":${text},"suite":{"declared":${text}}}`))],
  ['a journal', (text) => readJournal(fileOf('journal.jsonl', `{"event":"accepted","captured":{"a":${text}}}\n`))],
  ['scores', (text) => readScores(fileOf('scores.jsonl', `{"line":"value","values":${text}}\n`))],
  [
    'a stored baseline',
    (text) => readBaseline(join(fileOf('baseline.json', `{"format":1,"suite":{"declared":${text}}}`), 'baseline.json')),
  ],
])('%s that is deeper than any is no error of ours', async (_what, read) => {
  expect(JSON.stringify(await read(nested(TOO_DEEP)))).not.toContain('[[');
});
