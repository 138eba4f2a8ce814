import sharp from 'sharp';

/** Lossless. Throws if it does not decode. */
export function toPng(image: Uint8Array): Promise<Uint8Array> {
  return sharp(image).png().toBuffer();
}
