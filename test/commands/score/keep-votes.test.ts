import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openVoteKeeper } from '../../../src/commands/score/vote.ts';
import { appendLines } from '../../../src/record/line-files.ts';
import { createRecord } from '../../../src/record/store.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';
import { buildStoredRun } from '../../fixtures/stored-run-builder.ts';

const VOTE = { line: 'vote', ballot: 'b'.repeat(32), choice: 'left', voter: 'a'.repeat(32) } as const;
const LATER = { ...VOTE, ballot: 'c'.repeat(32) };

/** Keepers of two servers, which were opened before there were votes. */
function twoKeepers() {
  const record = createRecord(freshFolder(), buildStoredRun({ samples: [] }).run);
  record.close();
  const { folder } = record;
  const open = () => openVoteKeeper(folder, [], memoryEdge(folder).processes);
  return { folder, one: open(), other: open() };
}

const linesIn = (folder: string) => readFileSync(join(folder, 'votes.jsonl'), 'utf8').split('\n').slice(0, -1);

test('the last vote of a voter on a ballot counts, and what was kept before is not kept again, of two servers and an import', async () => {
  const { folder, one, other } = twoKeepers();
  expect(await one.keep(VOTE)).toBe('kept');
  expect(await other.keep(VOTE)).toBe('kept_before');
  expect(await other.keep({ ...VOTE, choice: 'right' })).toBe('kept');
  appendLines(folder, 'votes.jsonl', [LATER]);
  expect(await one.keep(LATER)).toBe('kept_before');
  expect(linesIn(folder)).toEqual([VOTE, { ...VOTE, choice: 'right' }, LATER].map((vote) => JSON.stringify(vote)));
  expect([...other.votedOn(VOTE.voter)]).toEqual([VOTE.ballot]);
  expect([one, other].map((keeper) => keeper.added())).toEqual([
    { votes: 1, voters: 1 },
    { votes: 1, voters: 1 },
  ]);
});

test('one of two equal votes that come at once is kept', async () => {
  const { folder, one } = twoKeepers();
  expect(await Promise.all([one.keep(VOTE), one.keep(VOTE)])).toEqual(['kept', 'kept_before']);
  expect(linesIn(folder)).toEqual([JSON.stringify(VOTE)]);
});
