import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/kit/json.ts';
import type { AcceptedJob } from '../../../src/targets/call-event.ts';
import { type Loopback, type Seen, serve } from '../loopback.ts';
import { bytesOf, call, json, KEY, ordered, PNG, png } from './calling.ts';

type Keys = { readonly [key: string]: Json };

const STATE = { at: '$.state', pending: ['queued'], running: ['working'], success: ['done'], failure: ['broken'] };

/** A target whose job is asked after at /jobs/<id> and says where its image is. */
function jobKeys({ state = STATE, poll = {}, ...keys }: { state?: Json; poll?: Keys } & Keys = {}): Keys {
  return {
    wait: { capture: { id: '$.id' }, poll: { path: '/jobs/${job.id}', min_every: '5ms', ...poll }, state },
    result: { from: 'url', at: '$.url' },
    ...keys,
  };
}

/** Takes a job, answers the n-th poll (from 1) by `poll`, and gives an image at /media. */
function serveJob(
  poll: (count: number, response: ServerResponse, seen: Seen) => void,
  accept: Json = { id: 'j-1' },
): Promise<Loopback> {
  let polls = 0;
  return serve((seen, response) => {
    if (seen.method === 'POST') return json(response, 202, accept);
    if (seen.url.startsWith('/media')) return png(response);
    polls += 1;
    poll(polls, response, seen);
  });
}

/** Says these, the last one again and again. */
function says(...replies: readonly Json[]) {
  return (count: number, response: ServerResponse) =>
    json(response, 200, replies[Math.min(count, replies.length) - 1] ?? {});
}

/** An outcome with its code, and its message where that is worth saying. */
type Ending = readonly [outcome: string, code: string, message?: string];

const errorOf = ([code, message = expect.any(String)]: readonly (string | undefined)[]) => ({ code, message });

const DONE = { state: 'done', url: '/media/1.png' };

