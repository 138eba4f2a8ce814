import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { calibrate } from '../../../calibrate/calibrate.ts';
import type { Calibration } from '../../../record/model/calibration.ts';
import { keeperOfMedia } from '../../../record/outputs/output-files.ts';
import { sleep, startClock } from '../../../run/wire/clock.ts';
import { readMachineState } from './machine-state.ts';

/**
 * Storing outputs is measured on the disk of `results`, or of its nearest parent if it does not exist, in a temporary
 * folder. Null if `signal` is aborted. Throws if nothing can be written.
 */
export async function calibrateMachine(
  form: Calibration['form'],
  results: string,
  signal: AbortSignal,
): Promise<Calibration | null> {
  const machine = readMachineState();
  const folder = mkdtempSync(join(nearestFolder(results), '.retake-calibration-'));
  try {
    return await calibrate(form, { now: startClock().now, sleep, signal, keep: keeperOfMedia(folder), machine });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}
