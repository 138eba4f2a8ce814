import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { followRuns } from '../../../src/view/progress/follow-runs.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { storeRun } from '../../fixtures/stored-suite.ts';

test('a run that grows is read on from where it was, and from the beginning if its journal was cut', async () => {
  const folder = join(storeRun(freshFolder(), 'growing', '2026-11-20T15:45:00Z'), 'growing');
  const journal = join(folder, 'journal.jsonl');
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  const write = (count: number) => writeFileSync(journal, `${lines.slice(0, count).join('\n')}\n`);
  const read = followRuns();
  const ended = async () => {
    const followed = await read(folder);
    if (!followed.ok) return followed.diagnostics;
    const { tally } = followed.value;
    return [tally.ended(), tally.measuring().state];
  };
  write(3);
  expect(await ended()).toEqual([2, 'measuring']);
  appendFileSync(journal, `${lines[3]}\n`);
  expect(await ended()).toEqual([3, 'measuring']);
  write(2);
  expect(await ended()).toEqual([1, 'measuring']);
  write(lines.length);
  expect(await ended()).toEqual([lines.length - 2, 'ended']);
});

test('readers of one run at once: each sample is counted once, also of a run that grows; a run that is gone is refused', async () => {
  const suite = storeRun(freshFolder(), 'growing', '2026-11-20T15:45:00Z');
  const folder = join(suite, 'growing');
  const whole = join(freshFolder(), 'whole');
  cpSync(folder, whole, { recursive: true });
  const journal = join(folder, 'journal.jsonl');
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  const read = followRuns();
  const atOnce = async (readers: number) => {
    const found = await Promise.all(Array.from({ length: readers }, () => read(folder)));
    return found.map((each) => (each.ok ? [each.value.run.id, each.value.tally.ended()] : 'refused'));
  };
  const requests = lines.length - 2;
  expect(requests).toBeGreaterThan(2);
  writeFileSync(journal, `${lines.slice(0, 3).join('\n')}\n`);
  expect(await atOnce(5)).toEqual(Array.from({ length: 5 }, () => ['growing', 2]));
  const followed = await read(folder);
  // The end of a line may come later.
  appendFileSync(journal, `${lines[3]}\n${lines[4]?.slice(0, 20)}`);
  expect(await atOnce(2)).toEqual([1, 2].map(() => ['growing', 3]));
  appendFileSync(journal, `${lines[4]?.slice(20)}\n`);
  for (const line of lines.slice(5)) {
    appendFileSync(journal, `${line}\n`);
    await atOnce(2);
  }
  expect(await atOnce(2)).toEqual([1, 2].map(() => ['growing', requests]));
  // All that time, nothing was read again.
  expect((await read(folder)).ok && followed.ok && followed.value.tally.ended()).toBe(requests);

  rmSync(folder, { recursive: true });
  expect(await atOnce(2)).toEqual(['refused', 'refused']);
  cpSync(whole, folder, { recursive: true });
  expect(await atOnce(3)).toEqual([1, 2, 3].map(() => ['growing', requests]));
});