describe('a job', () => {
  test('a job is polled until it is done, with every mark', async () => {
    const server = await serveJob(says({ state: 'queued' }, { state: 'working' }, { state: 'working' }, DONE));
    const jobs: AcceptedJob[] = [];
    const { result } = await call(server.url, { keys: jobKeys(), accepted: (job) => void jobs.push(job) });
    expect(result).toMatchObject({ outcome: 'ok', polls: 4, downloads: 1, attempts: 1, captured: { id: 'j-1' } });
    expect(bytesOf(result)).toEqual([[...PNG]]);
    const { startedMs, headersMs, acceptedMs, runningMs, lastPendingMs, readyMs, firstByteMs, doneMs } = result.marks;
    expect(ordered(startedMs, headersMs, acceptedMs, runningMs, lastPendingMs, readyMs, firstByteMs, doneMs)).toBe(
      true,
    );
    expect(jobs).toEqual([{ captured: { id: 'j-1' }, atMs: acceptedMs }]);
    expect(structuredClone(result)).toEqual(result);
    expect(server.seen.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['POST', '/generate', `Bearer ${KEY}`],
      ...Array.from({ length: 4 }, () => ['GET', '/jobs/j-1', `Bearer ${KEY}`]),
      ['GET', '/media/1.png', `Bearer ${KEY}`],
    ]);
  });

  test('a job of an earlier process is asked after by what was captured, and nothing is submitted', async () => {
    const server = await serveJob(says({ state: 'working' }, DONE));
    const jobs: AcceptedJob[] = [];
    const { result } = await call(server.url, {
      keys: jobKeys(),
      attach: { id: 'j-9' },
      accepted: (job) => void jobs.push(job),
    });
    expect(result).toMatchObject({ outcome: 'ok', attempts: 0, polls: 2, downloads: 1, captured: { id: 'j-9' } });
    expect(bytesOf(result)).toEqual([[...PNG]]);
    expect(jobs).toEqual([]);
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /jobs/j-9',
      'GET /jobs/j-9',
      'GET /media/1.png',
    ]);
  });

  test('a job of an earlier process that the service no longer knows fails as any job does', async () => {
    const server = await serveJob((_count, response) => json(response, 404, { code: 'no_such_job' }));
    const { result } = await call(server.url, { keys: jobKeys(), attach: { id: 'gone' }, timeoutMs: 500 });
    expect(result.outcome).not.toBe('ok');
    expect(server.seen.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('a job is polled at once, so that what follows is known to a gap and not to two', async () => {
    const server = await serveJob(says({ state: 'working' }, DONE));
    const accepted: number[] = [];
    const polled: number[] = [];
    await call(server.url, {
      keys: jobKeys({ poll: { min_every: '300ms' } }),
      accepted: ({ atMs }) => void accepted.push(atMs),
      tell: (event) => {
        if (event.event === 'request' && event.step === 'poll') polled.push(event.beganMs);
      },
    });
    const [acceptedMs = Number.NaN] = accepted;
    const [first = Number.NaN, second = Number.NaN] = polled;
    // Of 300 ms the test's random share is half: a first poll that waited for it would begin no earlier than the second
    // does.
    expect(second - first).toBeGreaterThanOrEqual(140);
    expect(first - acceptedMs).toBeLessThan(second - first);
  });

  test('a job is known to have waited until the last poll that said so, where polls tell waiting from work', async () => {
    const server = await serveJob(says({ state: 'queued' }, { state: 'queued' }, { state: 'working' }, DONE));
    const { marks } = (await call(server.url, { keys: jobKeys() })).result;
    const { acceptedMs, lastQueuedMs, runningMs, lastPendingMs, readyMs } = marks;
    expect(ordered(acceptedMs, lastQueuedMs, runningMs, readyMs)).toBe(true);
    expect(lastQueuedMs).not.toBe(acceptedMs);
    expect(ordered(lastQueuedMs, lastPendingMs)).toBe(true);
    const alone = await serveJob(says({ state: 'queued' }, DONE));
    const state = { at: '$.state', pending: ['queued'], success: ['done'] };
    expect((await call(alone.url, { keys: jobKeys({ state }) })).result.marks.lastQueuedMs).toBeUndefined();
  });

  test('a job has its begin and end, by the clock of its server, within what its marks leave open', async () => {
    let begunMs = Number.NaN;
    let endedMs = Number.NaN;
    let state = 'queued';
    const server = await serveJob((_count, response) => json(response, 200, state === 'done' ? DONE : { state }), {
      id: 'j-1',
    });
    const { result } = await call(server.url, {
      keys: jobKeys({ poll: { min_every: '20ms' } }),
      accepted: () => {
        setTimeout(() => {
          state = 'working';
          begunMs = performance.now();
        }, 110);
        setTimeout(() => {
          state = 'done';
          endedMs = performance.now();
        }, 330);
      },
    });
    const { lastQueuedMs, runningMs, lastPendingMs, readyMs } = result.marks;
    expect(ordered(lastQueuedMs, begunMs, runningMs)).toBe(true);
    expect(ordered(lastPendingMs, endedMs, readyMs)).toBe(true);
  });

  test('a job that is done at the first poll was pending until it was accepted', async () => {
    const server = await serveJob(says(DONE));
    const { result } = await call(server.url, { keys: jobKeys() });
    expect(result).toMatchObject({ outcome: 'ok', polls: 1 });
    expect(result.marks.lastPendingMs).toBe(result.marks.acceptedMs);
    expect(result.marks.runningMs).toBeUndefined();
  });

  test('a job is not polled before the caller knows of it', async () => {
    const server = await serveJob(says(DONE));
    let known = 0;
    await call(server.url, {
      keys: jobKeys(),
      accepted: async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        known = server.seen.length;
      },
    });
    expect(known).toBe(1);
  });

  test.each<[string, Json, Json | number, Json | number]>([
    ['a field', STATE, { state: 'queued' }, {}],
    ['the status', { at: 'status', pending: [202], success: [200] }, 202, 200],
    ['a status that is no success', { at: 'status', pending: [404], success: [200] }, 404, 200],
    ['a redirecting status', { at: 'status', pending: [200], success: [303] }, 200, 303],
    ['a header', { at: 'header:x-state', running: ['1'], success: ['2'] }, {}, {}],
  ])('a job has its state by %s', async (_what, state, first, second) => {
    const server = await serveJob((count, response) => {
      const said = count === 1 ? first : second;
      const [status, own] = typeof said === 'number' ? [said, {}] : [200, said];
      const body = count === 1 ? own : Object.assign({}, DONE, own);
      json(response, status, body, { 'x-state': String(count) });
    });
    const { result } = await call(server.url, { keys: jobKeys({ state }) });
    expect(result).toMatchObject({ outcome: 'ok', polls: 2 });
  });

  test.each<[string, Json, Json, Ending]>([
    ['failed', STATE, { state: 'broken', why: 'x' }, ['error', 'job_failed', '{"state":"broken","why":"x"}']],
    ['moderated', { ...STATE, moderated: ['nsfw'] }, { state: 'nsfw' }, ['moderated', 'moderated']],
    [
      'unlisted',
      STATE,
      { state: 'paused', key: KEY },
      ['error', 'unlisted_state', 'the state "paused" at $.state is not listed: {"state":"paused","key":"[redacted]"}'],
    ],
    ['absent', STATE, { status: 'done' }, ['error', 'no_state', 'no state at $.state: {"status":"done"}']],
    ['done without a result', STATE, { state: 'done' }, ['error', 'no_result']],
  ])('a job that is %s ends so, after one poll', async (_what, state, reply, [outcome, ...said]) => {
    const server = await serveJob(says(reply));
    const { result } = await call(server.url, { keys: jobKeys({ state }) });
    expect(result).toMatchObject({ outcome, polls: 1, httpStatus: 200, captured: { id: 'j-1' }, error: errorOf(said) });
    expect(server.seen.length).toBe(2);
  });

  test.each<[string, number, Json, Ending]>([
    ['a rule inside a 200', 200, { state: 'working', error: { code: 'E7', message: 'no' } }, ['moderated', 'E7', 'no']],
    ['a rule for its status', 402, {}, ['no_credit', 'poll_http_402']],
    ['its status alone', 403, {}, ['rejected', 'poll_http_403']],
    ['being gone', 410, { gone: 1 }, ['error', 'job_lost', '{"gone":1}; no poll found the job']],
  ])('a job fails by %s of a poll', async (_what, status, body, [outcome, ...said]) => {
    const server = await serveJob((_count, response) => json(response, status, body));
    const fail = [
      { when: { status: 402 }, is: 'no_credit' },
      { when: { at: '$.error' }, is: 'moderated', code: '$.error.code', message: '$.error.message' },
      { when: { status: '5xx' }, is: 'error' },
    ];
    const { result } = await call(server.url, { keys: jobKeys({ fail }) });
    expect(result).toMatchObject({ outcome, polls: 1, httpStatus: status, error: errorOf(said) });
  });

  test('a job whose reply has NaN and Infinity, which JSON has not, is polled by the id beside them', async () => {
    const server = await serve((seen, response) => {
      if (seen.method === 'POST') response.end('{"id": 7, "score": NaN, "max": -Infinity}');
      else json(response, 200, { state: 'done', url: '/never' });
    });
    await call(server.url, { keys: jobKeys() });
    expect(server.seen.slice(0, 2).map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  test.each<[body: string, code: string, message: string]>([
    [`{"name":"of ${KEY}"}`, 'missing_capture', 'nothing at $.id for "id": {"name":"of [redacted]"}'],
    ...['NaN', "{'id': 7}", '{"id": 7'].map((body): [string, string, string] => {
      return [body, 'missing_capture', 'the reply is not JSON, so nothing can be read at $.id for "id": '];
    }),
    ...['{"id":[1]}', '{"id":{"a":1}}'].map((body): [string, string, string] => {
      return [body, 'bad_capture', `the value at $.id for "id" is not text or a number: ${body}`];
    }),
  ])('a job is not polled whose reply is %s', async (body, code, message) => {
    const server = await serve((_seen, response) => void response.end(body));
    const { result } = await call(server.url, { keys: jobKeys() });
    expect(result).toMatchObject({ outcome: 'error', polls: 0, error: { code } });
    expect('error' in result && result.error.message.startsWith(message)).toBe(true);
    expect(server.seen).toHaveLength(1);
  });

  test.each(['../admin', '..', './x/../../y', 'a\\b/../c'])(
    'a job with the id %j is not polled outside of its place',
    async (id) => {
      const server = await serveJob(says(DONE), { id });
      const { result } = await call(server.url, { keys: jobKeys() });
      const asked = server.seen.slice(1).map(({ url }) => url);
      if (result.outcome === 'ok') expect(asked[0]).toMatch(/^\/jobs\//);
      else expect({ result, asked }).toMatchObject({ result: { error: { code: 'bad_url' } }, asked: [] });
    },
  );

  test('a job whose name holds what we sent is polled, and reported without the secret', async () => {
    const server = await serveJob(says(DONE), { id: `x/${KEY}?a=1&b=\u0000`, plain: 'kept whole: \u0000' });
    const jobs: AcceptedJob[] = [];
    const keys = jobKeys({
      wait: { capture: { id: '$.id', all: '$', plain: '$.plain' }, poll: { path: '/jobs/${job.id}' }, state: STATE },
    });
    const { result } = await call(server.url, { keys, accepted: (job) => void jobs.push(job) });
    expect(result.outcome).toBe('ok');
    expect(server.seen[1]?.url).toContain(KEY);
    expect(JSON.stringify([result, jobs])).not.toContain(KEY);
    expect(jobs[0]?.captured).toMatchObject({ id: 'x/[redacted]?a=1&b=', plain: 'kept whole: \u0000' });
  });

  test('a job may have a name of several segments, and nothing else of a URL', async () => {
    const server = await serveJob(says(DONE), { id: 'models/veo/operations/a?b#c' });
    expect((await call(server.url, { keys: jobKeys() })).result.outcome).toBe('ok');
    expect(server.seen[1]?.url).toBe('/jobs/models/veo/operations/a%3Fb%23c');
  });

  test('a job gives its image in the poll that says done', async () => {
    const server = await serveJob((count, response) => (count < 3 ? json(response, 202, {}) : png(response)));
    const keys = jobKeys({
      state: { at: 'status', pending: [202], success: [200] },
      poll: { headers: { Accept: 'image/*' } },
      result: { from: 'body' },
    });
    const { result } = await call(server.url, { keys });
    expect(result).toMatchObject({ outcome: 'ok', polls: 3, downloads: 0 });
    const { acceptedMs, lastPendingMs, readyMs, firstByteMs, doneMs } = result.marks;
    expect(ordered(acceptedMs, lastPendingMs, readyMs, firstByteMs, doneMs)).toBe(true);
    expect(server.seen.at(-1)?.headers.accept).toBe('image/*');
  });

  test('a job says of itself in its last reply what the first did not', async () => {
    const server = await serveJob(
      says({ state: 'queued', ms: 1 }, { ...DONE, ms: 1500, seed: 7, cost: 0.25, rid: 'poll' }),
      {
        id: 'j',
        rid: 'submit',
      },
    );
    const meta = { inference: { at: '$.ms', unit: 'ms' }, seed: '$.seed', cost_usd: '$.cost', request_id: '$.rid' };
    const { result } = await call(server.url, { keys: jobKeys({ meta }) });
    expect(result.reported).toEqual({
      requestId: 'submit',
      seedEcho: '7',
      serverMs: 1500,
      costUsd: 0.25,
      cached: null,
    });
  });
});

describe('a poll with a transient failure', () => {
  test.each<[string, (response: ServerResponse) => void]>([
    ['is dropped', (response) => void response.destroy()],
    ['is a 503', (response) => json(response, 503, { error: 'busy' })],
    ['is a 503 that a rule calls an error', (response) => json(response, 500, { error: 'busy' })],
    ['is cut off', (response) => void response.writeHead(200, { 'content-length': 99 }).end('{"state"').destroy()],
    ['is a page of a proxy', (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
  ])('because it %s does not fail the job', async (_what, fail) => {
    const server = await serveJob((count, response) =>
      count === 2 ? fail(response) : says({ state: 'working' }, DONE, DONE)(count, response),
    );
    const rules = [{ when: { status: 500 }, is: 'error' }];
    const { result } = await call(server.url, { keys: jobKeys({ fail: rules }) });
    expect(result).toMatchObject({ outcome: 'ok', polls: 3, httpStatus: 200 });
  });

  test('a poll that fails again and again ends the job, as often as the target says', async () => {
    const server = await serveJob((_count, response) => json(response, 503, {}, { 'retry-after-ms': '1' }));
    const { result } = await call(server.url, { keys: jobKeys({ retry: { poll: 2 } }) });
    expect(result).toMatchObject({ outcome: 'error', polls: 3, httpStatus: 503, error: { code: 'poll_http_503' } });
  });

  test('a poll that is throttled is sent again after what it asks for, however often', async () => {
    const server = await serveJob((count, response) => {
      if (count <= 4) json(response, 429, {}, { 'retry-after-ms': '20' });
      else says(DONE)(count, response);
    });
    const fail = [{ when: { status: 429 }, is: 'throttled', after: ['header:retry-after-ms'] }];
    for (const rules of [fail, []]) {
      const { result, refused } = await call(server.url, {
        keys: jobKeys({ fail: rules, retry: { poll: 1 } }),
        onThrottle: 'fail',
      });
      expect(result.outcome).toBe('ok');
      expect(refused).toEqual([]);
    }
  });
});

test('a job that is not found is asked after again at the usual gap, without a new submit', async () => {
  const server = await serveJob((count, response) =>
    count <= 3 ? json(response, 404, {}) : says({ state: 'working' }, DONE)(count - 3, response),
  );
  const sent: number[] = [];
  const { result } = await call(server.url, {
    keys: jobKeys({ poll: { min_every: '100ms' } }),
    tell: (event) => {
      if (event.event === 'request' && event.step === 'poll') sent.push(event.beganMs);
    },
  });
  expect(result).toMatchObject({ outcome: 'ok', attempts: 1, polls: 5 });
  expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  const gaps = sent.slice(1, 4).map((atMs, at) => atMs - (sent[at] ?? Number.NaN));
  for (const gap of gaps) {
    expect(gap).toBeGreaterThanOrEqual(95);
    expect(gap).toBeLessThan(500);
  }
  // What was not found tells nothing of when the work ended.
  expect(result.marks.lastPendingMs).toBeGreaterThan(sent[3] ?? Number.NaN);
});

test('a job that its service does not know yet, and says so in a state, is asked after once more', async () => {
  const fail = [{ when: { at: '$.state', in: ['Task not found'] }, is: 'error', code: '$.state' }];
  const server = await serveJob(says({ state: 'Task not found' }, DONE));
  expect((await call(server.url, { keys: jobKeys({ fail }) })).result).toMatchObject({ outcome: 'ok', polls: 2 });
  const lost = await serveJob(says({ state: 'Task not found' }));
  expect((await call(lost.url, { keys: jobKeys({ fail }) })).result).toMatchObject({
    outcome: 'error',
    polls: 2,
    error: { code: 'Task not found' },
  });
});

test('a job that is not found ends with its deadline, which says why', async () => {
  const server = await serveJob((_count, response) => json(response, 404, {}, { 'retry-after': '5' }));
  const { result } = await call(server.url, { keys: jobKeys({ poll: { deadline: '300ms' } }) });
  expect(result).toMatchObject({
    outcome: 'timed_out',
    error: { message: expect.stringMatching(/last poll_http_404.*the job was accepted and gave no state/) },
  });
});

test('a job that a restarted server does not know is lost, with the polls before it that found no server', async () => {
  const server = await serveJob((count, response) => {
    if (count === 1) json(response, 200, { state: 'working' });
    else if (count < 4) response.destroy();
    else json(response, 404, { error: 'job not found' });
  });
  const fail = [{ when: { status: 404 }, is: 'error', message: '$.error' }];
  const { result } = await call(server.url, { keys: jobKeys({ fail, retry: { poll: 3 } }) });
  expect(result).toMatchObject({
    outcome: 'error',
    error: {
      code: 'job_lost',
      message: expect.stringMatching(
        /^job not found; before it, 2 polls could not connect .*\(connection_dropped\) within \d+(\.\d)? s: was the server restarted\?; the last poll that found the job said running$/,
      ),
    },
  });
});

describe('a job that does not end', () => {
  test.each<[string, Json, number]>([
    ['the deadline of its polls', { deadline: '400ms' }, 10_000],
    ['the time limit of the call', { deadline: '10s' }, 400],
  ])('a job ends at %s, and its id is known', async (_what, poll, timeoutMs) => {
    const server = await serveJob(says({ state: 'queued' }, { state: 'working' }));
    const { result } = await call(server.url, { keys: jobKeys({ poll: poll as Keys }), timeoutMs });
    const limit = timeoutMs === 400 ? '0.4 s (limits.timeout)' : '0.4 s of its acceptance (wait.poll.deadline)';
    const message = 'error' in result ? result.error.message : '';
    expect(message).toContain(`no result came within ${limit}; the job was accepted and is `);
    expect(result).toMatchObject({
      outcome: 'timed_out',
      captured: { id: 'j-1' },
      error: { code: 'timed_out', message: expect.stringMatching(/; the job was accepted and is (pending|running)$/) },
    });
    expect(result.polls).toBeGreaterThan(1);
    const { acceptedMs, lastPendingMs, readyMs } = result.marks;
    expect(ordered(acceptedMs, lastPendingMs)).toBe(true);
    expect(readyMs).toBeUndefined();
  });

  test('a job that does not end is timed out while a poll hangs', async () => {
    const server = await serveJob(() => {});
    const { result } = await call(server.url, { keys: jobKeys({ poll: { deadline: '60ms' } }) });
    expect(result).toMatchObject({ outcome: 'timed_out', polls: 1, captured: { id: 'j-1' } });
  });

  test('a job that does not end is cancelled with its call', async () => {
    const abort = new AbortController();
    const server = await serveJob((count, response) => {
      if (count === 3) abort.abort();
      says({ state: 'working' })(count, response);
    });
    const { result } = await call(server.url, { keys: jobKeys(), signal: abort.signal });
    expect(result).toMatchObject({ outcome: 'cancelled', captured: { id: 'j-1' } });
  });
});
