import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { Json } from '../../../../src/kit/json.ts';
import { mayGoOn } from '../../../../src/record/trial-histories.ts';
import type { CallEvent } from '../../../../src/targets/call-event.ts';
import { type Seen, serve } from '../../loopback.ts';
import { readTarget, SMALLEST } from '../../target-fixture.ts';
import { call, json, KEY, png } from '../calling.ts';

type Keys = { readonly [key: string]: Json };

const CANCEL = { path: '/jobs/${job.id}/cancel', body: { id: '${job.id}', why: 'abandoned' } };

function jobKeys(cancel: Json, poll: Keys = {}): Keys {
  return {
    wait: {
      capture: { id: '$.id', gone: '$.gone' },
      poll: { path: '/jobs/${job.id}', min_every: '5ms', ...poll },
      cancel,
      state: { at: '$.state', running: ['working'], success: ['done'], failure: ['broken'] },
    },
    result: { from: 'url', at: '$.url' },
  };
}

/** A job that is worked on for so many polls; what else is asked is answered by `cancel`. */
function serveJob(polls: number, cancel: (response: ServerResponse) => void = (response) => json(response, 200, {})) {
  let polled = 0;
  return serve((seen, response) => {
    if (seen.url === '/generate') return json(response, 202, { id: 'j-1' });
    if (seen.url.startsWith('/media')) return png(response);
    if (seen.method !== 'GET') return cancel(response);
    polled += 1;
    json(response, 200, polled > polls ? { state: 'done', url: '/media/1.png' } : { state: 'working' });
  });
}

const asked = (seen: readonly Seen[]) =>
  seen
    .filter(({ method, url }) => method !== 'GET' && url !== '/generate')
    .map(({ method, url }) => `${method} ${url}`);

test('a job that is abandoned at a time limit is cancelled once, with the credential and what names it', async () => {
  const server = await serveJob(Number.POSITIVE_INFINITY);
  const { result } = await call(server.url, { keys: jobKeys(CANCEL, { deadline: '100ms' }) });
  expect(result).toMatchObject({ outcome: 'timed_out', cancel: { cancelled: true, httpStatus: 200, code: null } });
  expect(asked(server.seen)).toEqual(['POST /jobs/j-1/cancel']);
  const last = server.seen.at(-1);
  expect(last?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(JSON.parse(last?.body ?? '')).toEqual({ id: 'j-1', why: 'abandoned' });
  // What comes after the end of the call does not count as its time, and the job is no orphan.
  expect(result.endedMs).toBeLessThanOrEqual(result.cancel?.atMs ?? 0);
  expect(mayGoOn(result)).toBe(false);
});

test('a job whose call is aborted is cancelled, though the call is', async () => {
  const abort = new AbortController();
  const server = await serveJob(Number.POSITIVE_INFINITY);
  const { result } = await call(server.url, {
    keys: jobKeys({ ...CANCEL, method: 'DELETE', path: '/jobs/${job.id}' }),
    signal: abort.signal,
    tell: (event) => {
      if (event.event === 'read' && event.step === 'poll') abort.abort();
    },
  });
  expect(result).toMatchObject({ outcome: 'cancelled', cancel: { cancelled: true } });
  expect(asked(server.seen)).toEqual(['DELETE /jobs/j-1']);
});

test('a job that ends by itself is not cancelled', async () => {
  const server = await serveJob(2);
  const { result } = await call(server.url, { keys: jobKeys(CANCEL) });
  expect(result).toMatchObject({ outcome: 'ok', cancel: null });
  expect(asked(server.seen)).toEqual([]);
});

test.each([
  [204, true],
  [404, true],
  [409, true],
  [410, true],
  [400, false],
  [503, false],
])('a cancellation that is answered %i has ended the job: %s; it is not sent again', async (status, cancelled) => {
  const server = await serveJob(Number.POSITIVE_INFINITY, (response) => void response.writeHead(status).end());
  const { result } = await call(server.url, { keys: jobKeys(CANCEL, { deadline: '60ms' }) });
  const code = cancelled ? null : `cancel_http_${status}`;
  expect(result.cancel).toMatchObject({ cancelled, httpStatus: status, code });
  expect(asked(server.seen)).toHaveLength(1);
  expect(mayGoOn(result)).toBe(!cancelled);
});

test('a cancellation that is never answered is abandoned after its own limit: the job is an orphan', async () => {
  const server = await serveJob(Number.POSITIVE_INFINITY, () => {});
  const events: CallEvent[] = [];
  const { result } = await call(server.url, {
    keys: jobKeys(CANCEL, { deadline: '60ms' }),
    tell: (event) => events.push(event),
  });
  expect(result).toMatchObject({
    outcome: 'timed_out',
    cancel: { cancelled: false, httpStatus: null, code: 'cancel_timed_out' },
  });
  expect(asked(server.seen)).toHaveLength(1);
  expect(mayGoOn(result)).toBe(true);
  // It is the limit of the cancellation that was passed, none that the suite sets.
  expect(events.at(-1)).toMatchObject({
    step: 'cancel',
    reading: { error: { message: 'the service did not answer within 5 s, and may still be at work on the job' } },
  });
});

test('several requests that end a job are all sent, and one that fails leaves it an orphan', async () => {
  const both = [{ path: '/queue', body: { delete: ['${job.id}'] } }, { path: '/interrupt' }];
  let count = 0;
  const server = await serveJob(Number.POSITIVE_INFINITY, (response) => {
    count += 1;
    response.writeHead(count === 1 ? 500 : 200).end();
  });
  const { result } = await call(server.url, { keys: jobKeys(both, { deadline: '60ms' }) });
  expect(asked(server.seen)).toEqual(['POST /queue', 'POST /interrupt']);
  expect(result.cancel).toMatchObject({ cancelled: false, code: 'cancel_http_500' });
});

test('what only a cancellation names is not missed by a job that goes well, nor sent where it is missing', async () => {
  const cancel = { url: '${job.gone}' };
  expect((await call((await serveJob(1)).url, { keys: jobKeys(cancel) })).result.outcome).toBe('ok');
  const server = await serveJob(Number.POSITIVE_INFINITY);
  const { result } = await call(server.url, { keys: jobKeys(cancel, { deadline: '60ms' }) });
  expect(result).toMatchObject({ outcome: 'timed_out', cancel: { cancelled: false, code: 'bad_url' } });
  expect(asked(server.seen)).toEqual([]);
});

test('a cancellation without polls, or that names what was not captured, is a fault of the target', () => {
  const wrong = (wait: Json) => {
    const read = readTarget(JSON.stringify({ ...SMALLEST, wait }));
    return 'wrong' in read ? read.wrong.join() : '';
  };
  expect(wrong({ capture: { id: '$.id' }, cancel: CANCEL })).toContain('only a job that is polled can be cancelled');
  const { wait } = jobKeys({ path: '/jobs/${job.idd}' });
  expect(wrong(wait ?? null)).toContain('did you mean "id"?');
});
