import type { CalibrationMeasures, MachineState, Unfitness } from '../record/calibration.ts';

/** An idle thread that wakes later than this, in one of a hundred cases, stamps late. Also the least that flags a sample. */
const LATEST_WAKE_MS = 5;

/** What speaks against measuring on this machine now, each with cause and remedy; none where nothing does. */
export function unfitnessOf(
  { eventLoopDelay }: Pick<CalibrationMeasures, 'eventLoopDelay'>,
  { cores, loadAverage, powerSaving }: MachineState,
): Unfitness[] {
  const found: Unfitness[] = [];
  const lateMs = eventLoopDelay.p99 ?? eventLoopDelay.max;
  if (lateMs > LATEST_WAKE_MS) {
    found.push({
      what: `this machine wakes late: an idle thread ran up to ${lateMs.toFixed(1)} ms after its time (p99 of ${eventLoopDelay.n}; at most ${LATEST_WAKE_MS} ms is fit to measure)`,
      cause: 'other work has the processor in the moments in which replies are stamped',
      remedy: 'end other programs, or measure on a machine that does nothing else, then calibrate again',
    });
  }
  if (loadAverage !== null && loadAverage > cores) {
    found.push({
      what: `this machine is overloaded: load average ${loadAverage.toFixed(1)} on ${cores} ${cores === 1 ? 'core' : 'cores'}`,
      cause: 'over the last minute more threads wanted to run than there are cores',
      remedy: 'wait until other work has ended, or measure on a machine that does nothing else',
    });
  }
  if (powerSaving !== null) {
    found.push({
      what: `this machine saves power: ${powerSaving}`,
      cause: 'the processor is held back, and takes its time to speed up when a reply comes',
      remedy: 'plug it in and let it run at full speed (cpupower frequency-set -g performance), then calibrate again',
    });
  }
  return found;
}
