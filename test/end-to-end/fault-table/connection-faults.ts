import { type Fault, fault, IMAGE_HEAD, image, PNG } from './fault.ts';

/** What goes wrong below HTTP. */
export const CONNECTION_FAULTS: readonly Fault[] = [
  fault('nobody listens', 'cancelled connect_refused', 'started', {
    base: 'closed',
    open: true,
    asked: { submit: 0 },
    stops: 'unreachable',
  }),
  fault('a host without an address', 'cancelled dns_failed', 'started', {
    base: 'no_such_host',
    asked: { submit: 0 },
    stops: 'unreachable',
  }),
  fault('a connection that is reset before the head', 'error connection_dropped', 'started sent', {
    submit: [[{ finish: 'reset' }]],
    open: true,
    http: null,
  }),
  fault('a connection that is reset within the body', 'error truncated_body', 'started sent headers', {
    submit: [[IMAGE_HEAD, PNG.subarray(0, 5), { waitMs: 20 }, { finish: 'reset' }]],
    open: true,
    http: 200,
  }),
  fault('a server that accepts and says nothing', 'timed_out timed_out', 'started sent', {
    submit: [[]],
    timeoutMs: 1_000,
    open: true,
    http: null,
  }),
  fault('a body that comes a byte at a time, too slowly', 'timed_out timed_out', 'started sent headers', {
    submit: [[IMAGE_HEAD, ...[...PNG].flatMap((byte) => [Buffer.of(byte), { waitMs: 200 }])]],
    timeoutMs: 1_500,
    open: true,
    http: 200,
  }),
  fault('a reply a byte at a time, fast enough', 'ok', 'started sent headers accepted ready firstByte done', {
    submit: [[...[...IMAGE_HEAD], ...[...PNG].map((byte) => Buffer.of(byte))]],
    http: 200,
  }),
  // What has been sent by then depends on which comes first.
  fault('a greeting before the request', 'error bad_http', 'started sent?', {
    greeting: ['220 mail.example ESMTP\r\n'],
    submit: [image()],
    http: null,
    asked: { submit: null },
  }),
  fault('a certificate that nobody vouches for', 'error tls_failed', 'started', {
    tls: 'self_signed',
    base: 'https',
    submit: [image()],
    open: true,
    http: null,
    asked: { submit: 0 },
  }),
  fault('a version of TLS that is too old', 'error tls_failed', 'started', {
    tls: 'old',
    base: 'https',
    asked: { submit: 0 },
  }),
  fault('TLS where HTTP is expected', 'error connection_dropped', 'started sent', {
    tls: 'self_signed',
    base: 'http',
    asked: { submit: 0 },
  }),
  fault('a connection that is reset within the TLS handshake', 'cancelled connect_failed', 'started', {
    base: 'https',
    greeting: [{ finish: 'reset' }],
    asked: { submit: 0 },
    stops: 'unreachable',
  }),
  fault('a TLS handshake that is never answered', 'timed_out timed_out', 'started', {
    base: 'https',
    timeoutMs: 300,
    asked: { submit: 0 },
  }),
];
