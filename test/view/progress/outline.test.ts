import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outlineReader } from '../../../src/view/progress/outline.ts';
import { followRuns } from '../../../src/view/progress/run-progress.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { storeRun } from '../../fixtures/stored-suite.ts';

test('the outline of a run that grows has what was appended since, and that of a journal that was cut is read again', async () => {
  const folder = join(storeRun(freshFolder(), 'growing', '2026-11-20T15:45:00Z'), 'growing');
  const journal = join(folder, 'journal.jsonl');
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  const write = (count: number) => writeFileSync(journal, `${lines.slice(0, count).join('\n')}\n`);
  const read = outlineReader(followRuns());
  const requests = async () => {
    const outline = await read(folder);
    return outline.ok ? [outline.value.requests, outline.value.measuring.state] : outline.diagnostics;
  };
  write(3);
  expect(await requests()).toEqual([2, 'measuring']);
  appendFileSync(journal, `${lines[3]}\n`);
  expect(await requests()).toEqual([3, 'measuring']);
  write(2);
  expect(await requests()).toEqual([1, 'measuring']);
  write(lines.length);
  expect(await requests()).toEqual([lines.length - 2, 'ended']);
});
