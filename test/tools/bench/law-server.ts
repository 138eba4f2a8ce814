import { createServer } from 'node:http';
import { createRandom } from '../../../src/statistics/random.ts';
import { SERVICE_LAWS } from '../../fixtures/simulated-service.ts';

/*
 * A server whose throughput follows from its settings: so many workers before one queue, service times of a known law.
 * A worker begins its next job when its last one was due to end, so a timer that fires late delays a reply and not the
 * work behind it. An argument of 0 workers: as many as there are requests.
 */

const [law = '', meanMs = '10', workers = '0', seed = '1'] = process.argv.slice(2);
const draw = SERVICE_LAWS.find(({ name }) => name === law)?.draw;
if (draw === undefined) throw new Error(`no such law: ${law}`);
const random = createRandom(Number(seed));
const free = new Array<number>(Number(workers)).fill(0);
const body = Buffer.alloc(1024, 7);
Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(body);

/** When a job that comes now is due to end. */
function endOf(nowMs: number): number {
  const serviceMs = draw === undefined ? 0 : draw(random) * Number(meanMs);
  if (free.length === 0) return nowMs + serviceMs;
  const worker = free.indexOf(Math.min(...free));
  const endMs = Math.max(nowMs, free[worker] ?? 0) + serviceMs;
  free[worker] = endMs;
  return endMs;
}

const server = createServer((request, response) => {
  const endMs = endOf(performance.now());
  const reply = (): void => {
    // A timer may fire up to a millisecond early.
    const leftMs = endMs - performance.now();
    if (leftMs > 0) {
      setTimeout(reply, leftMs);
      return;
    }
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': body.length });
    response.end(body);
  };
  request.resume().on('end', reply);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
});
process.on('disconnect', () => process.exit());
