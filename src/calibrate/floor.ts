import type { Calibration, CalibrationMeasures, Spread } from '../record/calibration.ts';
import { toNanosecond } from './spread.ts';

/** What the floor is made of. */
export type FloorParts = Pick<CalibrationMeasures, 'clockStep' | 'eventLoopDelay' | 'roundTrip' | 'mediaRoundTrip'>;

/**
 * The noise floor in milliseconds: differences of two latencies that are smaller may be this machine's own doing.
 *
 *     max over the two loopback round trips of (p95 - p50)  +  event-loop delay (p95 - p50)  +  clock step (p50)
 *
 * - A server that answers at once, over loopback: whatever its round trips differ by is the machine's and ours. What is
 *   usual (p50) is in every latency alike and cancels in a difference; how much one in twenty is later (p95 - p50) does
 *   not. Of the small and the large reply the wider counts, for nothing says which of them an endpoint is like.
 * - Between round trips a thread is idle for a moment, while a generation goes on for seconds: how late a thread that
 *   slept is woken comes on top.
 * - Two readings of the clock are no closer than its step.
 *
 * The parts are added, not their squares: they come from the same machine at the same time and need not be independent.
 * The floor is not divided by the root of how many takes there are. More takes average out chance; a machine that is
 * busier while one variant is measured than while another is stays in the difference however many there are. The network
 * and the service have noise of their own, which is for the intervals to show: the floor is the least, not the whole.
 * Where a spread has too few values for a p95, its maximum stands in.
 */
export function noiseFloorMs({ clockStep, eventLoopDelay, roundTrip, mediaRoundTrip }: FloorParts): number {
  const exchange = Math.max(aboveUsual(roundTrip), aboveUsual(mediaRoundTrip));
  return toNanosecond(exchange + aboveUsual(eventLoopDelay) + clockStep.p50);
}

/** Whether the machine cannot tell a difference of latencies, of either sign. Without a calibration nothing is known: false. */
export function isBelowFloor(differenceMs: number, calibration: Pick<Calibration, 'floorMs'> | null): boolean {
  return calibration !== null && Math.abs(differenceMs) < calibration.floorMs;
}

function aboveUsual({ p50, p95, max }: Spread): number {
  return (p95 ?? max) - p50;
}
