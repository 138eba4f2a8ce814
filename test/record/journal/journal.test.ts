import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createSharing, DamagedLine, readLines, shapeOf } from '../../../src/record/files/read-lines.ts';
import { encodeEvent } from '../../../src/record/journal/journal-file.ts';
import { type JournalEvent, journalSchema } from '../../../src/record/journal.ts';
import { followJournal } from '../../../src/record/read-record.ts';
import { createGroupCommit } from '../../../src/record/store.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { buildOk, buildTrial, digestOf } from '../../fixtures/stored-run-builder.ts';

const started = (segment: number): string =>
  `${JSON.stringify({ event: 'segment', state: 'started', segment, originAt: '2026-11-20T15:45:00Z' })}\n`;

async function segmentsOf(follower: ReturnType<typeof followJournal>): Promise<readonly number[] | string> {
  const events: JournalEvent[] = [];
  const caughtUp = await follower.catchUp((event) => events.push(event));
  if (!caughtUp.ok) return caughtUp.diagnostics[0]?.cause ?? '';
  return events.flatMap((event) => (event.event === 'segment' ? [event.segment] : []));
}

test('a journal that is followed: each event comes once, and half a line waits for its end', async () => {
  const folder = freshFolder();
  const path = join(folder, 'journal.jsonl');
  const follower = followJournal(folder);
  expect(await segmentsOf(follower)).toEqual([]);
  writeFileSync(path, started(1) + started(2).slice(0, 30));
  expect(await segmentsOf(follower)).toEqual([1]);
  expect(await segmentsOf(follower)).toEqual([]);
  appendFileSync(path, started(2).slice(30) + started(3));
  expect(await segmentsOf(follower)).toEqual([2, 3]);
});

test('a journal that is followed: one longer than a piece is read whole', async () => {
  const folder = freshFolder();
  const many = Array.from({ length: 20_000 }, (_, at) => started(at + 1)).join('');
  writeFileSync(join(folder, 'journal.jsonl'), many);
  expect(readFileSync(join(folder, 'journal.jsonl')).length).toBeGreaterThan(1 << 20);
  expect(await segmentsOf(followJournal(folder))).toHaveLength(20_000);
});

