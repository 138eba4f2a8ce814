import { MessageChannel } from 'node:worker_threads';

/** A port whose other end is closed: what is handed over to it is freed at once. */
const nowhere = (() => {
  const { port1, port2 } = new MessageChannel();
  port1.unref();
  port2.close();
  return port1;
})();

/**
 * Gives back the memory of bytes that nobody needs any more; they are empty from then on. Left to the collector, the
 * outputs of a few hundred calls lie in memory, and V8 answers that with full collections, ten in a second under load.
 */
export function freeBytes(bytes: Uint8Array): void {
  if (bytes.buffer instanceof ArrayBuffer) nowhere.postMessage(null, [bytes.buffer]);
}
