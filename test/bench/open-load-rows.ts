import type { Row } from './figures.ts';
import { measureOpenLoad } from './open-load.ts';

/** How late calls of open load begin, and the tail it tells of under a stall, beside what the schedule says. */
export async function openLoadRows(): Promise<readonly Row[]> {
  const at = { ratePerSecond: 200, bodyBytes: 64 * 1024 };
  const steady = await measureOpenLoad({ ...at, seconds: 12, stall: null });
  const stalled = await measureOpenLoad({ ...at, seconds: 24, stall: { atMs: 8000, forMs: 2000 } });
  const told = stalled.responseP99Ms ?? Number.NaN;
  const exact = stalled.exactP99Ms ?? Number.NaN;
  const { p50Ms, p99Ms, maxMs } = steady.startLag;
  return [
    {
      what: 'start lag of open load, 200 / s (Poisson), 64 KiB bodies',
      measured: `p50 ${p50Ms?.toFixed(2)} ms, p99 ${p99Ms?.toFixed(2)} ms, at most ${maxMs.toFixed(1)} ms, n = ${steady.sent}`,
      bar: 'p99 <= 5 ms',
    },
    {
      what: 'p99 of the latency from the schedule, the same with a stall of 2 s, to its exact value',
      measured: `${told.toFixed(0)} ms to ${exact.toFixed(0)} ms (${((told / exact - 1) * 100).toFixed(1)} %), ${stalled.dropped} dropped`,
      bar: 'within 5 %',
    },
  ];
}
