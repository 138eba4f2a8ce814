import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg, platform } from 'node:os';
import { join } from 'node:path';
import type { Calibration, MachineState } from '../record/calibration.ts';
import { calibrate, powerSavingOf } from '../run/calibrate.ts';
import { sleep, startClock } from '../run/clock.ts';

/** Null if `signal` is aborted. */
export function calibrateMachine(signal: AbortSignal): Promise<Calibration | null> {
  return calibrate({ now: startClock().now, sleep, signal, machine: readMachineState() });
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
