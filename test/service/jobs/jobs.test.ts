import { afterEach, describe, expect, test } from 'vitest';
import { RequestLog } from '../../../src/service/jobs/request-log.ts';
import { fetchMedia, quickVideo, statusOf, submit, waitFor } from '../asking-for-video.ts';
import { KEY, type Running, runService } from '../running-service.ts';

/* One worker: what is asked for next says whether it is free. */

let service: Running;

afterEach(() => service.close());

/** Twice: so slow that no test sees it end. */
const SLOW = 'slow_worker: { factor: 100 }, when: { first: 1 }';

async function withRules(...rules: string[]): Promise<Running> {
  service = await runService({ rules, workers: 1 });
  return service;
}

function cancel(id: string, headers: Record<string, string> = { authorization: `Bearer ${KEY}` }): Promise<Response> {
  return fetch(`${service.url}/v2/assets/${id}/cancel`, { method: 'POST', headers });
}

const stateOf = async (id: string) => (await service.stats()).jobs.find((job) => job.id === id)?.state;

async function reached(id: string, state: string): Promise<void> {
  while ((await stateOf(id)) !== state) await new Promise((resolve) => setTimeout(resolve, 10));
}

const CANCELLED = { status: 'cancelled', error: { code: 'cancelled', message: 'the client asked to end it' } };

describe('a job that is cancelled', () => {
  test('a cancelled job frees its worker: the next is drawn, and nothing of it was sampled to its end', async () => {
    await withRules(SLOW, SLOW);
    const running = await submit(service, quickVideo(1));
    await reached(running, 'processing');
    const answer = await cancel(running);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ status: 'success', video: { id: running, ...CANCELLED } });
    expect(await waitFor(service, await submit(service, quickVideo(2)))).toMatchObject({ status: 'finished' });
    expect(await waitFor(service, running)).toMatchObject(CANCELLED);
    expect((await fetchMedia(`${service.url}/v2/assets/${running}/video.mp4`)).status).toBe(404);
    const { generations, jobs, routes } = await service.quietStats();
    expect(generations).toEqual({ sampled: 1, cancelled: 1, evaluations: 4 });
    expect(jobs).toMatchObject([{ state: 'cancelled', finishedMs: expect.any(Number) }, { state: 'finished' }]);
    expect(routes['POST /v2/assets/:id/cancel']?.statuses).toEqual({ 200: 1 });
  });

  test('a cancelled job leaves the queue: no worker takes it up', async () => {
    await withRules(SLOW, SLOW);
    const [running, queued] = [await submit(service, quickVideo(1)), await submit(service, quickVideo(2))];
    const last = await submit(service, quickVideo(3));
    for (const id of [queued, running]) expect((await cancel(id)).status).toBe(200);
    expect(await waitFor(service, last)).toMatchObject({ status: 'finished' });
    const { generations, jobs } = await service.quietStats();
    expect(generations).toEqual({ sampled: 1, cancelled: 2, evaluations: 4 });
    expect(jobs.map(({ id, startedMs }) => [id, startedMs === null])).toEqual([
      [running, false],
      [queued, true],
      [last, false],
    ]);
  });

  test.each([
    ['is not queued yet', 'latency: { constant: 1m }'],
    ['would never end', 'job_never_ends: {}'],
  ])('a job that %s ends once it is cancelled, and a second time changes nothing', async (_what, rule) => {
    await withRules(rule);
    const id = await submit(service, quickVideo());
    const ended = async () => (await service.stats()).jobs[0]?.finishedMs;
    expect((await cancel(id)).status).toBe(200);
    const first = await ended();
    const again = await cancel(id);
    expect([again.status, (await again.json()).video]).toMatchObject([200, CANCELLED]);
    expect(await ended()).toBe(first);
    expect((await service.quietStats()).generations).toEqual({ sampled: 0, cancelled: 1, evaluations: 0 });
  });
});

describe('a cancellation', () => {
  test('a cancellation of a job that has ended is refused, and changes nothing', async () => {
    await withRules();
    const id = await submit(service, quickVideo());
    await waitFor(service, id);
    const answer = await cancel(id);
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'job_ended']);
    const { video } = await (await statusOf(service, id)).json();
    expect(video.status).toBe('finished');
    expect((await fetchMedia(video.url.generation[0])).status).toBe(200);
    expect((await service.quietStats()).generations).toMatchObject({ sampled: 1, cancelled: 0 });
  });

  test('a cancellation of an unknown job is refused, and of any without the key', async () => {
    await withRules('job_never_ends: {}');
    const unknown = await cancel('none');
    expect([unknown.status, (await unknown.json()).code]).toEqual([404, 'unknown_asset']);
    const id = await submit(service, quickVideo());
    expect((await cancel(id, {})).status).toBe(401);
    expect(await stateOf(id)).toBe('processing');
  });
});

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
