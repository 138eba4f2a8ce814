import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JournalEvent } from '../../../src/record/journal.ts';
import { followJournal } from '../../../src/record/read-record.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';

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
