import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { baselineRunReader } from '../../../src/view/progress/suite-history.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
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
