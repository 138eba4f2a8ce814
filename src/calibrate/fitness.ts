import type { CalibrationMeasures, MachineState, Unfitness } from '../record/model/calibration.ts';

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
