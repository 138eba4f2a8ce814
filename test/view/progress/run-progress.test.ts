import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { followRuns } from '../../../src/view/progress/run-progress.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { storeRun } from '../../fixtures/stored-suite.ts';

test('readers of one run at once: each sample is counted once, also of a run that grows; a run that is gone is refused', async () => {
  const suite = storeRun(freshFolder(), 'growing', '2026-11-20T15:45:00Z');
  const folder = join(suite, 'growing');
  const whole = join(freshFolder(), 'whole');
  cpSync(folder, whole, { recursive: true });
  const journal = join(folder, 'journal.jsonl');
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  const { read, known } = followRuns();
  const atOnce = async (readers: number) => {
    const found = await Promise.all(Array.from({ length: readers }, () => read(folder)));
    return found.map((each) => (each.ok ? [each.value.run.id, each.value.tally.requests()] : 'refused'));
  };
  const requests = lines.length - 2;
  expect(requests).toBeGreaterThan(2);
  writeFileSync(journal, `${lines.slice(0, 3).join('\n')}\n`);
  expect(await atOnce(5)).toEqual(Array.from({ length: 5 }, () => ['growing', 2]));
  const followed = known(folder);
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
  expect(known(folder)).toBe(followed);

  rmSync(folder, { recursive: true });
  expect(await atOnce(2)).toEqual(['refused', 'refused']);
  expect(known(folder)).toBeNull();
  cpSync(whole, folder, { recursive: true });
  expect(await atOnce(3)).toEqual([1, 2, 3].map(() => ['growing', requests]));
});
