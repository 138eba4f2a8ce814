import { expect, test } from 'vitest';
import { beginningOfText } from '../../src/run/text-beginning.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

test.each([
  ['a page', utf8('<html>\n  <h1>Gone</h1>\n</html>'), '<html>   <h1>Gone</h1> </html>'],
  ['nothing', new Uint8Array(), ''],
  ['bytes that are no text', new Uint8Array([0x89, 0x50, 0, 1]), ''],
  ['text with a zero byte', utf8('abc\u0000def'), ''],
  ['a character cut at the end of what is looked at', utf8(`${'a'.repeat(1023)}é`), `${'a'.repeat(159)}…`],
])('%s', (_what, bytes, expected) => {
  expect(beginningOfText(bytes)).toBe(expected);
});
