import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MESSAGE_LENGTH, REDACTED } from '../../src/kit/redact.ts';
import type { Origins } from '../../src/targets/origins.ts';
import { type Addressing, outgoingGet } from '../../src/targets/outgoing.ts';
import { knowSecrets } from '../../src/targets/secrets.ts';
import { ENCODINGS, encode, isLeft } from './encodings.ts';

const redactOf = (...secrets: readonly string[]) => knowSecrets(secrets).redact;

test.each([
  ['unchanged', 'key sk+a/b="1" is wrong', 'key [redacted] is wrong'],
  ['in base64', Buffer.from('sk+a/b="1"').toString('base64'), '[redacted]'],
  ['with control characters within', 'sk+a\u0000/b\u200e="1"', '[redacted]'],
  ['several times', 'sk+a/b="1"sk+a/b="1"', '[redacted][redacted]'],
  ['not at all', 'nothing here', 'nothing here'],
])('a secret %s is redacted', (_what, text, clean) => {
  expect(redactOf('sk+a/b="1"')(text)).toBe(clean);
});

test('a secret of one letter is redacted, and looked for in no media', () => {
  const secrets = knowSecrets(['x']);
  expect(secrets.redact('x=1')).toBe('[redacted]=1');
  expect(secrets.isInBytes(Buffer.from('xxx'))).toBe(false);
});

test('a secret that holds another is replaced whole', () => {
  expect(redactOf('abcd', 'abcdefgh')('x abcdefgh y')).toBe('x [redacted] y');
});

test('line breaks become spaces, direction marks and control characters go', () => {
  expect(redactOf()('a\r\n\tb\u202ec\u0007d')).toBe('a bcd');
});

test('nothing of a secret is left, wherever it stands and whatever is cut', () => {
  const secret = 'S3CRET-0123456789-abcdefghij'.repeat(8);
  const redact = redactOf(secret);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12_000 }), fc.integer({ min: 1, max: 40 }), (before, times) => {
      const clean = redact('x'.repeat(before) + secret.repeat(times));
      expect(clean.length).toBeLessThanOrEqual(MESSAGE_LENGTH);
      expect(clean).not.toContain('S3CRET');
    }),
  );
});

test('an emoji is not cut in half', () => {
  expect(redactOf()('🦊'.repeat(200), 10)).toBe('🦊🦊🦊🦊…');
});

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 1]);

/** A secret as a key, token or password may be: what a header can hold. */
const SECRET = fc
  .string({
    unit: fc.constantFrom(...'abcXYZ0189-._~+/= "\\&<>\'%$#@!?:;,()[]{}|^`*é'),
    minLength: 8,
    maxLength: 60,
  })
  .filter((text) => text.trim() === text && !/\s\s|\\$/.test(text));

const NAMES = Object.keys(ENCODINGS);

test.each(NAMES)('no secret is left in a text that holds it: %s', (name) => {
  fc.assert(
    fc.property(SECRET, (secret) => {
      const secrets = knowSecrets([secret]);
      const text = `the key ${encode(name, secret)}, is wrong`;
      expect(secrets.isIn(text)).toBe(true);
      const clean = secrets.redact(text);
      expect(clean).toContain('[redacted]');
      expect(isLeft(clean, name, secret)).toBe(false);
    }),
  );
});

test.each(NAMES)('bytes of a page that hold a secret are found: %s', (name) => {
  fc.assert(
    fc.property(SECRET, (secret) => {
      expect(knowSecrets([secret]).isInBytes(Buffer.from(`<p>${encode(name, secret)}</p>`))).toBe(true);
    }),
  );
});

/** Media are searched for what keeps letters and digits as they are. */
const IN_MEDIA = NAMES.filter((name) => !/last letter|ASCII|numeric|hexadecimal|capitals|small letters$/.test(name));

test.each([...IN_MEDIA, 'UTF-16'])('bytes of media that hold a secret are found: %s', (name) => {
  fc.assert(
    fc.property(SECRET, (secret) => {
      const held = name === 'UTF-16' ? Buffer.from(secret, 'utf16le') : Buffer.from(encode(name, secret));
      expect(knowSecrets(['another-key', secret]).isInBytes(Buffer.concat([PNG, held, PNG]))).toBe(true);
    }),
  );
});

test('text and media without a secret are left alone', () => {
  fc.assert(
    fc.property(SECRET, fc.string({ unit: 'grapheme' }), fc.uint8Array(), (secret, text, bytes) => {
      fc.pre(!text.toLowerCase().includes(secret.toLowerCase()));
      const secrets = knowSecrets([secret]);
      expect(secrets.isIn(text)).toBe(false);
      expect(secrets.isInBytes(bytes)).toBe(false);
    }),
  );
});

test.each<[string, string, string]>([
  ['k', 'moderation_blocked', 'moderation_blocked'],
  ['k', 'the key k, is wrong', 'the key [redacted], is wrong'],
  ['image', 'imagery of an image: image/png', 'imagery of an [redacted]: [redacted]/png'],
  ['error', 'http_error: ERROR', 'http_error: [redacted]'],
  ['abc1234', 'abc12345 xabc1234 abc1234', 'abc12345 xabc1234 [redacted]'],
  ['abc1234', 'key=%61bc1234', 'key=[redacted]'],
  ['abc12345', 'xabc12345y', 'x[redacted]y'],
])('the key %j, too short or long enough for a real one, leaves of %j: %j', (key, text, clean) => {
  expect(knowSecrets([key]).redact(text)).toBe(clean);
});

test('a part of a secret that stands alone is no secret', () => {
  const secrets = knowSecrets(['sk-0123456789abcdef-XYZ']);
  expect(secrets.isInBytes(Buffer.concat([PNG, Buffer.from('sk-0123456789abcdef')]))).toBe(false);
});

test('a long secret, such as a key in PEM, is found and left nowhere', () => {
  const secret = Array.from({ length: 4000 }, (_, at) => ((at * 7919) % 36).toString(36)).join('');
  const secrets = knowSecrets([secret]);
  expect(secrets.redact(`no ${secret} here`)).toMatch(/^no (\[redacted\])+ here$/);
  expect(secrets.isInBytes(Buffer.concat([PNG, Buffer.from(secret)]))).toBe(true);
});

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
