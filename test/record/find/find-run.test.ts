import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRun } from '../../../src/record/find-run.ts';
import type { Run } from '../../../src/record/run.ts';
import { createRecord } from '../../../src/record/store.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { buildStoredRun } from '../../fixtures/stored-run-builder.ts';

const { run } = buildStoredRun({ samples: [] });

function write(results: string, parts: Partial<Run>): string {
  const record = createRecord(results, { ...run, ...parts });
  record.close();
  return record.folder;
}

test('findRun takes the run that began last as the latest, whatever the names of runs are', () => {
  const results = freshFolder();
  write(results, { id: 'nightly', createdAt: '2026-11-20T15:45:00.000Z' });
  const later = write(results, { id: 'again', createdAt: '2026-11-21T15:45:00.000Z' });
  expect(findRun(join(results, 'images'))).toEqual({ ok: true, value: { folder: later, latestOf: 2 } });
});

test('findRun takes no shard for a run of its suite, and no draft of a merge', () => {
  const results = freshFolder();
  write(results, { id: 'r1-1of2', createdAt: '2026-11-22T15:45:00.000Z' });
  const suite = join(results, 'images');
  expect(findRun(suite)).toMatchObject({
    ok: false,
    diagnostics: [{ cause: `${suite} has only shards of runs, such as r1-1of2` }],
  });
  write(results, { id: '.merging-x', createdAt: '2026-11-23T15:45:00.000Z' });
  const whole = write(results, { id: 'r1', createdAt: '2026-11-20T15:45:00.000Z' });
  expect(findRun(suite)).toEqual({ ok: true, value: { folder: whole, latestOf: 1 } });
  expect(findRun(join(suite, 'r1-1of2'))).toMatchObject({ ok: true, value: { latestOf: null } });
});
