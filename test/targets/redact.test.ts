import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MESSAGE_LENGTH } from '../../src/kit/visible.ts';
import { knowSecrets } from '../../src/targets/secrets.ts';

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
