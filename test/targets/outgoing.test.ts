import { describe, expect, test } from 'vitest';
import { REDACTED } from '../../src/kit/visible.ts';
import type { Origins } from '../../src/targets/origins.ts';
import { type Addressing, outgoingGet } from '../../src/targets/outgoing.ts';
import { knowSecrets } from '../../src/targets/secrets.ts';

const ORIGINS: Origins = { auth: [{ match: 'base' }], download: [{ match: 'any' }], allowPrivate: false };
const KEY = "ab'c(d) e";
const addressing: Addressing = {
  origins: ORIGINS,
  baseUrl: 'https://api.example.com',
  credential: () => ({ in: 'query', name: 'key', value: KEY }),
};
const sent = (url: string) => outgoingGet(new URL(url), 'any', addressing, { headers: [], auth: true }).url;

describe('a credential in the query', () => {
  test('a credential in the query goes to the base, beside parameters that stay as written', () => {
    expect(sent('https://api.example.com/a?x=a%20b&sig=q%2Bw')).toBe(
      'https://api.example.com/a?x=a%20b&sig=q%2Bw&key=ab%27c%28d%29+e',
    );
  });

  test('a credential in the query is taken off where a redirect copied it to another origin', () => {
    expect(sent('https://cdn.example.net/a?key=ab%27c&x=a%20b')).toBe('https://cdn.example.net/a?x=a%20b');
    expect(sent('https://cdn.example.net/a?key=1')).toBe('https://cdn.example.net/a');
  });

  test('a credential in the query is redacted as it was sent', () => {
    const { redact } = knowSecrets([KEY]);
    expect(redact(`no ${sent('https://api.example.com/a')}`)).toBe(`no https://api.example.com/a?key=${REDACTED}`);
  });
});
