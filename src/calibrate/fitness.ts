import type { CalibrationMeasures, MachineState, Unfitness } from '../record/model/calibration.ts';

/** An idle thread that wakes later than this, in one of a hundred cases, stamps late. Also the least that flags a sample. */
const LATEST_WAKE_MS = 5;

/** What speaks against measuring on this machine now; empty where nothing does. */
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
