import sharp from 'sharp';

export function toPng(image: Uint8Array): Promise<Uint8Array> {
  return sharp(image).png().toBuffer();
}
