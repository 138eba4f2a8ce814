import sharp from 'sharp';

const GAP = 8;

/** One PNG, `columns` per row, each image within a square of `side` pixels. Throws if one does not decode. */
export async function contactSheet(images: readonly Uint8Array[], side: number, columns: number): Promise<Uint8Array> {
  const tiles = await Promise.all(
    images.map((bytes) =>
      sharp(bytes)
        .autoOrient()
        .resize({ width: side, height: side, fit: 'contain', background: '#fff' })
        .png()
        .toBuffer(),
    ),
  );
  const across = Math.min(columns, tiles.length);
  const rows = Math.ceil(tiles.length / columns);
  return sharp({
    create: {
      width: GAP + across * (side + GAP),
      height: GAP + rows * (side + GAP),
      channels: 3,
      background: '#fff',
    },
  })
    .composite(
      tiles.map((input, at) => ({
        input,
        left: GAP + (at % columns) * (side + GAP),
        top: GAP + Math.floor(at / columns) * (side + GAP),
      })),
    )
    .png()
    .toBuffer();
}

export function toPng(image: Uint8Array): Promise<Uint8Array> {
  return sharp(image).png().toBuffer();
}
