import { gzipSync } from 'node:zlib';
import { type Fault, fault, head, image, PNG, reply } from './fault.ts';

const OK = 'HTTP/1.1 200 OK';
const TYPE = 'content-type: image/png';
const DELIVERED = 'started sent headers accepted ready firstByte done';
const CHUNKED = head(OK, TYPE, 'transfer-encoding: chunked');
const ZEROS = Buffer.alloc(16 * 1024 * 1024);

/** Heads that no parser takes: the request may have been charged, so it is not sent again. */
const BROKEN_HEADS: readonly (readonly [what: string, bytes: string, says: RegExp])[] = [
  ['two lengths that differ', head(OK, 'content-length: 2', 'content-length: 3'), /content-length/i],
  ['HTTP/2 in the clear', '\u0000\u0000\u0012\u0004\u0000\u0000\u0000\u0000\u0000', /HTTP/],
];

/** What goes wrong in HTTP itself. */
export const HTTP_FAULTS: readonly Fault[] = [
  ...BROKEN_HEADS.map(
    ([what, bytes, says]): Fault =>
      fault(`a head with ${what}`, 'error bad_http', 'started sent', {
        submit: [[bytes, { waitMs: 20 }, { finish: 'end' }]],
        says,
        http: null,
      }),
  ),
  fault('informational replies without end', 'timed_out timed_out', 'started sent', {
    submit: [[{ repeat: Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)) }]],
    timeoutMs: 1_000,
    open: true,
    http: null,
  }),
  fault('HTTP/1.0 that is cut off without a length', 'error truncated_body', 'started sent headers', {
    submit: [[head('HTTP/1.0 200 OK', TYPE), PNG.subarray(0, 4), { waitMs: 20 }, { finish: 'reset' }]],
    http: 200,
  }),
  fault('two types of media', 'ok', DELIVERED, { submit: [image('content-type: text/html')], http: 200 }),
  fault('headers without end', 'error headers_too_large', 'started sent', {
    submit: [[`${OK}\r\n`, { repeat: Buffer.from(`x: ${'a'.repeat(1000)}\r\n`) }]],
    open: true,
    http: null,
  }),
  fault('a length shorter than the body', 'ok', DELIVERED, {
    submit: [[head(OK, TYPE, 'content-length: 10'), PNG, 'and more']],
    http: 200,
  }),
  fault('a body without end', 'error body_too_large', 'started sent headers', {
    // 256 MiB for each, also where the machine has other work.
    timeoutMs: 200_000,
    submit: [[CHUNKED, { repeat: Buffer.from(`100000\r\n${'\0'.repeat(0x10_0000)}\r\n`) }]],
    open: true,
    http: 200,
  }),
  fault('a chunk longer than it says', 'error bad_http', 'started sent headers', {
    submit: [[CHUNKED, '4\r\n', PNG, '\r\n0\r\n\r\n']],
    http: 200,
  }),
  fault('a gzip bomb', 'error encoded_body', 'started sent headers', {
    submit: [reply(200, [TYPE, 'content-encoding: gzip'], gzipSync(ZEROS))],
    http: 200,
  }),
  fault('a second reply behind the first', 'ok', DELIVERED, { submit: [[...image(), ...image()]], http: 200 }),
  fault('a 204 in place of an image', 'invalid_media unexpected_media', DELIVERED, {
    submit: [[head('HTTP/1.1 204 No Content')]],
    http: 204,
  }),
  fault('a redirect of the submit', 'error redirected', 'started sent headers refused', {
    submit: [reply(307, ['location: http://127.0.0.1:9/'])],
    http: 307,
  }),
];
