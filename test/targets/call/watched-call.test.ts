import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallEvent, RequestEnded } from '../../../src/targets/call-event.ts';
import { closedUrl, type Loopback, type Seen, serve, serveBytes } from '../loopback.ts';
import { call, json, KEY, type Options, PNG, png } from './calling.ts';

/** A call with all that it told. */
async function watch(baseUrl: string, options: Options = {}) {
  const events: CallEvent[] = [];
  const { result } = await call(baseUrl, { ...options, tell: (event) => events.push(event) });
  const requests = events.filter((event): event is RequestEnded => event.event === 'request');
  return { result, events, requests };
}

/** The same of a request, as its server saw it and as it was told. */
const asSeen = (server: Loopback, { method, url, headers }: Seen) => ({
  method,
  url: `${server.url}${url.replace(/=[^&]*/g, '=…')}`,
  credential: JSON.stringify([url, headers]).includes(KEY),
});
const asTold = ({ method, url, credential }: RequestEnded) => ({ method, url, credential });

const JOB = {
  auth: { in: 'header', name: 'Authorization', value: 'Bearer ${secret.KEY}' },
  fail: [{ when: { status: 429 }, is: 'throttled', after: ['header:retry-after-ms'] }],
  wait: {
    capture: { id: '$.id', poll: '$.poll' },
    poll: { url: '${job.poll}', min_every: '1ms', capture: { file: '$.file' } },
    state: { at: '$.state', pending: ['queued'], running: ['working'], success: ['done'], failure: ['failed'] },
  },
  fetch: [{ url: '${job.file}' }],
  result: { from: 'url', at: '$.media' },
};

describe.each([
  ['a header', JOB.auth],
  ['the query', { in: 'query', name: 'key', value: '${secret.KEY}' }],
])('a watched call with its credential in %s', (_name, auth) => {
  test('a watched call reports every request that the servers saw, in order, with where the credential went', async () => {
    const saw: ReturnType<typeof asSeen>[] = [];
    let submits = 0;
    let polls = 0;
    const there: Loopback = await serve((seen, response) => {
      saw.push(asSeen(there, seen));
      png(response);
    });
    const here: Loopback = await serve((seen, response) => {
      saw.push(asSeen(here, seen));
      const { pathname } = new URL(seen.url, 'http://x');
      if (seen.method === 'POST') {
        submits += 1;
        if (submits === 1) return json(response, 429, {}, { 'retry-after-ms': '3' });
        return json(response, 200, { id: 7, poll: `${here.url}/poll?ticket=abc` });
      }
      if (pathname === '/poll') {
        polls += 1;
        if (polls === 2) return json(response, 503, {}, { 'retry-after-ms': '1' });
        const state = polls === 1 ? 'queued' : polls === 3 ? 'working' : 'done';
        return json(response, 200, { state, file: '/file?x-signature=tale' });
      }
      if (pathname === '/file') return response.writeHead(302, { location: '/moved' }).end();
      json(response, 200, { media: `${there.url}/media.png?sig=s3cret-signature#part` });
    });
    const origins = { download: ['base', there.url] };
    const { result, events, requests } = await watch(here.url, { keys: { ...JOB, auth, origins } });

    expect(result.outcome).toBe('ok');
    expect(requests.map(asTold)).toEqual(saw);
    expect(requests.map(({ step, redirect, status }) => [step, redirect, status])).toEqual([
      ['submit', 0, 429],
      ['submit', 0, 200],
      ['poll', 0, 200],
      ['poll', 0, 503],
      ['poll', 0, 200],
      ['poll', 0, 200],
      ['fetch', 0, 302],
      ['fetch', 1, 200],
      ['download', 0, 200],
    ]);
    expect(requests.map(({ credential }) => credential)).toEqual([...Array(8).fill(true), false]);
    const readings = events.flatMap((event) => (event.event === 'read' ? [event.reading] : []));
    expect(readings).toEqual([
      { is: 'again', throttled: true, code: 'http_429', waitMs: 3 },
      { is: 'good', state: null },
      { is: 'good', state: 'pending' },
      { is: 'again', throttled: false, code: 'poll_http_503', waitMs: 1 },
      { is: 'good', state: 'running' },
      { is: 'good', state: 'success' },
      { is: 'good', state: null },
      { is: 'good', state: null },
    ]);
    const captured = events.flatMap((event) => (event.event === 'captured' ? [event.values] : []));
    expect(captured).toEqual([{ id: 7, poll: `${here.url}/poll?ticket=…` }, { file: '/file?x-signature=…' }]);
    expect(requests.at(-1)).toMatchObject({ receivedBytes: PNG.byteLength, sentBytes: 0, failure: null, left: true });
    const told = JSON.stringify(events);
    for (const secret of [KEY, 'abc', 'tale', 's3cret']) expect(told).not.toContain(secret);
  });
});

