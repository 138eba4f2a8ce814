import type { Calibration, CalibrationMeasures, MachineState, PowerSaving, Unfitness } from '../record/calibration.ts';
import { noiseFloorMs, toNanosecond } from './calibrate/floor.ts';
import { timeRoundTrips } from './calibrate/round-trip.ts';
import { clockStep, type Effort, idleDelay, type SamplingEdge } from './calibrate/sampling.ts';

/** Timestamps are late where the p99 of idle wake-ups is above this; a delay above it flags its sample. */
const LATEST_WAKE_MS = 5;

export function unfitnessOf(
  { eventLoopDelay }: Pick<CalibrationMeasures, 'eventLoopDelay'>,
  { cores, loadAverage, powerSaving }: MachineState,
): Unfitness[] {
  const reasons: Unfitness[] = [];
  const lateMs = eventLoopDelay.p99 ?? eventLoopDelay.max;
  if (lateMs > LATEST_WAKE_MS) {
    const statistic = eventLoopDelay.p99 === null ? 'max' : 'p99';
    reasons.push({ code: 'late_wake', lateMs, statistic, n: eventLoopDelay.n, limitMs: LATEST_WAKE_MS });
  }
  if (loadAverage !== null && loadAverage > cores) reasons.push({ code: 'overloaded', loadAverage, cores });
  if (powerSaving !== null) reasons.push({ code: 'saves_power', by: powerSaving });
  return reasons;
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
 * How the processor is slowed down; null if nothing says so. The governor `powersave` keeps the lowest frequency,
 * except under intel_pstate and amd-pstate-epp, where `energy_performance_preference` decides (Linux,
 * Documentation/admin-guide/pm: cpufreq, intel_pstate, amd-pstate). The profile `low-power` sacrifices speed
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

interface CalibrationEdge extends SamplingEdge {
  /** Read before calibration, which is load too. */
  readonly machine: MachineState;
}

const IDLE_MS = 250;

/** `fewest`: what a p95 needs, and more. */
const EXCHANGES: Effort = { fewest: 20, forMs: 300, mostMs: 450, warmup: 5 };

/** About 1 s. Null when aborted; throws if nothing can be measured. */
export async function calibrate(edge: CalibrationEdge): Promise<Calibration | null> {
  const beganMs = edge.now();
  const eventLoopDelay = await idleDelay(IDLE_MS, edge);
  const step = await clockStep(edge);
  const trips = edge.signal.aborted ? null : await timeRoundTrips(EXCHANGES, edge);
  if (eventLoopDelay === null || step === null || trips === null) return null;
  const measures = { clockStep: step, eventLoopDelay, ...trips };
  const unfit = unfitnessOf(measures, edge.machine);
  return {
    tookMs: toNanosecond(edge.now() - beganMs),
    floorMs: noiseFloorMs(measures, unfit),
    measures,
    machine: edge.machine,
    unfit,
  };
}