test('a journal that is followed: one that was cut is refused, and another follower reads it', async () => {
  const folder = freshFolder();
  const path = join(folder, 'journal.jsonl');
  writeFileSync(path, started(1) + started(2).slice(0, 30));
  const follower = followJournal(folder);
  await segmentsOf(follower);
  truncateSync(path, started(1).length);
  expect(await segmentsOf(follower)).toContain('became shorter');
  expect(await segmentsOf(followJournal(folder))).toEqual([1]);
});

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('group commit', () => {
  it('group commit writes the lines of one turn in one write, in the order they were added', async () => {
    const writes: string[] = [];
    const group = createGroupCommit((lines) => writes.push(lines));
    await Promise.all(['a\n', 'b\n', 'c\n'].map(group.add));
    await group.add('d\n');
    expect(writes).toEqual(['a\nb\nc\n', 'd\n']);
  });

  it('group commit resolves a line only once it is written', async () => {
    const events: string[] = [];
    const group = createGroupCommit((lines) => events.push(`wrote ${lines}`));
    const added = group.add('a').then(() => events.push('resolved a'));
    await Promise.resolve();
    expect(events).toEqual([]);
    await added;
    expect(events).toEqual(['wrote a', 'resolved a']);
  });

  it('group commit writes what waits when it is flushed, and nothing twice', async () => {
    const writes: string[] = [];
    const group = createGroupCommit((lines) => writes.push(lines));
    const added = group.add('a');
    group.flush();
    expect(writes).toEqual(['a']);
    await added;
    await turn();
    expect(writes).toEqual(['a']);
  });

  it('group commit rejects every line of a group that cannot be written, and writes the next group', async () => {
    const writes: string[] = [];
    const group = createGroupCommit((lines) => {
      if (lines.includes('b')) throw new Error('the disk is full');
      writes.push(lines);
    });
    const failed = await Promise.allSettled([group.add('a'), group.add('b')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await group.add('c');
    expect(writes).toEqual(['c']);
  });
});

const shape = shapeOf(journalSchema);
const text = fc.string({ unit: 'binary', maxLength: 40 });
const trial = fc.record({
  id: text,
  variant: text,
  kind: fc.constant('text-to-image' as const),
  prompt: text,
  seed: fc.nat(),
  repeat: fc.integer({ min: 1, max: 9 }),
  block: text,
  phase: fc.constant('trial' as const),
  requestDigest: text.map(digestOf),
});
const event: fc.Arbitrary<JournalEvent> = fc.oneof(
  fc.record({
    event: fc.constant('intent' as const),
    segment: fc.integer({ min: 1, max: 9 }),
    slice: fc.nat(),
    trial,
    atMs: fc.double({ noNaN: true, min: 0, max: 1e15 }),
  }),
  fc.record({
    event: fc.constant('attempt' as const),
    segment: fc.integer({ min: 1, max: 9 }),
    trial: text,
    attempt: fc.integer({ min: 1, max: 9 }),
    httpStatus: fc.nat(),
    waitMs: fc.nat(),
    atMs: fc.nat(),
  }),
);

function read(pieces: readonly string[]) {
  const reader = readLines(shape, createSharing());
  for (const piece of pieces) reader.push(piece);
  return reader.end();
}

describe('the journal', () => {
  it('the journal reads back what was written, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), fc.integer({ min: 1, max: 50 }), (events, size) => {
        const written = events.map(encodeEvent).join('');
        const pieces = written.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
        expect(read(pieces)).toEqual({ values: JSON.parse(JSON.stringify(events)), torn: false });
      }),
    );
  });

  it('the journal holds once what its events repeat, and reads back what was written', () => {
    const trial = buildTrial();
    const ok = buildOk(20, 'fox');
    const events: readonly JournalEvent[] = [
      { event: 'intent', segment: 1, slice: 0, trial, atMs: 1 },
      { event: 'sample', sample: { ...ok, trial } },
      // A record may say another thing of a trial than its intent did.
      { event: 'sample', sample: { ...ok, trial: { ...trial, variant: `${trial.variant} of another` } } },
    ];
    const lines = events.map(encodeEvent);
    const { values } = read(lines);
    expect(values.map(encodeEvent)).toEqual(lines);
    const [begun, same, other] = values.map((value) => {
      if (value.event === 'intent') return value.trial;
      return value.event === 'sample' ? value.sample.trial : null;
    });
    expect(same).toBe(begun);
    expect(other).not.toBe(begun);
  });

  it('the journal drops a torn last line, wherever it was torn, and says so', () => {
    fc.assert(
      fc.property(
        event,
        event,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (first, second, share) => {
          const line = encodeEvent(second);
          const kept = Math.floor(share * line.length);
          const { values, torn } = read([encodeEvent(first), line.slice(0, kept)]);
          expect(values).toHaveLength(1);
          expect(torn).toBe(kept > 0);
        },
      ),
    );
  });

  const intent = { event: 'intent', segment: 1, slice: 0, trial: buildTrial(), atMs: 1 };
  it.each([
    ['{"event":"intent"', 'the line is not JSON'],
    ['', 'the line is not JSON'],
    ['{"event":"party"}', 'event must not be "party"'],
    ['[]', 'this must be a mapping, not a list'],
    ['{"event":"accepted","segment":1,"trial":"a","atMs":1}', 'captured is missing'],
    [
      JSON.stringify({ ...intent, trial: { ...intent.trial, seed: '1' } }),
      'trial.seed must be a whole number, not "1"',
    ],
    [JSON.stringify({ ...intent, trial: { ...intent.trial, sed: 1 } }), 'trial.sed is not a known field'],
  ])('the journal names a line that is damaged elsewhere, and the field: %j', (bad, cause) => {
    const good = encodeEvent({ event: 'segment', state: 'started', segment: 1, originAt: '2026-01-01T00:00:00.000Z' });
    const damaged = () => read([good, `${bad}\n`, good]);
    expect(damaged).toThrow(DamagedLine);
    expect(damaged).toThrow(expect.objectContaining({ line: 2, causes: [cause] }));
  });
});
