import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/kit/json.ts';
import { serve } from '../loopback.ts';
import { bytesOf, call, json, KEY, ordered, PNG, png } from './calling.ts';

const EVENTS = { partial: ['partial', 'ping'], done: ['done'], failure: ['error'], moderated: ['blocked'] };
const IMAGE = PNG.toString('base64');

function keys(events: Json = EVENTS, more: { readonly [key: string]: Json } = {}) {
  return { wait: { events }, result: { from: 'b64', at: '$.image' }, ...more };
}

/** Streams events; leaves the stream open unless it is told to end. */
function stream(response: ServerResponse, events: readonly (readonly [string, Json])[], end = false): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const [name, data] of events) response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  if (end) response.end();
}

describe('a stream of events', () => {
  test('a stream of events ends with the event that says done, though the server leaves it open', async () => {
    const server = await serve((_seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': hello\n\nevent: ping\ndata: {}\n\nevent: partial\ndata: {"image":"AAAA"}\n\n');
      setTimeout(() => {
        const done = `event: done\ndata: ${JSON.stringify({ image: IMAGE, seed: 5, id: 'e', ms: 1234 })}\n\n`;
        response.write(done.slice(0, 30));
        setTimeout(() => response.write(done.slice(30)), 20);
      }, 20);
    });
    const meta = { seed: '$.seed', inference: { at: '$.ms', unit: 'ms' } };
    const { result } = await call(server.url, { keys: keys(EVENTS, { meta }) });
    const reported = { seedEcho: '5', serverMs: 1234 };
    expect(result).toMatchObject({ outcome: 'ok', polls: 0, downloads: 0, attempts: 1, reported });
    expect(bytesOf(result)).toEqual([[...PNG]]);
    const { startedMs, headersMs, acceptedMs, readyMs, firstByteMs, doneMs, lastPendingMs, runningMs } = result.marks;
    expect(ordered(startedMs, headersMs, readyMs, firstByteMs, doneMs)).toBe(true);
    expect(acceptedMs).toBe(headersMs);
    expect(firstByteMs).toBe(readyMs);
    expect([lastPendingMs, runningMs]).toEqual([undefined, undefined]);
  });

  test('a stream of events may name its events in their data, and lead to a URL or on to a fetch', async () => {
    const server = await serve((seen, response) => {
      if (seen.method === 'GET') return png(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"type":"step","n":1}\n\ndata: {"type":"completed","url":"/m.png","id":7}\n\n');
    });
    const events = { name: '$.type', partial: { not: ['completed'] }, done: ['completed'] };
    const byUrl = await call(server.url, { keys: keys(events, { result: { from: 'url', at: '$.url' } }) });
    expect(byUrl.result).toMatchObject({ outcome: 'ok', downloads: 1 });
    const { acceptedMs, readyMs, firstByteMs, doneMs } = byUrl.result.marks;
    expect(ordered(acceptedMs, readyMs, firstByteMs, doneMs)).toBe(true);
    const fetched = await call(server.url, {
      keys: {
        wait: { capture: { id: '$.id' }, events },
        fetch: [{ path: '/files/${job.id}' }],
        result: { from: 'body' },
      },
    });
    expect(fetched.result).toMatchObject({ outcome: 'ok', downloads: 1, captured: { id: 7 } });
    expect(server.seen.at(-1)?.url).toBe('/files/7');
  });

  test('an event that is not listed, such as a keep-alive, ends nothing; without an end, the last one is named', async () => {
    const unknown = [
      ['keepalive', {}],
      ['surprise', { key: KEY }],
    ] as const;
    const going = await serve((_seen, response) => stream(response, [...unknown, ['done', { image: IMAGE }]]));
    expect((await call(going.url, { keys: keys() })).result.outcome).toBe('ok');
    const ending = await serve((_seen, response) => stream(response, unknown, true));
    const said =
      'the stream ended without an event that says done; the last that is not listed: "surprise": {"key":"[redacted]"}';
    expect((await call(ending.url, { keys: keys() })).result).toMatchObject({
      outcome: 'error',
      error: { code: 'no_done_event', message: said },
    });
  });

  test('a list of one seed is that seed', async () => {
    const server = await serve((_seen, response) =>
      stream(response, [['done', { image: IMAGE, seed: [7], all: [7, 8] }]]),
    );
    const seedOf = async (seed: string) =>
      (await call(server.url, { keys: keys(EVENTS, { meta: { seed } }) })).result.reported.seedEcho;
    expect(await seedOf('$.seed')).toBe('7');
    expect(await seedOf('$.all')).toBe('[7,8]');
  });

  test.each<[string, readonly (readonly [string, Json])[], object]>([
    [
      'fails',
      [
        ['partial', {}],
        ['error', { key: KEY }],
      ],
      { outcome: 'error', error: { code: 'job_failed', message: '{"key":"[redacted]"}' } },
    ],
    ['is moderated', [['blocked', {}]], { outcome: 'moderated', error: { code: 'moderated' } }],
    ['fails by a rule', [['partial', { error: { code: 'E1' } }]], { outcome: 'no_credit', error: { code: 'E1' } }],
    ['holds nothing', [['done', {}]], { outcome: 'error', error: { code: 'no_result' } }],
    ['is no JSON', [['done', 'x']], { outcome: 'error', error: { code: 'no_result' } }],
  ])('a stream of events that %s ends the call', async (_what, events, expected) => {
    const server = await serve((_seen, response) => stream(response, events));
    const fail = [{ when: { at: '$.error' }, is: 'no_credit', code: '$.error.code' }];
    const { result } = await call(server.url, { keys: keys(EVENTS, { fail }) });
    expect(result).toMatchObject({ httpStatus: 200, ...expected });
  });

  test('a stream of events that ends early is an error', async () => {
    const server = await serve((_seen, response) => stream(response, [['partial', {}]], true));
    expect((await call(server.url, { keys: keys() })).result).toMatchObject({
      outcome: 'error',
      error: { code: 'no_done_event' },
    });
    const cut = await serve((_seen, response) => {
      stream(response, [['partial', {}]]);
      setTimeout(() => response.destroy(), 20);
    });
    expect((await call(cut.url, { keys: keys() })).result).toMatchObject({
      outcome: 'error',
      error: { code: 'truncated_body' },
    });
  });

  test('a stream of events that never ends is timed out', async () => {
    const server = await serve((_seen, response) => stream(response, [['partial', {}]]));
    expect((await call(server.url, { keys: keys(), timeoutMs: 100 })).result).toMatchObject({ outcome: 'timed_out' });
  });

  test('a stream of events is refused where the endpoint answers with something else', async () => {
    const server = await serve((_seen, response) => json(response, 200, { image: IMAGE }));
    expect((await call(server.url, { keys: keys() })).result).toMatchObject({
      outcome: 'error',
      error: { code: 'no_event_stream' },
    });
  });

  test('a stream of events is asked for again after a refusal', async () => {
    const server = await serve((_seen, response, count) => {
      if (count === 1) json(response, 429, { error: 'slow down' }, { 'retry-after-ms': '5' });
      else stream(response, [['done', { image: IMAGE }]]);
    });
    const fail = [{ when: { status: 429 }, is: 'throttled', after: ['header:retry-after-ms'] }];
    expect((await call(server.url, { keys: keys(EVENTS, { fail }) })).result).toMatchObject({
      outcome: 'ok',
      attempts: 2,
    });
  });
});
