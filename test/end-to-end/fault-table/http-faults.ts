import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Fault, head, IMAGE_HEAD, image, PNG, reply } from './fault.ts';

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
    ([what, bytes, says]): Fault => ({
      fault: `a head with ${what}`,
      submit: [[bytes, { waitMs: 20 }, { finish: 'end' }]],
      gives: 'error bad_http',
      says,
      http: null,
      marks: 'started sent',
    }),
  ),
  {
    fault: 'a status below 100 that the parser takes',
    submit: [[head('HTTP/1.1 099 Nothing', 'content-length: 0')]],
    gives: 'error bad_http',
    http: null,
    marks: 'started sent',
  },
  {
    fault: '200 informational replies before the reply',
    submit: [['HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(200), ...image()]],
    gives: 'ok',
    http: 200,
    marks: DELIVERED,
  },
  {
    fault: 'informational replies without end',
    submit: [[{ repeat: Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)) }]],
    timeoutMs: 1_000,
    open: true,
    gives: 'timed_out timed_out',
    http: null,
    marks: 'started sent',
  },
  {
    fault: 'HTTP/1.0 without a length',
    submit: [[head('HTTP/1.0 200 OK', TYPE), PNG, { finish: 'end' }]],
    gives: 'ok',
    http: 200,
    marks: DELIVERED,
  },
  {
    fault: 'HTTP/1.0 that is cut off without a length',
    submit: [[head('HTTP/1.0 200 OK', TYPE), PNG.subarray(0, 4), { waitMs: 20 }, { finish: 'reset' }]],
    gives: 'error truncated_body',
    http: 200,
    marks: 'started sent headers',
  },
  {
    fault: 'chunks that are cut off before the last one, on a connection to be closed',
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
    gives: 'error truncated_body',
    http: 200,
    marks: 'started sent headers',
  },
  {
    fault: 'the same header a hundred times',
    submit: [image(...Array.from({ length: 100 }, (_, at) => `set-cookie: a${at}=b`))],
    gives: 'ok',
    http: 200,
    marks: DELIVERED,
  },
  { fault: 'two types of media', submit: [image('content-type: text/html')], gives: 'ok', http: 200, marks: DELIVERED },
  {
    fault: 'headers of 100 KiB',
    submit: [image(`x-long: ${'a'.repeat(100 * 1024)}`)],
    gives: 'error headers_too_large',
    http: null,
    marks: 'started sent',
  },
  {
    fault: 'headers without end',
    submit: [[`${OK}\r\n`, { repeat: Buffer.from(`x: ${'a'.repeat(1000)}\r\n`) }]],
    open: true,
    gives: 'error headers_too_large',
    http: null,
    marks: 'started sent',
  },
  {
    fault: 'a length shorter than the body',
    submit: [[head(OK, TYPE, 'content-length: 10'), PNG, 'and more']],
    gives: 'ok',
    http: 200,
    marks: DELIVERED,
  },
  {
    fault: 'a length longer than the body',
    submit: [[head(OK, TYPE, 'content-length: 11'), PNG, { finish: 'end' }]],
    gives: 'error truncated_body',
    http: 200,
    marks: 'started sent headers',
  },
  {
    fault: 'a length above the limit of a body',
    submit: [[head(OK, TYPE, 'content-length: 999999999999')]],
    gives: 'error body_too_large',
    http: 200,
    marks: 'started sent headers',
  },
  {
    fault: 'a body without end',
    submit: [[CHUNKED, { repeat: Buffer.from(`100000\r\n${'\0'.repeat(0x10_0000)}\r\n`) }]],
    open: true,
    gives: 'error body_too_large',
    http: 200,
    marks: 'started sent headers',
  },
  {
    fault: 'chunks whose size is no number',
    submit: [[CHUNKED, 'ten\r\n', PNG, '\r\n0\r\n\r\n']],
    gives: 'error bad_http',
    http: 200,
    marks: 'started sent headers',
  },
  {
    fault: 'a chunk longer than it says',
    submit: [[CHUNKED, '4\r\n', PNG, '\r\n0\r\n\r\n']],
    gives: 'error bad_http',
    http: 200,
    marks: 'started sent headers',
  },
  {
    fault: 'chunks without the last one',
    submit: [[CHUNKED, 'a\r\n', PNG, '\r\n', { waitMs: 20 }, { finish: 'end' }]],
    gives: 'error truncated_body',
    http: 200,
    marks: 'started sent headers',
  },
  {
    fault: 'a gzip bomb',
    submit: [reply(200, [TYPE, 'content-encoding: gzip'], gzipSync(ZEROS))],
    gives: 'error encoded_body',
    http: 200,
    marks: 'started sent headers',
  },
  {
    fault: 'a brotli bomb',
    submit: [reply(200, [TYPE, 'content-encoding: br'], brotliCompressSync(ZEROS))],
    gives: 'error encoded_body',
    http: 200,
    marks: 'started sent headers',
  },
  {
    fault: 'an encoding within an encoding',
    submit: [reply(200, [TYPE, 'content-encoding: gzip, gzip'], gzipSync(gzipSync(ZEROS)))],
    gives: 'error encoded_body',
    http: 200,
    marks: 'started sent headers',
  },
  {
    fault: 'a second reply behind the first',
    submit: [[...image(), ...image()]],
    gives: 'ok',
    http: 200,
    marks: DELIVERED,
  },
  {
    fault: 'a 204 in place of an image',
    submit: [[head('HTTP/1.1 204 No Content')]],
    gives: 'invalid_media unexpected_media',
    http: 204,
    marks: DELIVERED,
  },
  {
    fault: 'an empty image',
    submit: [reply(200, [TYPE])],
    gives: 'invalid_media unexpected_media',
    http: 200,
    marks: DELIVERED,
  },
  {
    fault: 'a redirect of the submit',
    submit: [reply(307, ['location: http://127.0.0.1:9/'])],
    gives: 'error redirected',
    http: 307,
    marks: 'started sent headers refused',
  },
  {
    fault: 'a length that hides the end of the head',
    submit: [[IMAGE_HEAD.replace('10', '10, 10'), PNG]],
    gives: 'error bad_http',
    http: null,
    marks: 'started sent',
  },
];
