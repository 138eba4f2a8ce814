import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { crc32 } from 'node:zlib';
import { createRandom } from '../../../src/statistics/random.ts';

/*
 * A server in a process of its own that knows what it took: it stamps when a request has come and when the last byte of
 * its answer was handed to the system, on the monotonic clock. Answers come after a delay with a long tail, drawn from
 * the request's seed, so that the same requests meet the same delays whoever sends them. Each answer is the image of
 * the given file with a text chunk of its own, so that no two are equal.
 */

const MEDIAN_DELAY_MS = 200;
const SIGMA = 0.6;
/** Signature and IHDR. */
const HEAD_BYTES = 33;

const image = readFileSync(String(process.argv[2]));
const signature = image.subarray(0, HEAD_BYTES);
const rest = image.subarray(HEAD_BYTES);
let taken: [seed: number, ms: number][] = [];

const nowMs = () => Number(process.hrtime.bigint()) / 1e6;
process.on('message', () => {
  process.send?.(taken);
  taken = [];
});
process.on('disconnect', () => process.exit());

const server = createServer((request, response) => {
  const receivedMs = nowMs();
  let body = '';
  request.on('data', (piece: Buffer) => {
    body += piece.toString('latin1');
  });
  request.on('end', () => {
    const seed = Number(/"seed":(\d+)/.exec(body)?.[1]);
    const begin = Buffer.concat([signature, textChunk(`seed\0${seed}`)]);
    response.on('finish', () => taken.push([seed, nowMs() - receivedMs]));
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': begin.length + rest.length });
      response.write(begin);
      response.end(rest);
    }, delayOf(seed));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
});

/** Lognormal: a median and, of its logarithm, a standard deviation; normal numbers by Box and Muller. */
function delayOf(seed: number): number {
  const { uniform } = createRandom(seed);
  const normal = Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return MEDIAN_DELAY_MS * Math.exp(SIGMA * normal);
}

/** A tEXt chunk: length, type, text, CRC over type and text. */
function textChunk(text: string): Buffer {
  const body = Buffer.from(`tEXt${text}`, 'latin1');
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
