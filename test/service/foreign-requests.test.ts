import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quick, type Running, runService } from './running-service.ts';

let service: Running;
beforeAll(async () => {
  service = await runService();
});
afterAll(() => service.close());

/** Asks with headers that fetch does not let one set. */
async function statusOf(path: string, headers: Record<string, string>): Promise<number | undefined> {
  const asking = request({ host: '127.0.0.1', port: service.port, path, headers });
  const [response] = await once(asking.end(), 'response');
  response.resume();
  return response.statusCode;
}

test.each(['/healthz', '/v2/openapi.json', '/v2/admin/stats', '/nothing'])(
  'the service refuses %s to a rebound name and to a page of another site',
  async (path) => {
    const host = `127.0.0.1:${service.port}`;
    expect(await statusOf(path, { host: `evil.example:${service.port}` })).toBe(403);
    expect(await statusOf(path, { host, origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf(path, { host })).toBe(path === '/nothing' ? 404 : 200);
  },
);

test('the statistics are refused to who asks for this machine by an address of the network', async () => {
  expect(await statusOf('/v2/admin/stats', { host: `192.168.1.7:${service.port}` })).toBe(403);
  expect(await statusOf('/healthz', { host: `192.168.1.7:${service.port}` })).toBe(200);
});

test('a page of another site gets no image even with the key', async () => {
  const { sampled } = (await service.stats()).generations;
  const body = new FormData();
  for (const [name, value] of Object.entries(quick(1))) body.set(name, value);
  const headers = { authorization: 'Bearer test-key', origin: 'https://evil.example' };
  const reply = await fetch(`${service.url}/v2/image/generations`, { method: 'POST', headers, body });
  expect([reply.status, (await reply.json()).code]).toEqual([403, 'foreign_origin']);
  expect((await service.stats()).generations.sampled).toBe(sampled);
});
