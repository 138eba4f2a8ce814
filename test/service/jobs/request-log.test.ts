import { expect, test } from 'vitest';
import { RequestLog } from '../../../src/service/jobs/request-log.ts';

test('requests are counted by route and status, with the most in flight, and remembered with their times', () => {
  let nowMs = 0;
  const log = new RequestLog(() => nowMs);
  const first = log.begin('a', 'POST /x', true);
  nowMs = 5;
  const second = log.begin('b', 'POST /x', false);
  second.describe({ model: 'fast' });
  second.describe({ seed: 7 });
  nowMs = 8;
  second.finish(200, true);
  expect(log.stats().routes['POST /x']).toEqual({ started: 2, inFlight: 1, mostInFlight: 2, statuses: { 200: 1 } });
  first.finish(200, false);
  first.finish(200, true);
  expect(log.stats().routes['POST /x']).toMatchObject({ inFlight: 0, statuses: { 200: 1, incomplete: 1 } });
  expect(log.stats().requests).toMatchObject([
    { id: 'b', receivedMs: 5, finishedMs: 8, status: 200, complete: true, authorized: false, model: 'fast', seed: 7 },
    { id: 'a', receivedMs: 0, finishedMs: 8, status: 200, complete: false, authorized: true, model: null, seed: null },
  ]);
});

test('only the last ten thousand requests are remembered, all are counted', () => {
  const log = new RequestLog(() => 0);
  for (let i = 0; i < 25_000; i++) log.begin(String(i), 'GET /x', false).finish(200, true);
  const { requests, routes } = log.stats();
  expect(requests.length).toBe(10_000);
  expect(requests[0]?.id).toBe('15000');
  expect(requests.at(-1)?.id).toBe('24999');
  expect(routes['GET /x']?.statuses).toEqual({ 200: 25_000 });
});
