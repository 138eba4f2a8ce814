import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, platform } from 'node:os';
import { dirname, join } from 'node:path';
import type { Calibration, MachineState } from '../record/calibration.ts';
import { keeperOfMedia } from '../record/output-files.ts';
import { calibrate, powerSavingOf } from '../run/calibrate.ts';
import { sleep, startClock } from '../run/clock.ts';

/**
 * Storing outputs is measured on the disk of `results`, or of its nearest parent if it does not exist, in a temporary
 * folder. Null if `signal` is aborted. Throws if nothing can be written.
 */
export async function calibrateMachine(results: string, signal: AbortSignal): Promise<Calibration | null> {
  const machine = readMachineState();
  const folder = mkdtempSync(join(nearestFolder(results), '.retake-calibration-'));
  try {
    return await calibrate({ now: startClock().now, sleep, signal, keep: keeperOfMedia(folder), machine });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

/** Reads files that any user may read; null for what does not exist. */
export function readMachineState(system = '/sys'): MachineState {
  const [loadAverage = 0] = loadavg();
  return {
    cores: availableParallelism(),
    // Windows always gives 0.
    loadAverage: platform() === 'win32' ? null : Math.round(loadAverage * 100) / 100,
    powerSaving: powerSavingOf(readPower(system)),
  };
}

function readPower(system: string): Parameters<typeof powerSavingOf>[0] {
  const cpufreq = join(system, 'devices/system/cpu/cpu0/cpufreq');
  const supplies = join(system, 'class/power_supply');
  return {
    driver: readWord(join(cpufreq, 'scaling_driver')),
    governor: readWord(join(cpufreq, 'scaling_governor')),
    preference: readWord(join(cpufreq, 'energy_performance_preference')),
    profile: readWord(join(system, 'firmware/acpi/platform_profile')),
    batteries: entriesOf(supplies)
      // A battery with the scope of a device, such as a mouse's, does not count.
      .filter((name) => readWord(join(supplies, name, 'type')) === 'Battery')
      .filter((name) => readWord(join(supplies, name, 'scope')) !== 'Device')
      .flatMap((name) => readWord(join(supplies, name, 'status')) ?? []),
  };
}

function readWord(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
