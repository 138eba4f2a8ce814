import { appendFileSync, chmodSync, cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { followRuns, outlineReader } from '../../../src/view/progress/outline.ts';

import { baselineRunReader, headlineTrends } from '../../../src/view/progress/suite-history.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { nightLine, twoVariants, withOtherRequests } from '../../fixtures/history-lines.ts';
import { retakeHere } from '../../fixtures/retake-process.ts';
import { storeRun } from '../../fixtures/stored-suite.ts';

const NOBODY = 65534;

/** What somebody reads who may not read everything, as root may. */
function asNobody<T>(read: () => T): T {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return read();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test.skipIf(process.platform === 'win32')(
  'a stored baseline that could not be read is read once it can be, though its file did not change',
  async () => {
    const root = freshFolder();
    const suite = storeRun(join(root, 'results'), 'first', '2026-11-20T15:45:00Z', { examined: true });
    expect((await retakeHere(['baseline', join(suite, 'first')], root)).code).toBe(0);
    for (const folder of [root, join(root, 'results'), suite]) chmodSync(folder, 0o755);
    const file = join(suite, 'baseline.json');
    const { mtimeMs } = statSync(file);
    const read = baselineRunReader();
    chmodSync(file, 0);
    expect(await asNobody(() => read(suite))).toBeNull();
    chmodSync(file, 0o644);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
    expect(await asNobody(() => read(suite))).toBe('first');
  },
);

test('the trend of a variant has its latest comparable runs, the earliest first', () => {
  const lines = twoVariants(6, 3);
  const [first] = headlineTrends(lines.toReversed(), 4);
  const values = lines.map(({ variants }) => variants.find(({ variant }) => variant === first?.variant)?.p50Ms);
  expect(first?.mediansMs).toEqual(values.slice(-4));
});

test('the trend of a variant leaves out runs with other requests, and incomplete ones', () => {
  const [one, two, three, four] = twoVariants(4, 9);
  if (one === undefined || two === undefined || three === undefined || four === undefined) throw new Error('four runs');
  const incomplete = nightLine(9, { fast: { cellsMs: [1] } }, { complete: false });
  const trends = headlineTrends(
    [withOtherRequests(one, '7'), { ...two, complete: false }, three, four, incomplete],
    60,
  );
  expect(trends.map(({ mediansMs }) => mediansMs.length)).toEqual([2, 2]);
  expect(headlineTrends([incomplete], 60)).toEqual([]);
});

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
