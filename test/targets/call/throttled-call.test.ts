import { describe, expect, test } from 'vitest';
import { serve } from '../loopback.ts';
import { call, json, ordered, png } from './calling.ts';

const fail = [{ when: { status: 429 }, is: 'throttled', after: ['header:retry-after-ms', 'header:retry-after'] }];

describe('a refusal as throttled', () => {
  test('a throttled request is sent again after what it asks for, each attempt reported', async () => {
    const server = await serve((_seen, response, count) => {
      if (count <= 2) json(response, 429, {}, { 'retry-after-ms': String(10 * count), 'retry-after': '900' });
      else png(response);
    });
    const { result, refused } = await call(server.url, { keys: { fail } });
    expect(result).toMatchObject({ outcome: 'ok', attempts: 3, httpStatus: 200 });
    expect(refused).toEqual([
      { attempt: 1, httpStatus: 429, waitMs: 10 },
      { attempt: 2, httpStatus: 429, waitMs: 20 },
    ]);
    expect(server.seen.length).toBe(3);
    expect(new Set(server.seen.map(({ body }) => body)).size).toBe(1);
    expect(result.throttleWaitMs).toBeGreaterThanOrEqual(30);
    // The marks are those of the last attempt.
    const { startedMs, headersMs, doneMs } = result.marks;
    expect(ordered(startedMs, headersMs, doneMs)).toBe(true);
  });

  test('a throttled request is not sent again once the run is held, however long the wait', async () => {
    const server = await serve((_seen, response) => json(response, 429, {}, { 'retry-after': '9' }));
    const held = new AbortController();
    const { result } = await call(server.url, {
      keys: { fail },
      held: held.signal,
      again: () => {
        setImmediate(() => held.abort());
        return true;
      },
    });
    expect(result).toMatchObject({ outcome: 'cancelled', error: { code: 'held' }, attempts: 1 });
    expect(server.seen.length).toBe(1);
  });

  test('a throttled request is sent again at the date it names', async () => {
    const server = await serve((_seen, response, count) => {
      if (count > 1) return png(response);
      response.setHeader('Date', 'Sat, 28 Feb 2026 23:59:59 GMT');
      json(response, 429, {}, { 'retry-after': 'Sun, 01 Mar 2026 00:00:00 GMT' });
    });
    const { result, refused } = await call(server.url, { keys: { fail } });
    expect(result.outcome).toBe('ok');
    expect(refused).toEqual([{ attempt: 1, httpStatus: 429, waitMs: 1000 }]);
  });

  test.each(['fail', 'stop'] as const)('a throttled request with on_throttle: %s ends the call', async (onThrottle) => {
    const server = await serve((_seen, response) =>
      json(response, 429, { message: 'slow down' }, { 'retry-after': '1' }),
    );
    const { result, refused } = await call(server.url, { keys: { fail }, onThrottle });
    expect(result).toMatchObject({ outcome: 'throttled', attempts: 1, error: { code: 'http_429' } });
    expect(refused).toEqual([]);
    expect(server.seen.length).toBe(1);
  });

  test('a throttled request is not sent again when the caller says no', async () => {
    const server = await serve((_seen, response) => json(response, 429, {}, { 'retry-after-ms': '1' }));
    const { result } = await call(server.url, { keys: { fail }, again: ({ attempt }) => attempt < 3 });
    expect(result).toMatchObject({ outcome: 'cancelled', attempts: 3 });
    expect(server.seen.length).toBe(3);
  });

  test('a throttled request is not waited for beyond the time limit', async () => {
    const server = await serve((_seen, response) => json(response, 429, {}, { 'retry-after': '3600' }));
    const { result, refused } = await call(server.url, { keys: { fail } });
    expect(result).toMatchObject({
      outcome: 'throttled',
      error: { message: 'the server asks to wait 3600 s, past the time limit of the call' },
    });
    expect(refused).toEqual([]);
    expect(server.seen.length).toBe(1);
  });

  test('a throttled request without a named wait is not hammered', async () => {
    const server = await serve((_seen, response) => json(response, 429, {}, { 'retry-after': '0' }));
    const { refused } = await call(server.url, { keys: { fail }, again: () => false });
    expect(refused).toEqual([{ attempt: 1, httpStatus: 429, waitMs: 1000 }]);
  });

  test('a throttled request ends at once when the call is cancelled while it waits', async () => {
    const abort = new AbortController();
    const server = await serve((_seen, response) => json(response, 429, {}, { 'retry-after': '5' }));
    const { result } = await call(server.url, {
      keys: { fail },
      signal: abort.signal,
      again: () => {
        setImmediate(() => abort.abort());
        return true;
      },
    });
    expect(result).toMatchObject({ outcome: 'cancelled', attempts: 1, error: { code: 'cancelled' } });
    expect(server.seen.length).toBe(1);
  });
});

describe('a call ends', () => {
  test('a call ends at its time limit, while no reply comes', async () => {
    const server = await serve(() => {});
    const { result } = await call(server.url, { timeoutMs: 300 });
    expect(result).toMatchObject({ outcome: 'timed_out', httpStatus: null, error: { code: 'timed_out' } });
    expect(ordered(result.marks.startedMs, result.marks.connectedMs, result.marks.sentMs)).toBe(true);
    expect(server.seen.length).toBe(1);
  });

  test('a call ends at its time limit within the body', async () => {
    const server = await serve((_seen, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('half');
    });
    const { result } = await call(server.url, { timeoutMs: 200 });
    expect(result).toMatchObject({ outcome: 'timed_out', httpStatus: 200 });
    expect(result.marks.headersMs).toBeDefined();
    expect(result.marks.doneMs).toBeUndefined();
  });

  test('a call ends when it is cancelled, before or while it runs', async () => {
    const abort = new AbortController();
    const server = await serve(() => abort.abort());
    expect((await call(server.url, { signal: abort.signal })).result).toMatchObject({ outcome: 'cancelled' });
    expect(server.seen.length).toBe(1);
    expect((await call(server.url, { signal: abort.signal })).result).toMatchObject({ outcome: 'cancelled' });
    expect(server.seen.length).toBe(1);
  });
});
