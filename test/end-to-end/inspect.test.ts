import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { NO_NODE_AV } from '../fixtures/no-node-av.ts';
import { type Painting, paint } from '../fixtures/painted-images.ts';
import { retake, retakeHere } from '../fixtures/retake-process.ts';

/* `retake inspect` as its user sees it: what two files are, how equal they are, and where they differ. */

const folder = freshFolder();
const FOX: Painting = { texture: 'scene', width: 192, height: 128, seed: 3 };

function encoder(painting: Painting, change: (data: Uint8Array | Uint16Array) => void = () => {}): Sharp {
  const { width, height, channels, data } = paint(painting);
  change(data);
  return sharp(Uint8Array.from(data), { raw: { width, height, channels } });
}

beforeAll(async () => {
  const save = async (name: string, image: Sharp) => writeFileSync(join(folder, name), await image.toBuffer());
  await save('fox.png', encoder(FOX).png());
  await save(
    'noted.png',
    encoder(FOX)
      .png()
      .withExif({ IFD0: { Copyright: 'Nobody' } }),
  );
  await save('packed.png', encoder(FOX).png({ compressionLevel: 1, adaptiveFiltering: true }));
  await save('bit.png', encoder(FOX, (data) => data.fill((data[999] ?? 0) ^ 1, 999, 1000)).png());
  await save('small.png', encoder(FOX).resize(96, 64).png());
  await save('black.png', sharp({ create: { width: 192, height: 128, channels: 3, background: 'black' } }).png());
  const whole = await encoder(FOX).png().toBuffer();
  writeFileSync(join(folder, 'cut.png'), whole.subarray(0, whole.length >> 1));
  writeFileSync(join(folder, 'drawn.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>');
  writeFileSync(join(folder, 'empty.png'), '');
  for (const file of ['metadata/plain.mp4', 'metadata/comment.mp4', 'metadata/other.mp4', 'metadata/fragments.mp4']) {
    const golden = fileURLToPath(new URL(`../golden/${file}`, import.meta.url));
    copyFileSync(golden, join(folder, file.replace('metadata/', '')));
  }
});

async function inspect(a: string, b: string): Promise<string> {
  const { code, stdout, stderr } = await retakeHere(['inspect', a, b], folder);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout;
}

/** The level and the layer that an inspection tells. */
function verdict(stdout: string): readonly (string | undefined)[] {
  return [/^level {2}(\w+): /m.exec(stdout)?.[1], /^layer {2}(\w+): /m.exec(stdout)?.[1]];
}

describe('two images', () => {
  test.each([
    ['one file twice', 'fox.png', 'fox.png', ['byte', 'none']],
    ['a note in the metadata', 'fox.png', 'noted.png', ['pixel', 'metadata']],
    ['other compression', 'fox.png', 'packed.png', ['pixel', 'encoding']],
  ])('two images that show the same get their level: %s', async (_what, a, b, expected) => {
    const stdout = await inspect(a, b);
    expect(verdict(stdout)).toEqual(expected);
    expect(stdout).not.toContain('difference');
  });

  test.each([
    // One step in 192 x 128 x 3 samples: 10 log10(255^2 x 73728).
    [
      'bit.png',
      'near',
      /^difference\.samples\.psnrDb {2}96\.8/m,
      /^difference\.ssim\.p5 {2}0\.9999/m,
      /^difference\.pdqDistance {2}0$/m,
      /^difference\.unpaired {2}0$/m,
      /^b\.width {2}192$/m,
    ],
    ['small.png', 'related', /^limit {2}not similar: another size$/m, /^(?!.*ssim)/s],
    ['black.png', 'different', /^a\.blank {2}false$/m, /^b\.blank {2}true$/m, /^(?!.*pdqDistance)/s],
  ] as const)(
    'two images that differ in pixels are said by their measures: fox.png and %s are %s',
    async (b, level, ...says) => {
      const stdout = await inspect('fox.png', b);
      expect(verdict(stdout)).toEqual([level, 'pixels']);
      for (const said of says) expect(stdout).toMatch(said);
    },
  );
});

describe.skipIf(NO_NODE_AV)('videos', () => {
  test('two videos that differ in metadata, container or frames get their layer, and a video beside an image is different', async () => {
    expect(verdict(await inspect('plain.mp4', 'comment.mp4'))).toEqual(['pixel', 'metadata']);
    expect(verdict(await inspect('plain.mp4', 'fragments.mp4'))).toEqual(['pixel', 'encoding']);
    const stdout = await inspect('plain.mp4', 'other.mp4');
    expect(verdict(stdout)[1]).toBe('pixels');
    expect(stdout).toMatch(/^a\.fps {2}\d+$/m);
    expect(stdout).toMatch(/^b\.codec {2}h264$/m);
    expect(stdout).toMatch(/^difference\.ssim\.p5 {2}\d\.\d+$/m);
    expect(stdout).toMatch(/^difference\.unpaired {2}0$/m);
    const mixed = await inspect('plain.mp4', 'fox.png');
    expect(verdict(mixed)).toEqual(['different', 'pixels']);
    expect(mixed).toMatch(/^difference\.unpaired {2}[1-9]\d*$/m);
  });
});

test.each([
  ['a folder', '.', 'fox.png', [/^cannot inspect \.: it is a folder; name a file in it$/]],
  ['an empty file', 'fox.png', 'empty.png', [/^cannot inspect empty\.png: it is empty; use a PNG, /]],
  [
    'an image cut short',
    'cut.png',
    'cut.png',
    [/^cannot inspect cut\.png: it does not decode: .+; check that it is complete$/],
  ],
  [
    'a missing file and an SVG',
    'nowhere.png',
    'drawn.svg',
    [
      /^cannot inspect nowhere\.png: there is no such file; correct the path$/,
      /^cannot inspect drawn\.svg: it is not an image or video of a known format; use /,
    ],
  ],
])('retake inspect of %s is a sentence and exit code 2, also with --json', async (_what, a, b, expected) => {
  const { code, stdout, stderr } = await retakeHere(['inspect', a, b, '--json'], folder);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.trimEnd().split('\n')).toEqual(expected.map((each) => expect.stringMatching(each)));
});

test('retake inspect --json says the same to programs', async () => {
  const { code, stdout } = await retakeHere(['inspect', 'fox.png', 'bit.png', '--json'], folder);
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  const said = JSON.parse(stdout);
  expect(said).toMatchObject({
    level: 'near',
    layer: 'pixels',
    difference: { frames: 1, unpaired: 0, samples: { maxDifference: 1 / 255 }, pdqDistance: 0 },
    limits: { near: { psnrDb: 48 }, similar: { ssim: 0.95, chroma: 4, pdqDistance: 10 }, related: { pdqDistance: 31 } },
    files: [
      { path: 'fox.png', mime: 'image/png', width: 192, height: 128, frames: 1, fps: null, blank: false },
      { path: 'bit.png', mime: 'image/png', pdqQuality: 100 },
    ],
  });
  for (const file of said.files) expect(file.pixelSha256).toMatch(/^[0-9a-f]{64}$/);
});

test('retake inspect leaves nothing behind, also where it fails', async () => {
  const scratch = freshFolder();
  expect(await retake(['inspect', 'fox.png', 'cut.png'], folder, { TMPDIR: scratch })).toMatchObject({ code: 2 });
  expect(readdirSync(scratch)).toEqual([]);
});
