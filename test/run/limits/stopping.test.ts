import { closeSync, constants, openSync, statSync, writeSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { createStopping } from '../../../src/run/limits/abandoned-variants.ts';

const FULL = '/dev/full';

// A file that stands in its place, as one that a program left there, is never full.
it.skipIf(statSync(FULL, { throwIfNoEntry: false })?.isCharacterDevice() !== true)(
  'a stop for a full disk names no path where the system names none',
  () => {
    const file = openSync(FULL, constants.O_WRONLY);
    onTestFinished(() => closeSync(file));
    const { fault, why } = createStopping(() => {});
    try {
      writeSync(file, 'a line');
    } catch (error) {
      fault(error as Error);
    }
    expect(why()).toEqual({ reason: 'disk', path: null, code: 'ENOSPC' });
  },
);
