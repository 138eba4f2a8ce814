import sharp from 'sharp';
import { expect, test } from 'vitest';
import { withFreeBox, withText } from '../../../src/service/handlers/delivery.ts';

test('a text chunk changes the bytes and no pixel, and decoders accept it', async () => {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();
  const marked = withText(png, 'Comment', 'one');
  expect(marked.length).toBe(png.length + 12 + 'Comment'.length + 1 + 3);
  const pixels = await sharp(marked, { failOn: 'warning' }).raw().toBuffer();
  expect(pixels.equals(await sharp(png).raw().toBuffer())).toBe(true);
  const { comments } = await sharp(marked).metadata();
  expect(comments).toEqual([{ keyword: 'Comment', text: 'one' }]);
});

test('a free box is at the end and says how long it is', () => {
  const padded = withFreeBox(Buffer.from('mp4'), 'note');
  expect(padded.toString('latin1')).toBe('mp4\0\0\0\x0cfreenote');
});
