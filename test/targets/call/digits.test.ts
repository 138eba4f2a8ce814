import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/kit/json.ts';
import { serve } from '../loopback.ts';
import { call, PNG, png } from './calling.ts';

/* Numbers above 2^53: what a server wrote comes back to it, and is reported, digit for digit. */

const ID = '7309835418839273473';

const JOB: Json = {
  capture: { id: '$.id', parts: '$.parts' },
  poll: { path: '/jobs/${job.id}/${job.id | str}?of=${job.id}', headers: { 'x-job': '${job.id}' }, min_every: '1ms' },
  state: { at: '$.state', pending: ['queued'], success: ['done'] },
  cancel: {
    method: 'DELETE',
    path: '/jobs/${job.id}',
    body: {
      id: '${job.id}',
      within: 'job ${job.id}',
      parts: '${job.parts}',
    },
  },
};

const CANCEL = `{"id":"${ID}","within":"job ${ID}","parts":[1,"${ID}"]}`;
const RECORDED = `{"id":"${ID}","parts":[1,"${ID}"]}`;

function jobServer(state: string, submitted = `{"id": ${ID}, "parts": [1, ${ID}]}`) {
  return serve((seen, response) => {
    if (seen.method === 'POST') response.end(submitted);
    else if (seen.url.endsWith('.png')) png(response);
    else response.end(`{"state": "${state}", "file": "/files/${ID}.png"}`);
  });
}

describe('a job whose id is a number above 2^53', () => {
  test('digits are kept: path, query and header of its polls, what is told, and what is recorded', async () => {
    const server = await jobServer('done');
    const recorded: JsonObject[] = [];
    const told: JsonObject[] = [];
    const { result } = await call(server.url, {
      keys: { wait: JOB, result: { from: 'url', at: '$.file' } },
      accepted: ({ captured }) => void recorded.push(captured),
      tell: (event) => void (event.event === 'captured' && told.push(event.values)),
    });
    expect(result.outcome).toBe('ok');
    const [, poll] = server.seen;
    expect([poll?.url, poll?.headers['x-job']]).toEqual([`/jobs/${ID}/${ID}?of=${ID}`, ID]);
    expect(told).toEqual([{ id: ID, parts: `[1,"${ID}"]` }]);
    expect(recorded.map((job) => JSON.stringify(job))).toEqual([RECORDED]);
    expect(JSON.stringify(result.captured)).toBe(RECORDED);
  });

  test.each([
    ['at its time limit', 300, undefined],
    ['when its run is aborted', 10_000, 300],
  ])('digits are kept: path and body of its cancel %s', async (_when, timeoutMs, abortAfterMs) => {
    const server = await jobServer('queued');
    const abort = new AbortController();
    const { result } = await call(server.url, {
      keys: { wait: JOB },
      timeoutMs,
      signal: abort.signal,
      tell: () => void (abortAfterMs !== undefined && setTimeout(() => abort.abort(), abortAfterMs)),
    });
    expect(result.cancel).toMatchObject({ cancelled: true });
    const cancel = server.seen.at(-1);
    expect([cancel?.method, cancel?.url, cancel?.body]).toEqual(['DELETE', `/jobs/${ID}`, CANCEL]);
  });

  test('digits are kept: a state is compared with the text of a number', async () => {
    const states: Json = { at: '$.id', pending: ['7309835418839273472'], success: [ID] };
    const server = await serve((seen, response) =>
      seen.method === 'POST' ? response.end(`{"id": 1}`) : response.end(`{"id": ${ID}, "image": "AAAA"}`),
    );
    const poll = { path: '/job', min_every: '1ms' };
    const keys = { wait: { poll, state: states }, result: { from: 'b64', at: '$.image' } };
    const { result } = await call(server.url, { keys });
    expect([result.outcome, server.seen.length]).toEqual(['ok', 2]);
  });
});

const META = { meta: { seed: '$.seed', request_id: '$.id', inference: '$.took', usage: { tokens: '$.tokens' } } };
const IMAGE = PNG.toString('base64');

test.each<[what: string, written: string, seedEcho: string, requestId?: string]>([
  ['a whole number above 2^53', '9007199254740993', '9007199254740993'],
  ['one that a double would write with an exponent', '100000000000000000000000', '100000000000000000000000'],
  ['a negative one', '-7309835418839273473', '-7309835418839273473'],
  ['one that is too large for a double', '1e400', '1e400'],
  ['a list of one', `[${ID}]`, ID, `["${ID}"]`],
  ['a list of two', `[1, ${ID}]`, `[1,"${ID}"]`],
  ['a small one, written as a fraction', '42.0', '42'],
  ['a usual fraction', '0.30000000000000004', '0.30000000000000004'],
])('digits are kept: %s as seed and request id', async (_what, written, seedEcho, requestId = seedEcho) => {
  const server = await serve((_seen, response) => {
    response.end(`{"seed": ${written}, "id": ${written}, "image": "${IMAGE}"}`);
  });
  const { result } = await call(server.url, { keys: { ...META, result: { from: 'b64', at: '$.image' } } });
  expect(result).toMatchObject({ outcome: 'ok', reported: { seedEcho, requestId } });
});

test('digits are kept: seed and id in an event, and in JSON within JSON', async () => {
  const server = await serve((_seen, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`event: done\ndata: {"id": ${ID}, "info": "{\\"seed\\": ${ID}}", "image": "${IMAGE}"}\n\n`);
  });
  const meta = { seed: 'json:$.info>$.seed', request_id: '$.id' };
  const keys = { meta, wait: { events: { done: ['done'] } }, result: { from: 'b64', at: '$.image' } };
  const { result } = await call(server.url, { keys });
  expect(result).toMatchObject({ outcome: 'ok', reported: { seedEcho: ID, requestId: ID } });
});

test('a time or a count with more digits than a double keeps is the nearest double', async () => {
  const server = await serve((_seen, response) => {
    response.end(`{"took": 2.5000000000000000001, "tokens": 12.0000000000000000001, "image": "${IMAGE}"}`);
  });
  const { result } = await call(server.url, { keys: { ...META, result: { from: 'b64', at: '$.image' } } });
  expect(result).toMatchObject({ outcome: 'ok', reported: { serverMs: 2500, usage: { tokens: 12 } } });
});
