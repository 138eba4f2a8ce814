import { expect, test } from 'vitest';
import { serve, serveBytes } from '../loopback.ts';
import { call, json, png, type Refused } from './calling.ts';

const IDEMPOTENT = { submit: 'idempotent', key_header: 'Idempotency-Key', poll: 2 };

test('a submit with a transient failure is sent again with the same key, each attempt recorded', async () => {
  const server = await serve((_seen, response, count) => {
    if (count === 1) response.destroy();
    else if (count === 2) json(response, 503, {}, { 'retry-after-ms': '5' });
    else png(response);
  });
  const { result, refused } = await call(server.url, { keys: { retry: IDEMPOTENT } });
  expect(result).toMatchObject({ outcome: 'ok', attempts: 3, throttleWaitMs: 0, httpStatus: 200 });
  expect(refused).toMatchObject([
    { attempt: 1, httpStatus: null },
    { attempt: 2, httpStatus: 503, waitMs: 5 },
  ]);
  const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0], keys[0]]);
  const again = await call(server.url, { keys: { retry: IDEMPOTENT } });
  expect(again.result.outcome).toBe('ok');
  expect(server.seen.at(-1)?.headers['idempotency-key']).not.toBe(keys[0]);
});

test('a submit is sent again as often as the target says', async () => {
  const server = await serve((_seen, response) => json(response, 500, {}, { 'retry-after-ms': '1' }));
  const { result } = await call(server.url, { keys: { retry: IDEMPOTENT } });
  expect(result).toMatchObject({ outcome: 'error', attempts: 3, error: { code: 'http_500' } });
  expect(server.seen.length).toBe(3);
});

test.each<[string, object]>([
  ['a rejection', {}],
  ['a rule that calls a 500 a rejection', { fail: [{ when: { status: 500 }, is: 'rejected' }] }],
])('a submit is not sent again after %s', async (_what, keys) => {
  const status = 'fail' in keys ? 500 : 400;
  const server = await serve((_seen, response) => json(response, status, {}));
  const { result } = await call(server.url, { keys: { retry: IDEMPOTENT, ...keys } });
  expect(result).toMatchObject({ outcome: 'rejected', attempts: 1 });
});

test('a submit is not sent again when the caller says no, or the wait would end beyond the limit', async () => {
  const server = await serve((_seen, response) => json(response, 503, {}, { 'retry-after': '60' }));
  const told: Refused[] = [];
  const beyond = await call(server.url, { keys: { retry: IDEMPOTENT } });
  expect(beyond).toMatchObject({ result: { outcome: 'error', attempts: 1, error: { code: 'http_503' } }, refused: [] });
  const again = (attempt: Refused) => {
    told.push(attempt);
    return false;
  };
  const refused = await call(server.url, { keys: { retry: IDEMPOTENT }, timeoutMs: 100_000, again });
  expect(refused.result).toMatchObject({ outcome: 'error', attempts: 1 });
  expect(told.length).toBe(1);
});

test('a submit that is not declared idempotent is never sent twice', async () => {
  const dropped = await serveBytes((socket) => void socket.destroy());
  expect((await call(dropped.url)).result).toMatchObject({ outcome: 'error', attempts: 1 });
  expect(dropped.connections()).toBe(1);
});
