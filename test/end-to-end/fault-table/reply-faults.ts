import { type Fault, fault, json, PNG, reply } from './fault.ts';

const JSON_TYPE = 'content-type: application/json';
const ANSWERED = 'started sent headers accepted';
const REFUSED = 'started sent headers refused';
const DELIVERED = 'started sent headers accepted ready firstByte done';
const IMAGE = PNG.toString('base64');

function text(body: string | Buffer): readonly [ReturnType<typeof reply>] {
  return [reply(200, [JSON_TYPE], body)];
}

/** What is wrong in a reply that is whole. */
export const REPLY_FAULTS: readonly Fault[] = [
  fault('JSON that ends in the middle', 'error bad_json', ANSWERED, {
    from: 'b64',
    submit: text('{"image": "'),
    http: 200,
  }),
  fault('JSON with one key twice: the last one counts', 'ok', DELIVERED, {
    from: 'b64',
    submit: text(`{"image":"none","image":"${IMAGE}"}`),
    http: 200,
  }),
  fault('JSON of 10 million small values', 'error json_too_large', REFUSED, {
    from: 'b64',
    submit: text(`[${'0,'.repeat(10_000_000)}0]`),
    open: true,
    http: 200,
  }),
  fault('JSON with a prototype in it', 'error no_result', ANSWERED, {
    from: 'b64',
    submit: text('{"__proto__":{"image":"x"},"constructor":{"prototype":{"image":"y"}}}'),
    http: 200,
  }),
  fault('base64 of a text', 'invalid_media unexpected_media', DELIVERED, {
    from: 'b64',
    submit: [json({ image: Buffer.from('no image at all').toString('base64') })],
    http: 200,
  }),
  fault('HTML in place of an image', 'invalid_media unexpected_media', DELIVERED, {
    submit: [reply(200, ['content-type: text/html'], '<html>Sign in</html>')],
    open: true,
    says: /Sign in/,
    http: 200,
  }),
  fault('JSON in place of an image, called an image', 'invalid_media unexpected_media', DELIVERED, {
    submit: [reply(200, ['content-type: image/png'], '{"error":"busy"}')],
    says: /busy/,
    http: 200,
  }),
  fault('an image that is called HTML', 'ok', DELIVERED, {
    submit: [reply(200, ['content-type: text/html'], PNG)],
    http: 200,
  }),
  fault('terminal codes in an error message', 'error http_500', REFUSED, {
    submit: [json({ error: '\u001b[2J\u001b]0;x\u0007 broken' }, 500)],
    says: /^[^\u001b\u0007]*broken/,
    http: 500,
  }),
  fault('HTTP 500: a submit is not sent again', 'error http_500', REFUSED, {
    submit: [json({}, 500)],
    open: true,
    http: 500,
  }),
  fault('HTTP 503 with a wait', 'error http_503', REFUSED, { submit: [json({}, 503, 'retry-after: 1')] }),
  fault('HTTP 400', 'rejected http_400', REFUSED, { submit: [json({ message: 'no' }, 400)], http: 400 }),
  fault('a status that nobody knows', 'error http_799', REFUSED, { submit: [reply(799, [])], http: 799 }),
  fault('HTTP 429 where throttling fails', 'throttled http_429', REFUSED, {
    target: { fail: [{ when: { status: 429 }, is: 'throttled', after: 'header:retry-after-ms' }] },
    submit: [json({}, 429, 'retry-after-ms: 20')],
    open: true,
    http: 429,
  }),
  fault('HTTP 429 without end, until the time is over', 'throttled http_429', REFUSED, {
    target: { fail: [{ when: { status: 429 }, is: 'throttled', after: 'header:retry-after-ms' }] },
    onThrottle: 'wait',
    submit: [json({}, 429, 'retry-after-ms: 999999')],
    says: /past the time limit/,
    http: 429,
  }),
  fault('HTTP 429 with dates of a clock that has jumped', 'ok', DELIVERED, {
    target: { fail: [{ when: { status: 429 }, is: 'throttled', after: 'header:retry-after' }] },
    onThrottle: 'wait',
    submit: [
      json({}, 429, 'date: Thu, 01 Jan 2099 00:00:00 GMT', 'retry-after: Thu, 01 Jan 2099 00:00:01 GMT'),
      json({}, 429, 'date: Thu, 01 Jan 1970 00:00:00 GMT', 'retry-after: Thu, 01 Jan 1970 00:00:01 GMT'),
      reply(200, ['content-type: image/png'], PNG),
    ],
    http: 200,
    asked: { submit: 3 },
  }),
  fault('HTTP 429 where throttling stops', 'throttled http_429', REFUSED, {
    target: { fail: [{ when: { status: 429 }, is: 'throttled' }] },
    onThrottle: 'stop',
    submit: [json({}, 429)],
    stops: 'throttled',
  }),
  fault('throttling within a 200', 'throttled throttled', REFUSED, {
    from: 'b64',
    target: { fail: [{ when: { at: '$.error', in: ['rate_limited'] }, is: 'throttled' }] },
    submit: [json({ error: 'rate_limited' })],
    http: 200,
  }),
  fault('no credit', 'no_credit http_402', REFUSED, {
    target: { fail: [{ when: { status: 402 }, is: 'no_credit' }] },
    submit: [json({}, 402)],
    http: 402,
    stops: 'no_credit',
  }),
];
