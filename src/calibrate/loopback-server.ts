import { createServer } from 'node:http';
import type { MessagePort } from 'node:worker_threads';
import { parentPort } from 'node:worker_threads';

/*
 * The other side of the loopback round trips: answers at once, in a thread of its own so that its work is not on the
 * thread that stamps. A thread and not a process, so that it cannot be left behind, however this process ends.
 */

/** What is asked for, and how many bytes come back. */
const REPLIES: Readonly<Record<string, Buffer>> = {
  '/small': Buffer.alloc(256, 'a'),
  '/media': Buffer.alloc(1_500_000, 7),
};

function serve(port: MessagePort): void {
  const server = createServer((request, response) => {
    const body = REPLIES[request.url ?? ''];
    request.resume().on('end', () => {
      if (body === undefined) response.writeHead(404).end();
      else
        response
          .writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': body.length })
          .end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') port.postMessage(address.port);
  });
}

if (parentPort !== null) serve(parentPort);
