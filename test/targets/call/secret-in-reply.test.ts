import { describe, expect, test } from 'vitest';
import { encode, isLeft } from '../encodings.ts';
import { serve } from '../loopback.ts';
import { call, KEY } from './calling.ts';

/** Of each kind one: that all are found is held by the secrets in texts. */
const NAMES = ['plain', 'percent-encoded', 'JSON in JSON', 'HTML', 'base64'];

const serveText = (status: number, mime: string, text: string) =>
  serve((_seen, response) => void response.writeHead(status, { 'content-type': mime }).end(text));

describe('no form of the key is in anything that a call gives out', () => {
  test.each([
    ['a page that is not JSON', 'text/html', (text: string) => `<html>${text}</html>`],
    ['an event of another name', 'text/event-stream', (text: string) => `event: ${text}\ndata: {"a":"${text}"}\n\n`],
    ['JSON without a result', 'application/json', (text: string) => `{"message":${JSON.stringify(text)}}`],
  ])('the key is redacted in %s', async (_what, mime, page) => {
    for (const name of NAMES) {
      const written = encode(name, KEY);
      for (const status of [200, 400]) {
        const server = await serveText(status, mime, page(written));
        for (const keys of [{ result: { from: 'b64', at: '$.image' } }, { wait: { events: { done: ['done'] } } }]) {
          const { result } = await call(server.url, { keys });
          expect(isLeft(JSON.stringify(result), name, KEY), name).toBe(false);
        }
      }
    }
  });

  test('the key is redacted in a state that is cut where it is shown', async () => {
    const server = await serveText(
      200,
      'application/json',
      JSON.stringify({ id: 1, state: `${'x'.repeat(50)}${KEY}` }),
    );
    const wait = {
      capture: { id: '$.id' },
      poll: { path: '/p', min_every: '1ms' },
      state: { at: '$.state', success: ['a'] },
    };
    const { result } = await call(server.url, { keys: { wait } });
    expect(result.outcome).toBe('error');
    expect(JSON.stringify(result)).not.toContain(KEY.slice(0, 8));
  });

  test('the key is redacted in a media type in small letters', async () => {
    const server = await serveText(200, `image/${KEY.toUpperCase()}`, 'no');
    const { result } = await call(server.url, { keys: { result: { from: 'b64', at: '$.image' } } });
    expect(result.outcome).toBe('error');
    expect(JSON.stringify(result).toLowerCase()).not.toContain(KEY.toLowerCase());
  });

  test('the key is redacted beside a captured value that says "[redacted]" itself', async () => {
    const server = await serveText(200, 'application/json', JSON.stringify({ id: `[redacted] ${KEY}` }));
    const { result } = await call(server.url, {
      keys: { wait: { capture: { id: '$.id' } }, result: { from: 'url', at: '$.url' } },
    });
    expect(JSON.stringify(result)).not.toContain(KEY);
  });
});
