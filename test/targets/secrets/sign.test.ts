import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCredentials, signJwt } from '../../../src/targets/credential.ts';
import { knowSecrets } from '../../../src/targets/secrets.ts';
import { call, json, png } from '../call/calling.ts';
import { serve } from '../loopback.ts';

const SECRETS = { AK: 'ak-0123456789', SK: 'sk-abcdefghij' };
const NOW_MS = 1_790_000_000_500;
const KEYS = {
  auth: { in: 'header', name: 'Authorization', value: 'Bearer ${run.jwt}' },
  sign: { as: 'jwt-hs256', key: '${secret.SK}', claims: { iss: '${secret.AK}' }, expires_in: '30m', not_before: '5s' },
};

/** Checks a token as a service would, and gives what it says. */
function verify(token: string, key: string): unknown {
  const [head = '', body = '', signature = ''] = token.split('.');
  expect(createHmac('sha256', key).update(`${head}.${body}`).digest('base64url')).toBe(signature);
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  expect(read(head)).toEqual({ alg: 'HS256', typ: 'JWT' });
  return read(body);
}

test('a token says its claims and its times in whole seconds', () => {
  const rule = { key: 'your-256-bit-secret', claims: { sub: '1234567890', n: 1 }, expiresMs: 0, notBeforeMs: null };
  expect(verify(signJwt(rule, 1_516_239_022_999), rule.key)).toEqual({ sub: '1234567890', n: 1, exp: 1_516_239_022 });
});

test('a call is signed with the times of its call, and the token goes nowhere else', async () => {
  const server = await serve((seen, response) => {
    if (seen.method === 'POST') return json(response, 200, { id: 1 });
    if (seen.url === '/j/1') return json(response, 200, { state: 'done', echo: seen.headers.authorization });
    png(response);
  });
  const wait = {
    capture: { id: '$.id' },
    poll: { path: '/j/${job.id}', min_every: '1ms' },
    state: { at: '$.state', success: ['never'] },
  };
  const { result } = await call(server.url, { keys: { ...KEYS, wait }, secrets: SECRETS, wallMs: () => NOW_MS });
  const tokens = server.seen.map(({ headers }) => headers.authorization?.replace('Bearer ', '') ?? '');
  expect(tokens.length).toBe(2);
  for (const token of tokens) {
    expect(verify(token, SECRETS.SK)).toEqual({ iss: SECRETS.AK, exp: 1_790_001_800, nbf: 1_789_999_995 });
  }
  expect(result).toMatchObject({ outcome: 'error', error: { code: 'unlisted_state' } });
  expect(JSON.stringify(result)).toContain('Bearer [redacted]');
});

test('a token is shared by calls, signed again when half of its life is over, and kept secret while it is live', () => {
  let nowMs = NOW_MS;
  const secrets = knowSecrets([]);
  const jwt = { key: 'k', claims: { iss: 'a' }, expiresMs: 60_000, notBeforeMs: null };
  const signed = { in: 'header', name: 'x', before: 'B ', after: '', jwt } as const;
  const credentials = createCredentials(() => nowMs, secrets);
  const first = credentials.of(signed)()?.value ?? '';
  nowMs += 29_000;
  expect(credentials.of({ ...signed })()?.value).toBe(first);
  nowMs += 2000;
  const second = credentials.of(signed)()?.value ?? '';
  expect(second).not.toBe(first);
  expect(secrets.redact(`${first}, ${second}`)).toBe('B [redacted], B [redacted]');
  expect(credentials.of({ ...signed, jwt: { ...jwt, key: 'other' } })()?.value).not.toBe(second);
  nowMs += 10 * 60_000;
  credentials.of(signed)();
  credentials.of(signed)();
  expect(secrets.isIn(first)).toBe(false);
});

test('a credential that is made of a key is hidden as the key is: as sent, and in base64', () => {
  const secrets = knowSecrets(['key-0123456789']);
  const basic = Buffer.from('user:key-0123456789').toString('base64');
  const credentials = createCredentials(() => NOW_MS, secrets);
  credentials.of({ in: 'header', name: 'authorization', value: `Basic ${basic}` });
  for (const sent of [basic, `Basic ${basic}`]) {
    const echoed = Buffer.from(sent).toString('base64');
    expect(secrets.redact(`you sent ${echoed}`)).not.toContain(echoed.slice(12, 24));
    expect(secrets.redact(sent)).toMatch(/^(Basic )?\[redacted\]$/);
  }
});
