/** How an endpoint is told what may change: by white pixels, black ones, or transparent ones. */
export const MASK_FORMS = ['white', 'black', 'transparent'] as const;
export type MaskForm = (typeof MASK_FORMS)[number];

export type ReadMask =
  | { readonly is: 'mask'; readonly forms: Readonly<Record<MaskForm, Uint8Array>> }
  /** `black`: nothing may change. `transparent`: it may be meant in another form. */
  | { readonly is: 'black' | 'transparent' | 'broken' };

/**
 * Reads a mask that is white where an image may change, black where not, and grey between; gives its PNG in each form:
 * its own bytes, inverted, and with the inverse as alpha. Loads sharp, which most runs that measure do without.
 */
export async function readMask(png: Uint8Array): Promise<ReadMask> {
  const { default: sharp } = await import('sharp');
  try {
    if (!(await sharp(png).stats()).isOpaque) return { is: 'transparent' };
    const { data, info } = await sharp(png)
      .removeAlpha()
      .toColourspace('b-w')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const grey = data.filter((_value, at) => at % info.channels === 0);
    if (grey.every((value) => value === 0)) return { is: 'black' };
    const inverse = grey.map((value) => 255 - value);
    const clear = new Uint8Array(4 * inverse.length);
    for (const [at, value] of inverse.entries()) clear[4 * at + 3] = value;
    const pngOf = (pixels: Uint8Array, channels: 1 | 4) =>
      sharp(pixels, { raw: { width: info.width, height: info.height, channels } })
        .png()
        .toBuffer();
    return { is: 'mask', forms: { white: png, black: await pngOf(inverse, 1), transparent: await pngOf(clear, 4) } };
  } catch {
    return { is: 'broken' };
  }
}
