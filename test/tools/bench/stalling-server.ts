import { createServer } from 'node:http';

/*
 * A server in a process of its own: answers every POST at once with an image-like body, each another, but for a stall it is
 * told of, in which nothing is answered. Times are milliseconds on the monotonic clock that all processes share.
 */

const body = Buffer.alloc(Number(process.argv[2]), 7);
Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(body);
let stall = { fromMs: 0, untilMs: 0 };

const nowMs = () => Number(process.hrtime.bigint()) / 1e6;
process.on('message', (told: typeof stall) => {
  stall = told;
});
process.on('disconnect', () => process.exit());

let replies = 0;
const server = createServer((request, response) => {
  const answer = () => {
    replies += 1;
    const reply = Buffer.from(body);
    reply.writeUInt32BE(replies, 16);
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': reply.length });
    response.end(reply);
  };
  request.resume().on('end', () => {
    const leftMs = stall.untilMs - nowMs();
    if (leftMs > 0 && nowMs() >= stall.fromMs) setTimeout(answer, leftMs);
    else answer();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
});
