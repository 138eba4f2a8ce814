import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { createStopping } from '../../../src/run/limits/stopping.ts';

const FULL = '/dev/full';

it.skipIf(!existsSync(FULL))('a stop for a full disk names no path where the system names none', () => {
  const file = openSync(FULL, 'w');
  onTestFinished(() => closeSync(file));
  const { fault, why } = createStopping(() => {});
  try {
    writeSync(file, 'a line');
  } catch (error) {
    fault(error as Error);
  }
  expect(why()).toEqual({ reason: 'disk', path: null, code: 'ENOSPC' });
});
