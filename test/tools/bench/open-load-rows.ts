import type { Row } from './figures.ts';
import { type Lag, measureBareTimers, measureOpenLoad } from './open-load.ts';

/** How late calls of open load begin, and the tail it tells of under a stall, beside what the schedule says. */
export async function openLoadRows(): Promise<readonly Row[]> {
  const bare = await measureBareTimers({ ratePerSecond: RATE_PER_SECOND, seconds: 12 });
  return [
    {
      what: `for orientation: how late a bare timer fires, ${RATE_PER_SECOND} / s, in a process that does nothing else`,
      measured: lagText(bare),
      bar: 'none: what this machine can do',
    },
    ...(await rowsOf(1024, '1 KiB')),
    ...(await rowsOf(64 * 1024, '64 KiB')),
  ];
}

const RATE_PER_SECOND = 200;

async function rowsOf(bodyBytes: number, size: string): Promise<readonly Row[]> {
  const at = { ratePerSecond: RATE_PER_SECOND, bodyBytes };
  const steady = await measureOpenLoad({ ...at, seconds: 12, stall: null });
  const stalled = await measureOpenLoad({ ...at, seconds: 24, stall: { atMs: 8000, forMs: 2000 } });
  const told = stalled.responseP99Ms ?? Number.NaN;
  const exact = stalled.exactP99Ms ?? Number.NaN;
  return [
    {
      what: `start lag of open load, ${RATE_PER_SECOND} / s (Poisson), ${size} bodies`,
      measured: lagText(steady.startLag),
      bar: 'p99 <= 5 ms',
    },
    {
      what: `p99 of the latency from the schedule, the same with a stall of 2 s, to its exact value, ${size} bodies`,
      measured: `${told.toFixed(0)} ms to ${exact.toFixed(0)} ms (${((told / exact - 1) * 100).toFixed(1)} %), ${stalled.dropped} dropped`,
      bar: 'within 5 %',
    },
  ];
}

function lagText({ n, p50Ms, p99Ms, maxMs }: Lag): string {
  return `p50 ${p50Ms?.toFixed(2)} ms, p99 ${p99Ms?.toFixed(2)} ms, at most ${maxMs.toFixed(1)} ms, n = ${n}`;
}
