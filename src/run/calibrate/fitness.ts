import type { CalibrationMeasures, MachineState, PowerSaving, Unfitness } from '../../record/model/calibration.ts';

/** Timestamps are late where the p99 of idle wake-ups is above this; a delay above it flags its sample. */
const LATEST_WAKE_MS = 5;

/** Reasons not to measure on this machine now; may be empty. */
export function unfitnessOf(
  { eventLoopDelay }: Pick<CalibrationMeasures, 'eventLoopDelay'>,
  { cores, loadAverage, powerSaving }: MachineState,
): Unfitness[] {
  const found: Unfitness[] = [];
  const lateMs = eventLoopDelay.p99 ?? eventLoopDelay.max;
  if (lateMs > LATEST_WAKE_MS) {
    const statistic = eventLoopDelay.p99 === null ? 'max' : 'p99';
    found.push({ code: 'late_wake', lateMs, statistic, n: eventLoopDelay.n, limitMs: LATEST_WAKE_MS });
  }
  if (loadAverage !== null && loadAverage > cores) found.push({ code: 'overloaded', loadAverage, cores });
  if (powerSaving !== null) found.push({ code: 'saves_power', by: powerSaving });
  return found;
}

export interface PowerReadings {
  /** cpufreq/scaling_driver and scaling_governor of the first processor. */
  readonly driver: string | null;
  readonly governor: string | null;
  /** cpufreq/energy_performance_preference of the first processor. */
  readonly preference: string | null;
  /** firmware/acpi/platform_profile. */
  readonly profile: string | null;
  readonly batteries: readonly string[];
}

/**
 * How the processor is slowed down; null if nothing says so.
 *
 * The governor `powersave` keeps the lowest frequency, except under the drivers intel_pstate and amd-pstate-epp, where
 * it is the default and `energy_performance_preference` decides (Linux, Documentation/admin-guide/pm: cpufreq,
 * intel_pstate, amd-pstate). The profile `low-power` sacrifices speed
 * (Documentation/ABI/testing/sysfs-platform_profile). Most firmware slows down on battery.
 */
export function powerSavingOf({ driver, governor, preference, profile, batteries }: PowerReadings): PowerSaving | null {
  const governs = driver !== 'intel_pstate' && driver !== 'amd-pstate-epp';
  if (governor === 'powersave' && governs) return { code: 'governor', governor };
  if (preference === 'power') return { code: 'energy_preference' };
  if (profile === 'low-power' || profile === 'quiet') return { code: 'platform_profile', profile };
  if (batteries.includes('Discharging')) return { code: 'battery' };
  return null;
}
