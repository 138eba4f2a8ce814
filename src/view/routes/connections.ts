import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Each may hold an open file. */
const MOST_CONNECTIONS = 256;

/**
 * One connection too many takes the place of the one that has said nothing for longest, so that connections without a
 * request keep no reader out. Where all others are being answered, it is cut itself.
 */
export function limitConnections(server: Server): void {
  const open = new Set<Socket>();
  // In the order in which their last answer ended, or they came. A request whose head is not whole yet counts as none.
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    silent.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      silent.delete(socket);
    });
    if (open.size > MOST_CONNECTIONS) for (const oldest of silent) return cut(oldest);
  });
  server.on('request', ({ socket }, response) => {
    silent.delete(socket);
    response.once('close', () => {
      if (open.has(socket)) silent.add(socket);
    });
  });
  const cut = (socket: Socket): void => {
    // Its end is told of later; meanwhile others may come.
    open.delete(socket);
    silent.delete(socket);
    socket.destroy();
  };
}
