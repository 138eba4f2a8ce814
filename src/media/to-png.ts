import sharp from 'sharp';

/** An image as PNG, lossless. Throws where it does not decode. */
export function toPng(image: Uint8Array): Promise<Uint8Array> {
  return sharp(image).png().toBuffer();
}
