import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Spread } from '../../record/calibration.ts';
import { createTransport } from '../../targets/transport.ts';
import type { Transport } from '../../targets/wire.ts';
import { type Effort, type SamplingEdge, timePart } from './sampling.ts';

/** Idle time before each round trip: back to back the thread would never sleep, as it does in a run. */
const PAUSE_MS = 2;

const MOST_BYTES = 4 * 1024 * 1024;

interface RoundTrips {
  readonly roundTrip: Spread;
  readonly mediaRoundTrip: Spread;
}

/**
 * Latencies of a small and of a 1.5 MB reply over loopback HTTP, to the last byte, through the transport of runs, on an
 * open connection. Null when aborted.
 */
export async function timeRoundTrips(effort: Effort, edge: SamplingEdge): Promise<RoundTrips | null> {
  // The server needs no environment, least of all keys.
  const server = new Worker(new URL('./loopback-server.js', import.meta.url), { env: {} });
  const transport = createTransport({ now: edge.now, connections: 1 });
  try {
    const [port] = await once(server, 'message');
    const time = (name: string, path: string) => {
      const trip = () => exchange(transport, `http://127.0.0.1:${port}${path}`, edge);
      return timePart(name, trip, { ...effort, pauseMs: PAUSE_MS }, edge);
    };
    const roundTrip = await time('loopback round trip', '/small');
    const mediaRoundTrip = await time('loopback round trip of 1.5 MB', '/media');
    return roundTrip === null || mediaRoundTrip === null ? null : { roundTrip, mediaRoundTrip };
  } finally {
    await transport.close();
    await server.terminate();
  }
}

const PROMPT = new TextEncoder().encode(JSON.stringify({ prompt: 'A red fox running through fresh snow', seed: 1 }));

async function exchange(transport: Transport, url: string, { now, signal }: SamplingEdge): Promise<number> {
  const startedMs = now();
  const reply = await transport.send(
    { method: 'POST', url, headers: [['content-type', 'application/json']], body: PROMPT, addresses: 'any' },
    { signal, limits: { bodyBytes: MOST_BYTES } },
  );
  if (reply.ok && reply.status === 200) return reply.marks.doneMs - startedMs;
  if (signal.aborted) return 0;
  const fault = reply.ok ? `status ${reply.status}` : `${reply.code}: ${reply.message}`;
  throw new Error(`calibration could not reach its own server on 127.0.0.1 (${fault})`);
}
