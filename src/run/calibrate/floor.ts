import type { CalibrationMeasures, Spread, Unfitness } from '../../record/calibration.ts';

export type FloorParts = Pick<CalibrationMeasures, 'clockStep' | 'eventLoopDelay' | 'roundTrip' | 'mediaRoundTrip'>;

/**
 * Two normal values differ by less than 1.96 x sqrt(2) standard deviations in 95 of 100 cases; the interquartile range
 * is 1.349 of them.
 */
const RANGES_OF_A_DIFFERENCE = 2.05;

/**
 * The noise floor in milliseconds: two single calls that differ by less may differ because of this machine.
 *
 * 2.05 x ( max over the two loopback round trips of their interquartile range + interquartile range of the event-loop
 * delay )
 * + clock step (p50)
 *
 * - Round trips: the server answers at once, so their spread comes from this machine. Only spread counts: a constant
 *   part cancels in a difference. The wider of the small and the large reply counts, as endpoints may be like either.
 * - Event-loop delay: a generation takes seconds, so a thread that slept longer than in a round trip must wake.
 * - Clock step: two readings cannot be closer.
 *
 * On a busy machine (overloaded, or late to wake), and of fewer calls than a p95 needs, the p95 (of fewer calls the
 * longest) stands for an interquartile range, which of one or two calls is 0. Delays only make it larger.
 *
 * The interquartile range, not a tail: p95 - p50 of a hundred round trips depends on five of them and differs
 * severalfold between calibrations. The tail still counts: a timestamp more than 5 ms late flags its sample. Parts are
 * added, not their squares, because they need not be independent. The floor is not divided by the root of the number of
 * takes: takes average out chance, but not load on the machine that falls on one variant. Noise of network and service
 * is not in the floor; intervals show it.
 */
export function noiseFloorMs(
  { clockStep, eventLoopDelay, roundTrip, mediaRoundTrip }: FloorParts,
  unfit: readonly Unfitness[],
): number {
  const isBusy = unfit.some(({ code }) => code !== 'saves_power');
  const rangeOf = ({ iqr, p95, max }: Spread) => (isBusy || p95 === null ? (p95 ?? max) : iqr);
  const exchange = Math.max(rangeOf(roundTrip), rangeOf(mediaRoundTrip));
  return toNanosecond(RANGES_OF_A_DIFFERENCE * (exchange + rangeOf(eventLoopDelay)) + clockStep.p50);
}

/** Removes digits below a nanosecond, which come from floating point. */
export function toNanosecond(ms: number): number {
  return Math.round(ms * 1e6) / 1e6;
}
