import type { PowerSaving } from '../record/model/calibration.ts';

/** What Linux says under /sys of how power is used, each as the file has it; null where there is no such file. */
export interface PowerReadings {
  /** cpufreq/scaling_driver and scaling_governor of the first processor. */
  readonly driver: string | null;
  readonly governor: string | null;
  /** cpufreq/energy_performance_preference of the first processor. */
  readonly preference: string | null;
  /** firmware/acpi/platform_profile. */
  readonly profile: string | null;
  /** The status of each battery. */
  readonly batteries: readonly string[];
}

/**
 * How the processor is held back; null where nothing says that it is.
 *
 * A governor `powersave` keeps a processor at its lowest frequency, except under the drivers intel_pstate and amd-pstate-epp,
 * where it is the usual one and `energy_performance_preference` says what is meant (Linux, Documentation/admin-guide/pm:
 * cpufreq, intel_pstate, amd-pstate). `low-power` is the profile that sacrifices speed (Documentation/ABI/testing/
 * sysfs-platform_profile). A machine on its battery is held back by most firmware.
 */
export function powerSavingOf({ driver, governor, preference, profile, batteries }: PowerReadings): PowerSaving | null {
  const governs = driver !== 'intel_pstate' && driver !== 'amd-pstate-epp';
  if (governor === 'powersave' && governs) return { code: 'governor', governor };
  if (preference === 'power') return { code: 'energy_preference' };
  if (profile === 'low-power' || profile === 'quiet') return { code: 'platform_profile', profile };
  if (batteries.includes('Discharging')) return { code: 'battery' };
  return null;
}
