import { createServer } from 'node:http';
import type { MessagePort } from 'node:worker_threads';
import { parentPort } from 'node:worker_threads';

/* A thread: its work is not on the one that takes timestamps, and it always ends with this process. */

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
