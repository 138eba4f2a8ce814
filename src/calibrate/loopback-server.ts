import { createServer } from 'node:http';
import type { MessagePort } from 'node:worker_threads';
import { parentPort } from 'node:worker_threads';

/*
 * The server of the loopback round trips: a thread, so that its work is not on the thread that takes timestamps, and so
 * that it always ends with this process.
 */

/** Body of the reply by the size that is requested. */
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
