import fc from 'fast-check';
import { expect, test } from 'vitest';
import { knowSecrets } from '../../src/targets/secrets.ts';
import { ENCODINGS, encode, isLeft } from './encodings.ts';

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