describe('a watched call', () => {
  test('a watched call lies within its marks, one request after the other', async () => {
    const server = await serve((seen, response) => {
      if (seen.method === 'POST') json(response, 200, { id: 1, poll: '/p' });
      else if (seen.url === '/p') json(response, 200, { state: 'done', file: '/f' });
      else if (seen.url === '/f') json(response, 200, { media: '/m' });
      else png(response);
    });
    const { result, requests } = await watch(server.url, { keys: JOB });
    const times = requests.flatMap(({ beganMs, sentMs, endedMs }) => [beganMs, sentMs ?? Number.NaN, endedMs]);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const { startedMs, sentMs, acceptedMs, readyMs, doneMs } = result.marks;
    const [submit, poll, , download] = requests;
    expect(submit).toMatchObject({ beganMs: startedMs, sentMs, endedMs: acceptedMs });
    expect(poll).toMatchObject({ endedMs: readyMs });
    expect(download).toMatchObject({ endedMs: doneMs });
    expect(submit?.connectMs).toBeGreaterThan(0);
  });

  test('a watched call reports what a service sends back of the key without the key', async () => {
    const server = await serve((seen, response) => {
      if (seen.method === 'POST') json(response, 200, { id: { [`${KEY}`]: [KEY] }, poll: `/p/${KEY}/?${KEY}` });
      else
        response
          .writeHead(302, { location: `/${KEY}/${encodeURIComponent(Buffer.from(KEY).toString('base64'))}` })
          .end();
    });
    const { events, requests } = await watch(server.url, { keys: JOB });
    expect(requests.length).toBe(server.seen.length);
    const told = JSON.stringify(events);
    expect(told).not.toContain(KEY);
    expect(told).not.toContain(Buffer.from(KEY).toString('base64').replace(/=+$/, ''));
  });

  test('a watched call reports a request that nobody took, and why', async () => {
    const { requests, events } = await watch(await closedUrl(), { keys: JOB });
    expect(requests).toMatchObject([{ step: 'submit', status: null, failure: 'connect_refused', left: false }]);
    expect(events.at(-1)).toMatchObject({
      event: 'read',
      reading: { is: 'failed', error: { code: 'connect_refused' } },
    });
  });

  test('a watched call reports a reply that was cut off', async () => {
    const server = await serveBytes((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf'));
    const { requests } = await watch(server.url);
    expect(requests).toMatchObject([{ status: 200, failure: 'truncated_body', left: true, receivedBytes: null }]);
  });

  test('a watched call reports no request that was not made', async () => {
    const server = await serve((_seen, response) => json(response, 200, { media: 'https://elsewhere.example/x.png' }));
    const { events, requests } = await watch(server.url, { keys: { result: JOB.result } });
    expect(requests.map(({ step }) => step)).toEqual(['submit']);
    expect(events.at(-1)).toMatchObject({
      event: 'read',
      step: 'download',
      reading: { is: 'failed', error: { code: 'download_refused' } },
    });
  });

  test('a watched call counts the bytes of an event stream, as far as it was read', async () => {
    const stream = `data: {"type":"part"}\n\ndata: {"type":"done","b64":"${PNG.toString('base64')}"}\n\n`;
    const server = await serve((_seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream);
    });
    const keys = {
      wait: { events: { name: '$.type', partial: ['part'], done: ['done'] } },
      result: { from: 'b64', at: '$.b64' },
    };
    const { requests, events } = await watch(server.url, { keys });
    expect(requests).toMatchObject([{ receivedBytes: stream.length }]);
    expect(events.at(-1)).toMatchObject({ reading: { is: 'good', state: 'success' } });
  });

  test('a watched call reports each poll that the server saw, whatever it answered', async () => {
    const answers = fc.array(fc.constantFrom('queued', 'working', 'redirect', 'busy'), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(answers, fc.constantFrom('done', 'failed', 'unheard-of'), async (turns, last) => {
        const story = [...turns];
        const server = await serve((seen, response) => {
          if (seen.method === 'POST') return json(response, 200, { id: 1, poll: '/p' });
          if (seen.url === '/m') return png(response);
          const turn = story.shift() ?? last;
          if (turn === 'redirect') return response.writeHead(307, { location: '/p' }).end();
          if (turn === 'busy') return json(response, 503, {}, { 'retry-after-ms': '1' });
          json(response, 200, { state: turn, file: '/p', media: '/m' });
        });
        const { result, requests } = await watch(server.url, { keys: JOB });
        expect(requests.map(asTold)).toEqual(server.seen.map((seen) => asSeen(server, seen)));
        expect(result.polls + result.downloads + result.attempts).toBe(requests.length);
      }),
      { numRuns: 25 },
    );
  });
});
