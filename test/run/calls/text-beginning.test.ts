import { expect, test } from 'vitest';
import { beginningOfText } from '../../../src/run/calls/keep-outputs.ts';
import { knowSecrets } from '../../../src/targets/secrets.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

test.each([
  ['a page', utf8('<html>\n  <h1>Gone</h1>\n</html>'), '<html>   <h1>Gone</h1> </html>'],
  ['nothing', new Uint8Array(), ''],
  ['bytes that are no text', new Uint8Array([0x89, 0x50, 0, 1]), ''],
  ['text with a zero byte', utf8('abc\u0000def'), ''],
  ['a character cut at the end of what is looked at', utf8(`${'a'.repeat(16 * 1024 - 1)}é`), `${'a'.repeat(159)}…`],
])('beginningOfText of %s', (_what, bytes, expected) => {
  expect(beginningOfText(bytes, knowSecrets([]).redact)).toBe(expected);
});

test.each([
  ['at the beginning', 'sk-telling-0123456789 is wrong', '[redacted] is wrong'],
  ['cut where looking ends', `no${' '.repeat(16 * 1024 - 10)}sk-telling-0123456789`, 'no'],
])('a secret %s of a text is not in what is shown of it', (_where, text, shown) => {
  expect(beginningOfText(utf8(text), knowSecrets(['sk-telling-0123456789']).redact)).toBe(shown);
});
