import { expect, test } from 'vitest';
import { explainNoSuchPath } from '../../../src/targets/reply/fail.ts';
import { call, json, KEY } from '../call/calling.ts';
import { serve } from '../loopback.ts';
import { readTarget } from '../target-fixture.ts';

const DOCUMENT = {
  target: 1,
  id: 'openai/images',
  kind: 'text-to-image',
  submit: { path: '/images/generations', body: { prompt: '${case.prompt}' } },
  result: { from: 'body' },
};
const WITH_DEFAULT = '${env.OPENAI_BASE_URL:-https://api.openai.com/v1}';

function explain(declaredBase: string, baseUrl: string, path: string, env: Record<string, string> = {}): string {
  const read = readTarget(JSON.stringify({ ...DOCUMENT, base_url: declaredBase }), env);
  if ('wrong' in read) throw new Error(read.wrong.join());
  const failure = { outcome: 'rejected', code: 'http_404', message: '', rule: null } as const;
  const request = { method: 'POST', url: `${baseUrl}${path}` };
  return explainNoSuchPath(failure, 404, request, { target: read.target, baseUrl }, (text) => text).message;
}

test('a path that the server does not have is reported with the whole URL, where its base came from, and what it lacks', () => {
  const env = { OPENAI_BASE_URL: 'http://127.0.0.1:1234' };
  expect(explain(WITH_DEFAULT, 'http://127.0.0.1:1234', '/images/generations', env)).toBe(
    'POST http://127.0.0.1:1234/images/generations: no such path; base_url is http://127.0.0.1:1234 (from OPENAI_BASE_URL): does it need /v1?',
  );
});

test.each([
  ['of the variant', WITH_DEFAULT, 'http://h:1', '/images', 'set by the variant or --base-url): does it need /v1?'],
  ['of the target', 'http://h:1', 'http://h:1', '/images', 'set by the target): does it need /v1?'],
  ['with /v1 twice', 'http://h:1/', 'http://h:1/v1', '/v1/images', '): does it have /v1 twice?'],
  [
    'by default',
    '${env.X:-http://h:1}',
    'http://h:1',
    '/v1/a',
    "the target's default; set X to change it): is it the server",
  ],
])('a base URL %s is reported as such', (_what, declared, baseUrl, path, said) => {
  expect(explain(declared, baseUrl, path)).toContain(said);
});

test('a submit to a path that is not there says so, with what the server said and no secret', async () => {
  const server = await serve((_seen, response) => json(response, 404, { detail: `no route for ${KEY}` }));
  const { result } = await call(server.url);
  expect(result).toMatchObject({ outcome: 'rejected', error: { code: 'http_404' } });
  const message = 'error' in result ? result.error.message : '';
  expect(message).toContain(`POST ${server.url}/generate: no such path; base_url is ${server.url}`);
  expect(message).toContain('no route for [redacted]');
});

test('a 404 with a code of the provider keeps its words', async () => {
  const server = await serve((_seen, response) =>
    json(response, 404, { code: 'model_not_found', message: 'no turbo' }),
  );
  const fail = [{ when: { status: '4xx' }, is: 'rejected', code: '$.code', message: '$.message' }];
  const { result } = await call(server.url, { keys: { fail } });
  expect(result).toMatchObject({ error: { code: 'model_not_found', message: 'no turbo' } });
});
