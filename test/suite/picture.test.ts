import sharp from 'sharp';
import { expect, test } from 'vitest';
import { pictureType } from '../../src/suite/picture.ts';

const picture = sharp({ create: { channels: 3, width: 2, height: 2, background: 'teal' } });

test.each([
  ['png', 'image/png'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', null],
  ['tiff', null],
] as const)('a %s is %s', async (format, expected) => {
  const bytes = new Uint8Array(await picture.clone().toFormat(format).toBuffer());
  expect(pictureType(bytes)).toBe(expected);
  expect(pictureType(bytes.subarray(0, 2))).toBeNull();
});

test('a RIFF file of another form is none', () => {
  expect(pictureType(new TextEncoder().encode('RIFF....WAVEfmt '))).toBeNull();
  expect(pictureType(new TextEncoder().encode('XXXX....WEBPVP8 '))).toBeNull();
});
