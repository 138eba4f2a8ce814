import { expect, test } from 'vitest';
import { RequestLog } from '../../../src/service/jobs/request-log.ts';

test('only the last ten thousand requests are remembered, all are counted, each once', () => {
  const log = new RequestLog(() => 0);
  for (let i = 0; i < 25_000; i++) {
    const open = log.begin(String(i), 'GET /x', false);
    open.finish(200, true);
    open.finish(200, false);
  }
  const { requests, routes } = log.stats();
  expect([requests.length, requests[0]?.id, requests.at(-1)?.id]).toEqual([10_000, '15000', '24999']);
  expect(routes['GET /x']).toMatchObject({ inFlight: 0, mostInFlight: 1, statuses: { 200: 25_000 } });
});
