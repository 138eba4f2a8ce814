import type { Calibration, CalibrationMeasures } from '../record/model/calibration.ts';
import { toNanosecond } from './spread.ts';

/** What the floor is made of. */
export type FloorParts = Pick<CalibrationMeasures, 'clockStep' | 'eventLoopDelay' | 'roundTrip' | 'mediaRoundTrip'>;

/**
 * Two values drawn from a normal law differ by less than this many of its interquartile ranges in 95 of 100 cases:
 * 1.96 x sqrt(2) standard deviations, and the interquartile range holds 1.349.
 */
const RANGES_OF_A_DIFFERENCE = 2.05;

/**
 * The noise floor in milliseconds: two single calls that differ by less may differ because of this machine.
 *
 *     2.05 x ( max over the two loopback round trips of their interquartile range
 *            + interquartile range of the event-loop delay )  +  clock step (p50)
 *
 * - A server that answers at once, over loopback: whatever its round trips differ by is the machine's and ours. What is
 *   usual is in every latency alike and cancels in a difference; how widely the middle half spreads does not. Of the small
 *   and the large reply the wider counts, for nothing says which of them an endpoint is like.
 * - Between round trips a thread is idle for a moment, while a generation goes on for seconds: how late a thread that
 *   slept is woken comes on top.
 * - Two readings of the clock are no closer than its step.
 *
 * The middle half, and not a tail: on the same machine p95 - p50 of a hundred round trips is decided by five of them and
 * differs severalfold from one calibration to the next. The tail is not lost: a stamp that is late by more than 5 ms flags its
 * sample. The parts are added, not their squares: they come from the same machine at the same time and need not be
 * independent. The floor is of single calls at one moment and is not divided by the root of how many takes there are. More
 * takes average out chance; a machine that is busier while one variant is measured than while another is stays in the
 * difference however many there are. The network and the service have noise of their own, which is for the intervals to
 * show: the floor is the least, not the whole.
 */
export function noiseFloorMs({ clockStep, eventLoopDelay, roundTrip, mediaRoundTrip }: FloorParts): number {
  const exchange = Math.max(roundTrip.iqr, mediaRoundTrip.iqr);
  return toNanosecond(RANGES_OF_A_DIFFERENCE * (exchange + eventLoopDelay.iqr) + clockStep.p50);
}

/** Whether the machine cannot tell a difference of latencies, of either sign. Without a calibration nothing is known: false. */
export function isBelowFloor(differenceMs: number, calibration: Pick<Calibration, 'floorMs'> | null): boolean {
  return calibration !== null && Math.abs(differenceMs) < calibration.floorMs;
}
