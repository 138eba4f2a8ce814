import { behindUrl, type Fault, image, job, json, reply } from './fault.ts';

const WORKING = json({ state: 'working' });
const DONE = json({ state: 'done', url: '/media/1.png' });
const JOB = 'started sent headers accepted';
const POLLED = `${JOB} lastPending`;
const READY = `${POLLED} ready`;
const DELIVERED = `${POLLED} ready firstByte done`;
/** Asks for a short wait, so that the table is not slow. */
const AGAIN = 'retry-after-ms: 10';

/** What goes wrong while a job is asked after, and after it is done. */
export const JOB_FAULTS: readonly Fault[] = [
  job('a job that is not found at first', 'ok', DELIVERED, {
    poll: [json({}, 404), json({}, 404), DONE],
    media: [image()],
    open: true,
    http: 200,
    asked: { poll: 3, media: 1 },
  }),
  job('a job that is never found', 'error job_lost', POLLED, {
    poll: [json({ why: 'no such job' }, 404)],
    open: true,
    says: /no such job.*no poll found the job/,
    http: 404,
    asked: { poll: 3 },
  }),
  job('a job that one of several replicas does not find', 'ok', `${JOB} running lastPending ready firstByte done`, {
    poll: [WORKING, json({}, 404), WORKING, json({}, 404), json({}, 404), DONE],
    media: [image()],
    http: 200,
    asked: { poll: 6, media: 1 },
  }),
  job('a job that is found no more', 'error job_lost', `${JOB} running lastPending`, {
    poll: [WORKING, json({}, 404)],
    says: /the last poll that found the job said running/,
    http: 404,
    asked: { poll: 4 },
  }),
  job(
    'a job that is not found by a rule that reads the reply: it is not asked after again',
    'rejected job_expired',
    POLLED,
    {
      target: { fail: [{ when: { at: '$.code', in: ['job_expired'] }, is: 'rejected', code: '$.code' }] },
      poll: [json({ code: 'job_expired' }, 404), DONE],
      http: 404,
      asked: { poll: 1 },
    },
  ),
  job('polls that fail with HTTP 500 for good', 'error poll_http_500', POLLED, {
    poll: [json({ error: 'down' }, 500, AGAIN)],
    open: true,
    says: /down/,
    http: 500,
    asked: { poll: 3 },
  }),
  job('a server that goes away while a job is asked after, and returns', 'ok', DELIVERED, {
    poll: [[{ finish: 'reset' }], DONE],
    media: [image()],
    http: 200,
    asked: { poll: 2, media: 1 },
  }),
  job('a poll whose head is broken: it is not sent again', 'error poll_bad_http', POLLED, {
    poll: [['HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'], DONE],
    says: /content-length/i,
    asked: { poll: 1 },
  }),
  job('a state that flaps back', 'ok', `${JOB} running lastPending ready firstByte done`, {
    poll: [WORKING, json({ state: 'queued' }), WORKING, DONE],
    media: [image()],
    http: 200,
  }),
  job('a job that never ends', 'timed_out timed_out', `${JOB} running lastPending`, {
    poll: [WORKING],
    timeoutMs: 2_000,
    open: true,
    says: /running/,
    http: 200,
  }),
  job('media behind an expired URL', 'error download_http_403', READY, {
    poll: [DONE],
    media: [reply(403, ['content-type: application/xml'], '<Error><Code>AccessDenied</Code></Error>')],
    open: true,
    says: /AccessDenied/,
    http: 403,
    asked: { poll: 1, media: 1 },
  }),
  behindUrl('redirects without end', 'error too_many_redirects', 'started sent headers accepted ready', {
    media: [reply(302, ['location: /media/1.png'])],
    open: true,
    asked: { media: 6 },
  }),
  // A reply may hold the bytes as a data URI; a redirect may not lead to one.
  ...['file:///etc/passwd', 'data:image/png;base64,iVBORw0KGgo='].map((url) =>
    behindUrl(`a redirect to ${url}`, 'error bad_url', 'started sent headers accepted ready', {
      media: [reply(302, [`location: ${url}`])],
      asked: { media: 1 },
    }),
  ),
  // Where the base is a public name, media must not come from this machine; test/targets/call has each way to write that.
  ...['127.0.0.1', 'localhost', '[::ffff:7f00:1]'].map((host) =>
    behindUrl(`a redirect to ${host}`, 'error download_address_refused', 'started sent headers accepted ready', {
      base: 'name',
      target: { origins: { download: ['*'] } },
      media: [reply(302, [`location: http://${host}:TRAP/1.png`])],
      asked: { media: 1 },
    }),
  ),
  behindUrl('a redirect to another host', 'error download_refused', 'started sent headers accepted ready', {
    media: [reply(302, ['location: http://elsewhere.example/1.png'])],
    asked: { media: 1 },
  }),
  behindUrl('a redirect without a place', 'error bad_url', 'started sent headers accepted ready', {
    media: [reply(302, [])],
    asked: { media: 1 },
  }),
];
