import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { JournalEvent } from '../../../src/record/journal.ts';
import { appendLines, encodeLine } from '../../../src/record/line-files.ts';
import { followJournal, readLines } from '../../../src/record/read-record.ts';
import { createGroupCommit } from '../../../src/record/store.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { buildOk, buildTrial } from '../../fixtures/stored-run-builder.ts';

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

test('a journal holds in memory once what its events repeat, and reads back what was written', async () => {
  const trial = buildTrial();
  const ok = buildOk(20, 'fox');
  const events: readonly JournalEvent[] = [
    { event: 'intent', segment: 1, slice: 0, trial, atMs: 1 },
    { event: 'sample', sample: { ...ok, trial } },
    // A record may say another thing of a trial than its intent did.
    { event: 'sample', sample: { ...ok, trial: { ...trial, variant: `${trial.variant} of another` } } },
  ];
  const folder = freshFolder();
  appendLines(folder, 'journal.jsonl', events);
  const read = await readLines(folder, 'journal.jsonl');
  const values = read.ok ? read.value.values : [];
  expect(values.map(encodeLine)).toEqual(events.map(encodeLine));
  const [begun, same, other] = values.map((value) => {
    if (value.event === 'intent') return value.trial;
    return value.event === 'sample' ? value.sample.trial : null;
  });
  expect(same).toBe(begun);
  expect(other).not.toBe(begun);
});
