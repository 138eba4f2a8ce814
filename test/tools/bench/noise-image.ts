import sharp from 'sharp';
import { createRandom } from '../../../src/statistics/random.ts';

/** A real PNG of about 1.5 MB: noise, which does not compress. */
export async function noiseImage(): Promise<Buffer> {
  const [width, height] = [800, 625];
  const random = createRandom(7);
  const pixels = Buffer.from(Array.from({ length: width * height * 3 }, () => Math.floor(random.uniform() * 256)));
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}
