import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Fault, fault, head, IMAGE_HEAD, image, PNG, reply } from './fault.ts';

const OK = 'HTTP/1.1 200 OK';
const TYPE = 'content-type: image/png';
const DELIVERED = 'started sent headers accepted ready firstByte done';
const CHUNKED = head(OK, TYPE, 'transfer-encoding: chunked');
const ZEROS = Buffer.alloc(16 * 1024 * 1024);

/** A head that no parser takes: the request may have been charged, so it is not sent again. */
const BROKEN_HEADS: readonly (readonly [what: string, bytes: string, says: RegExp])[] = [
  ['two lengths that differ', head(OK, 'content-length: 2', 'content-length: 3'), /content-length/i],
  [
    'a length beside chunks',
    head(OK, 'content-length: 2', 'transfer-encoding: chunked'),
    /content-length|transfer-encoding/i,
  ],
  ['an astronomic length', head(OK, `content-length: ${'9'.repeat(40)}`), /content-length/i],
  ['a negative length', head(OK, 'content-length: -1'), /content-length/i],
  ['a length that is no number', head(OK, 'content-length: ten'), /content-length/i],
  ['the status 000', head('HTTP/1.1 000 Nothing', 'content-length: 0'), /status/i],
  ['a status of four digits', head('HTTP/1.1 2000 OK', 'content-length: 0'), /./],
  ['ESC in a header', head(OK, 'x: a\u001bb', 'content-length: 0'), /header/i],
  ['a header without a name', head(OK, ': nameless', 'content-length: 0'), /header/i],
  ['no HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n', /HTTP/],
  ['the answer of another protocol', 'ICY 200 OK\r\n\r\n', /HTTP/],
  ['HTTP/2 in the clear', '\u0000\u0000\u0012\u0004\u0000\u0000\u0000\u0000\u0000', /HTTP/],
  [
    'a change of protocol',
    head('HTTP/1.1 101 Switching Protocols', 'upgrade: websocket', 'connection: upgrade'),
    /protocol/,
  ],
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
  fault('a status below 100 that the parser takes', 'error bad_http', 'started sent', {
    submit: [[head('HTTP/1.1 099 Nothing', 'content-length: 0')]],
    http: null,
  }),
  fault('200 informational replies before the reply', 'ok', DELIVERED, {
    submit: [['HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(200), ...image()]],
    http: 200,
  }),
  fault('informational replies without end', 'timed_out timed_out', 'started sent', {
    submit: [[{ repeat: Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)) }]],
    timeoutMs: 1_000,
    open: true,
    http: null,
  }),
  fault('HTTP/1.0 without a length', 'ok', DELIVERED, {
    submit: [[head('HTTP/1.0 200 OK', TYPE), PNG, { finish: 'end' }]],
    http: 200,
  }),
  fault('HTTP/1.0 that is cut off without a length', 'error truncated_body', 'started sent headers', {
    submit: [[head('HTTP/1.0 200 OK', TYPE), PNG.subarray(0, 4), { waitMs: 20 }, { finish: 'reset' }]],
    http: 200,
  }),
  fault(
    'chunks that are cut off before the last one, on a connection to be closed',
    'error truncated_body',
    'started sent headers',
    {
      submit: [
        [
          head(OK, TYPE, 'transfer-encoding: chunked', 'connection: close'),
          'a\r\n',
          PNG,
          '\r\n',
          { waitMs: 20 },
          { finish: 'reset' },
        ],
      ],
      http: 200,
    },
  ),
  fault('the same header a hundred times', 'ok', DELIVERED, {
    submit: [image(...Array.from({ length: 100 }, (_, at) => `set-cookie: a${at}=b`))],
    http: 200,
  }),
  fault('two types of media', 'ok', DELIVERED, { submit: [image('content-type: text/html')], http: 200 }),
  fault('headers of 100 KiB', 'error headers_too_large', 'started sent', {
    submit: [image(`x-long: ${'a'.repeat(100 * 1024)}`)],
    http: null,
  }),
  fault('headers without end', 'error headers_too_large', 'started sent', {
    submit: [[`${OK}\r\n`, { repeat: Buffer.from(`x: ${'a'.repeat(1000)}\r\n`) }]],
    open: true,
    http: null,
  }),
  fault('a length shorter than the body', 'ok', DELIVERED, {
    submit: [[head(OK, TYPE, 'content-length: 10'), PNG, 'and more']],
    http: 200,
  }),
  fault('a length longer than the body', 'error truncated_body', 'started sent headers', {
    submit: [[head(OK, TYPE, 'content-length: 11'), PNG, { finish: 'end' }]],
    http: 200,
  }),
  fault('a length above the limit of a body', 'error body_too_large', 'started sent headers', {
    submit: [[head(OK, TYPE, 'content-length: 999999999999')]],
    http: 200,
  }),
  fault('a body without end', 'error body_too_large', 'started sent headers', {
    submit: [[CHUNKED, { repeat: Buffer.from(`100000\r\n${'\0'.repeat(0x10_0000)}\r\n`) }]],
    open: true,
    http: 200,
  }),
  fault('chunks whose size is no number', 'error bad_http', 'started sent headers', {
    submit: [[CHUNKED, 'ten\r\n', PNG, '\r\n0\r\n\r\n']],
    http: 200,
  }),
  fault('a chunk longer than it says', 'error bad_http', 'started sent headers', {
    submit: [[CHUNKED, '4\r\n', PNG, '\r\n0\r\n\r\n']],
    http: 200,
  }),
  fault('chunks without the last one', 'error truncated_body', 'started sent headers', {
    submit: [[CHUNKED, 'a\r\n', PNG, '\r\n', { waitMs: 20 }, { finish: 'end' }]],
    http: 200,
  }),
  fault('a gzip bomb', 'error encoded_body', 'started sent headers', {
    submit: [reply(200, [TYPE, 'content-encoding: gzip'], gzipSync(ZEROS))],
    http: 200,
  }),
  fault('a brotli bomb', 'error encoded_body', 'started sent headers', {
    submit: [reply(200, [TYPE, 'content-encoding: br'], brotliCompressSync(ZEROS))],
    http: 200,
  }),
  fault('an encoding within an encoding', 'error encoded_body', 'started sent headers', {
    submit: [reply(200, [TYPE, 'content-encoding: gzip, gzip'], gzipSync(gzipSync(ZEROS)))],
    http: 200,
  }),
  fault('a second reply behind the first', 'ok', DELIVERED, { submit: [[...image(), ...image()]], http: 200 }),
  fault('a 204 in place of an image', 'invalid_media unexpected_media', DELIVERED, {
    submit: [[head('HTTP/1.1 204 No Content')]],
    http: 204,
  }),
  fault('an empty image', 'invalid_media unexpected_media', DELIVERED, { submit: [reply(200, [TYPE])], http: 200 }),
  fault('a redirect of the submit', 'error redirected', 'started sent headers refused', {
    submit: [reply(307, ['location: http://127.0.0.1:9/'])],
    http: 307,
  }),
  fault('a length that hides the end of the head', 'error bad_http', 'started sent', {
    submit: [[IMAGE_HEAD.replace('10', '10, 10'), PNG]],
    http: null,
  }),
];
