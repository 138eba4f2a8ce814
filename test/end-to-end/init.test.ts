import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../src/commands/tools/init/new-suite.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { onlyRun, retakeHere } from '../fixtures/retake-process.ts';

/* What `retake init` writes, used by a user who changes nothing of it. */

let server: Server;
let base: string;
const asked: { readonly url: string; readonly authorization: string | undefined; readonly body: string }[] = [];
beforeAll(async () => {
  server = await serveReplies(asked);
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterAll(() => server.close());

describe('a suite that init wrote', () => {
  it('a suite that init wrote: is valid, is run against its endpoint, and is reported', async () => {
    const folder = freshFolder();
    const options = ['--reply', 'bytes', '--encoding', 'multipart', '--path', '/bytes', '--seed', 'exact'];
    const models = ['--model', 'slow', '--model', 'fast'];
    const made = await retakeHere(
      ['init', 'mine.yaml', '--base-url', base, '--secret', 'OWN_KEY', ...options, ...models],
      folder,
    );
    expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('show the 50 requests') });
    expect((await retakeHere(['validate', 'mine.yaml', 'targets/own/mine.yaml'], folder)).code).toBe(0);
    expect((await retakeHere(['plan', 'mine.yaml'], folder)).stdout).toContain('Requests: 50 ');
    const run = await retakeHere(['run', 'mine.yaml', '--quiet'], folder, { OWN_KEY: 'key-0123456789' });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('GATE PASSED');
    const sent = (model: string) => asked.filter(({ body }) => body.includes(`name="model"\r\n\r\n${model}\r\n`));
    expect(['slow', 'fast'].map((model) => sent(model).length)).toEqual([25, 25]);
    expect(existsSync(join(onlyRun(join(folder, 'results')), 'report.html'))).toBe(true);
  });
});

describe('a target that init wrote', () => {
  it.each<Reply>(['openai', 'url', 'base64', 'job'])(
    'a target for %s: reads the usual form of that reply',
    async (reply) => {
      const folder = freshFolder();
      const path = reply === 'openai' ? [] : ['--path', `/${reply}`];
      const args = [
        'init',
        '--base-url',
        base,
        '--reply',
        reply,
        '--secret',
        'OWN_KEY',
        '--model',
        'm',
        '--name',
        'own',
      ];
      expect(await retakeHere([...args, ...path], folder)).toMatchObject({ code: 0 });
      asked.length = 0;
      const tried = await retakeHere(['try', 'targets/own/own.yaml', '--seed', '7'], folder, {
        OWN_KEY: 'key-0123456789',
      });
      expect(tried.stderr).toBe('');
      expect(tried.code).toBe(0);
      const [submit] = asked;
      expect(submit).toMatchObject({ authorization: 'Bearer key-0123456789' });
      for (const part of ['A red fox', 'm', '7']) expect(submit?.body).toContain(part);
    },
  );
});

/** A server that gives one image in each form that `init` knows. */
async function serveReplies(
  asked: { url: string; authorization: string | undefined; body: string }[],
): Promise<Server> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const size = { width: 64, height: 64, channels: 3, background: '#000' } as const;
  const image = await sharp({ create: { ...size, noise } })
    .png()
    .toBuffer();
  const base64 = image.toString('base64');
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const url = request.url ?? '';
    asked.push({ url, authorization: request.headers.authorization, body });
    const json = (value: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const media = `http://${request.headers.host}/media.png`;
    switch (`${request.method} ${url}`) {
      case 'POST /v1/images/generations':
        return json({ data: [{ b64_json: base64 }] });
      case 'POST /url':
        return json({ url: media });
      case 'POST /base64':
        return json({ image: base64 });
      case 'POST /job':
        return json({ id: 'j1' });
      case 'GET /job/j1': {
        const polls = asked.filter((each) => each.url === url).length;
        return json(polls < 2 ? { status: 'queued' } : { status: 'succeeded', output: { url: media } });
      }
      case 'POST /bytes':
        // By more than a busy machine delays the other variant: equal variants would be decided by chance.
        if (body.includes('slow')) await sleep(100);
        return response.writeHead(200, { 'content-type': 'image/png' }).end(image);
      case 'GET /media.png':
        return response.writeHead(200, { 'content-type': 'image/png' }).end(image);
      default:
        return response.writeHead(404).end();
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of request) body += piece;
  return body;
}
