import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accepted } from '../../src/kit/diagnostic.ts';
import type { Fact } from '../../src/record/fact.ts';
import type { JournalEvent } from '../../src/record/journal.ts';
import type { HistoryLine } from '../../src/record/kept-run.ts';
import { appendLines, type LineOf, type LinesName } from '../../src/record/line-files.ts';
import { readHistory, readLines } from '../../src/record/read-record.ts';
import type { VoteLine } from '../../src/record/score.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { nightLine } from '../fixtures/history-lines.ts';
import { arbitraryScores } from '../fixtures/scored-run.ts';
import { buildTrial, digestOf } from '../fixtures/stored-run-builder.ts';
import { draws } from '../test-options.ts';

const text = fc.string({ unit: 'binary', maxLength: 40 });
const segment = fc.integer({ min: 1, max: 9 });
const ms = fc.double({ noNaN: true, min: 0, max: 1e15 }).map((value) => Math.abs(value));
const trial = fc.record({ id: text, variant: text, prompt: text, seed: fc.nat(), block: text });
const event: fc.Arbitrary<JournalEvent> = fc.oneof(
  fc.record({
    event: fc.constant('intent' as const),
    segment,
    slice: fc.nat(),
    trial: trial.map((drawn) => ({ ...buildTrial(), ...drawn })),
    atMs: ms,
  }),
  fc.record({
    event: fc.constant('attempt' as const),
    segment,
    trial: text,
    attempt: segment,
    httpStatus: fc.nat(),
    waitMs: fc.nat(),
    atMs: ms,
  }),
);
const sha256 = text.map(digestOf);
const fact: fc.Arbitrary<Fact> = fc.record({
  fact: fc.constant('outside' as const),
  input: sha256,
  mask: sha256,
  output: sha256,
  levels: fc.oneof(ms, fc.constant(null)),
});
const randomId = sha256.map((digest) => digest.slice(0, 32));
const vote: fc.Arbitrary<VoteLine> = fc.record({
  line: fc.constant('vote' as const),
  ballot: randomId,
  choice: fc.constantFrom('left', 'right', 'neither', 'skip'),
  voter: randomId,
});
const historyLine: fc.Arbitrary<HistoryLine> = fc
  .nat(1000)
  .map((night) => nightLine(night, { a: { cellsMs: [night + 1] } }));

const KINDS: { readonly [Name in LinesName]: fc.Arbitrary<readonly LineOf[Name][]> } = {
  'journal.jsonl': fc.array(event, { maxLength: 8 }),
  'facts.jsonl': fc.array(fact, { maxLength: 8 }),
  'scores.jsonl': arbitraryScores(),
  'votes.jsonl': fc.array(vote, { maxLength: 8 }),
  'history.jsonl': fc.array(historyLine, { maxLength: 8 }),
};

describe.each(Object.keys(KINDS) as LinesName[])('%s', <Name extends LinesName>(name: Name) => {
  const valuesIn = async (folder: string) => {
    return accepted(await readLines(folder, name));
  };
  const torn = `${name}: the last line is torn and was dropped; its process was killed`;

  it(`${name} reads back what was written; a torn end is dropped with a notice, and cut off by what comes next`, () =>
    fc.assert(
      fc.asyncProperty(
        KINDS[name],
        KINDS[name],
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (lines, next, cut) => {
          const folder = freshFolder();
          writeFileSync(join(folder, name), '');
          appendLines(folder, name, lines);
          const [last = {}] = next;
          const half = JSON.stringify(last).slice(0, Math.floor(cut * JSON.stringify(last).length));
          appendFileSync(join(folder, name), half);
          const before = JSON.parse(JSON.stringify(lines));
          expect(await valuesIn(folder)).toEqual({ values: before, notices: half === '' ? [] : [torn] });
          appendLines(folder, name, next);
          const both = [...before, ...JSON.parse(JSON.stringify(next))];
          // Without a line nothing is opened, so nothing is cut off.
          if (next.length > 0) expect(await valuesIn(folder)).toEqual({ values: both, notices: [] });
        },
      ),
      { numRuns: draws(40) },
    ));

  it(`${name} is empty where there is none, but that a run has no journal is refused`, async () => {
    const read = await readLines(freshFolder(), name);
    expect(read.ok ? read.value.values : read.diagnostics[0]?.remedy).toEqual(
      name === 'journal.jsonl' ? 'restore it, or name another run' : [],
    );
  });

  it(`${name} with a line that is damaged, not at its end, is refused with its number`, async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, name), 'garbage\n{}\n');
    const read = await readLines(folder, name);
    expect(read).toMatchObject({ ok: false, diagnostics: [{ place: { line: 1 }, cause: 'the line is not JSON' }] });
  });
});

const intent = { event: 'intent', segment: 1, slice: 0, trial: buildTrial(), atMs: 1 };

it.each([
  ['{"event":"intent"', 'the line is not JSON'],
  ['', 'the line is not JSON'],
  ['{"event":"party"}', 'event must not be "party"'],
  ['[]', 'this must be a mapping, not a list'],
  ['{"event":"accepted","segment":1,"trial":"a","atMs":1}', 'captured is missing'],
  [JSON.stringify({ ...intent, trial: { ...intent.trial, seed: '1' } }), 'trial.seed must be a whole number, not "1"'],
  [JSON.stringify({ ...intent, trial: { ...intent.trial, sed: 1 } }), 'trial.sed is not a known field'],
])('a damaged line of a journal is named with its field: %j', async (bad, cause) => {
  const folder = freshFolder();
  const good = '{"event":"segment","state":"started","segment":1,"originAt":"2026-01-01T00:00:00.000Z"}';
  writeFileSync(join(folder, 'journal.jsonl'), [good, bad, good, ''].join('\n'));
  expect(await readLines(folder, 'journal.jsonl')).toMatchObject({
    ok: false,
    diagnostics: [{ place: { line: 2 }, cause }],
  });
});

it('the history of a suite has the last line of each run', async () => {
  const folder = freshFolder();
  const [first, second] = [nightLine(1, { a: { cellsMs: [1] } }), nightLine(2, { a: { cellsMs: [2] } })];
  const again = { ...first, complete: false };
  appendLines(folder, 'history.jsonl', [first, second, again]);
  expect(await readHistory(folder)).toEqual({ ok: true, value: [again, second] });
});
