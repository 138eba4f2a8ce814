import { createServer } from 'node:http';

/*
 * A server in a process of its own: answers every POST with the same image-like body at once. Its own cost is the
 * same for everything that is measured against it.
 */

const bytes = Number(process.argv[2]);
const body = Buffer.alloc(bytes, 7);
Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(body);

// Every reply differs in a few bytes, so that each output has a digest of its own and is stored.
let replies = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    replies += 1;
    const reply = Buffer.from(body);
    reply.writeUInt32BE(replies, 16);
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': reply.length });
    response.end(reply);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
});
process.on('disconnect', () => process.exit());
