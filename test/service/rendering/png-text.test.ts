import sharp from 'sharp';
import { expect, test } from 'vitest';
import { withText } from '../../../src/service/rendering/png-text.ts';

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
