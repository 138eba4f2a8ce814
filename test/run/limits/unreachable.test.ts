import { createServer, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { RunnerEvent } from '../../../src/run/events.ts';
import { measurePlan } from '../../fixtures/measured-run.ts';
import { CLOSED } from '../../fixtures/plan-input.ts';
import { png } from '../../targets/call/calling.ts';
import { closedUrl, serve } from '../../targets/loopback.ts';
import { targetWith, variantOf } from '../../targets/target-fixture.ts';

it('a server that was never started ends the run after its first request, with nothing counted as failed', async () => {
  const url = await closedUrl();
  for (const concurrency of [1, 4]) {
    const { stop, samples } = await measurePlan({
      variants: ['a', 'b'].map((name) => variantOf(targetWith({ base_url: url }), { name })),
      load: { ...CLOSED, concurrency },
    });
    expect(stop).toEqual({
      reason: 'unreachable',
      origin: url,
      variable: 'SERVER_URL',
      failure: 'connect_refused',
      waitedMs: 0,
    });
    expect(samples.length).toBeLessThanOrEqual(concurrency);
    for (const { outcome, attempts } of samples) expect([outcome, attempts]).toEqual(['cancelled', 0]);
  }
});

it('a server that was never started leaves its own variants out, and those of another go on', async () => {
  const up = await serve((_seen, response) => png(response));
  const down = await closedUrl();
  const { stop, samples } = await measurePlan({
    variants: [
      variantOf(targetWith({ base_url: down, id: 'test/down' }), { name: 'down' }),
      variantOf(targetWith({ base_url: up.url, id: 'test/up' }), { name: 'up' }),
    ],
  });
  expect(stop).toEqual({ reason: 'finished' });
  expect(samples.filter(({ outcome }) => outcome === 'ok')).toHaveLength(1 + 12);
  expect(samples.filter(({ trial }) => trial.variant === 'down').map(({ outcome }) => outcome)).toEqual(['cancelled']);
});

it('a server that is gone for a while is waited for: each request reaches it once, and none is counted as failed', async () => {
  let received = 0;
  let server: HttpServer | null = null;
  let port = 0;
  // All calls in flight are held when it goes: closing resets a connection that it has not yet accepted.
  const held: ServerResponse[] = [];
  const answer = (response: ServerResponse): void => png(response.setHeader('connection', 'close'));
  const listen = async (): Promise<void> => {
    const started = createServer((_request, response) => {
      received += 1;
      if (received < 4 || received > 6) return answer(response);
      held.push(response);
      if (held.length < 3) return;
      started.close();
      held.forEach(answer);
      setTimeout(listen, 1200);
    });
    server = started;
    await new Promise<void>((resolve) => started.listen(port, '127.0.0.1', resolve));
    ({ port } = started.address() as AddressInfo);
  };
  await listen();
  onTestFinished(() => {
    server?.close();
  });
  const events: RunnerEvent[] = [];
  const { stop, samples, intents } = await measurePlan({
    variants: [variantOf(targetWith({ base_url: `http://127.0.0.1:${port}` }))],
    load: { ...CLOSED, concurrency: 3 },
    observe: (event) => events.push(event),
  });
  expect(stop).toEqual({ reason: 'finished' });
  expect(samples.map(({ outcome }) => outcome)).toEqual(samples.map(() => 'ok'));
  expect(received).toBe(samples.length);
  expect(samples.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(received);
  const waited = samples.filter(({ flags }) => flags.includes('reconnected'));
  expect(waited.length).toBeGreaterThan(0);
  // The wait is before the start that is measured from.
  for (const { trial, marks } of waited) {
    const handedOverMs = intents.find((intent) => intent.trial.id === trial.id)?.atMs ?? 0;
    expect(marks.startedMs).toBeGreaterThan(handedOverMs + 200);
  }
  expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['waiting', 'reached']));
});
