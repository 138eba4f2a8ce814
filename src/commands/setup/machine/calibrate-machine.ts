import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { calibrate } from '../../../calibrate/calibrate.ts';
import type { Calibration } from '../../../record/model/calibration.ts';
import { keeperOfMedia } from '../../../record/outputs/output-files.ts';
import { sleep, startClock } from '../../../run/wire/clock.ts';
import { readMachineState } from './machine-state.ts';

/**
 * Calibrates this machine for results in a folder. What it costs to keep an output is measured on that folder's disk, in a folder of
 * its own that is gone afterwards; where the results have no folder yet, in the nearest above it, and none is made.
 * Null when `signal` broke it off. Throws what the file system throws where nothing can be written.
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
