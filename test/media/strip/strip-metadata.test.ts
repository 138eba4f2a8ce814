import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { strippedDigest } from '../../../src/media/strip/strip-metadata.ts';
import { exifWith } from '../../fixtures/exif.ts';
import { draws } from '../../test-options.ts';

const PNG = 'image/png';
const JPEG = 'image/jpeg';

const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
};

function chunk(type: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  return Buffer.concat([u32(content.length), named, u32(crc32(named))]);
}

function segment(marker: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 0xff]), content]);
}

const insert = (bytes: Uint8Array, at: number, ...parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)]);
const flipped = (bytes: Uint8Array, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};

/** Where the first chunk ends: signature and IHDR. */
const BEHIND_IHDR = 33;
const BEHIND_SOI = 2;

let png: Buffer;
let jpeg: Buffer;
beforeAll(async () => {
  const raw = Buffer.from(Array.from({ length: 24 * 16 * 3 }, (_, at) => (at * at * 7) % 256));
  const image = sharp(raw, { raw: { width: 24, height: 16, channels: 3 } });
  png = await image.clone().png().toBuffer();
  jpeg = await image.clone().jpeg({ quality: 80 }).toBuffer();
});

/** The files to damage at random: each with metadata in it. */
function samples(): readonly (readonly [Buffer, string])[] {
  return [
    [insert(png, BEHIND_IHDR, chunk('tEXt', Buffer.from('Comment\0x')), chunk('eXIf', exifWith(6, true))), PNG],
    [insert(jpeg, BEHIND_SOI, segment(0xe1, exifWith(6, true)), segment(0xfe, Buffer.from('x'))), JPEG],
  ];
}

describe('strippedDigest of a PNG', () => {
  const digest = (bytes: Uint8Array): string | null => strippedDigest(bytes, PNG);

  it('strippedDigest of a PNG is the digest of the file itself where nothing is to be left out', async () => {
    const bare = await sharp(png).png().toBuffer();
    const types = [...bare.toString('latin1').matchAll(/IHDR|pHYs|IDAT|IEND/g)].map(String);
    const expected = types.includes('pHYs') ? Buffer.concat([bare.subarray(0, 33), bare.subarray(33 + 21)]) : bare;
    expect(digest(bare)).toBe(createHash('sha256').update(expected).digest('hex'));
  });

  it.each(['tEXt', 'zTXt', 'iTXt', 'tIME', 'pHYs', 'bKGD', 'hIST', 'sPLT', 'sBIT', 'caBX', 'prVt'])(
    'strippedDigest of a PNG does not change with %s, whatever it says',
    (type) => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 40 }), (content) => {
          expect(digest(insert(png, BEHIND_IHDR, chunk(type, content)))).toBe(digest(png));
        }),
        { numRuns: 20 },
      );
    },
  );

  it.each(['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'tRNS', 'PLTE', 'acTL', 'fcTL', 'fdAT', 'ABCD'])(
    'strippedDigest of a PNG changes with %s',
    (type) => {
      const one = digest(insert(png, BEHIND_IHDR, chunk(type, Buffer.from([1]))));
      expect(one).not.toBe(digest(png));
      expect(one).not.toBe(digest(insert(png, BEHIND_IHDR, chunk(type, Buffer.from([2])))));
    },
  );

  it('strippedDigest of a PNG changes with any bit of the pixels', () => {
    const idat = png.indexOf('IDAT', 0, 'latin1');
    const length = png.readUInt32BE(idat - 4);
    const digests = Array.from({ length }, (_, at) => digest(flipped(png, idat + 4 + at)));
    expect(new Set([...digests, digest(png)]).size).toBe(length + 1);
  });

  it('strippedDigest of a PNG keeps of EXIF which way is up', () => {
    const turned = (orientation: number, camera: number): string | null =>
      digest(insert(png, BEHIND_IHDR, chunk('eXIf', exifWith(orientation, true, camera).subarray(6))));
    expect(turned(1, 1)).toBe(digest(png));
    expect(turned(6, 1)).toBe(turned(6, 2));
    expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map((each) => turned(each, 1))).size).toBe(8);
  });

  it('strippedDigest of a PNG takes an orientation that is invalid, or cut off, for upright', () => {
    const whole = exifWith(6, true).subarray(6);
    // The last four bytes say where a next directory is.
    const cutOff = Array.from({ length: whole.length - 4 }, (_, length) => whole.subarray(0, length));
    for (const exif of [...[0, 9, 65_535].map((value) => exifWith(value, true)), ...cutOff]) {
      expect(digest(insert(png, BEHIND_IHDR, chunk('eXIf', exif)))).toBe(digest(png));
    }
  });

  it('strippedDigest of a PNG does not read what follows the end', () => {
    expect(digest(Buffer.concat([png, Buffer.from('more')]))).toBe(digest(png));
  });

  it('strippedDigest of a PNG is null for a file cut off anywhere, or with another beginning', () => {
    for (let length = 0; length < png.length; length += 1) expect(digest(png.subarray(0, length))).toBeNull();
    expect(digest(Buffer.concat([png.subarray(0, 8), png.subarray(BEHIND_IHDR)]))).toBeNull();
  });
});

describe('strippedDigest of a JPEG', () => {
  const digest = (bytes: Uint8Array): string | null => strippedDigest(bytes, JPEG);
  const JFIF = segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1'));

  it.each([
    ['a comment', 0xfe, ''],
    ['EXIF', 0xe1, 'Exif\0\0'],
    ['XMP', 0xe1, 'http://ns.adobe.com/xap/1.0/\0'],
    ['JFIF', 0xe0, 'JFIF\0'],
    ['further images', 0xe2, 'MPF\0'],
    ['provenance', 0xeb, 'JP'],
    ['IPTC', 0xed, 'Photoshop 3.0\0'],
    ['an APP14 that is not Adobe', 0xee, 'Other'],
  ])('strippedDigest of a JPEG does not change with %s, whatever it says', (_, marker, name) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (content) => {
        const added = segment(marker, Buffer.concat([Buffer.from(name, 'latin1'), content]));
        expect(digest(insert(jpeg, BEHIND_SOI, added))).toBe(digest(jpeg));
      }),
      { numRuns: 20 },
    );
  });

  it('strippedDigest of a JPEG does not change with fill bytes, nor with what follows the end', () => {
    expect(digest(insert(jpeg, BEHIND_SOI, Buffer.from([0xff, 0xff])))).toBe(digest(jpeg));
    expect(digest(Buffer.concat([jpeg, Buffer.from('more')]))).toBe(digest(jpeg));
  });

  it.each([
    ['a colour profile', 0xe2, 'ICC_PROFILE\0\x01\x01'],
    ['the colour transform', 0xee, 'Adobe\0\x64\0\0\0\0'],
    ['a table', 0xdb, '\0'],
    ['a restart interval', 0xdd, '\0'],
  ])('strippedDigest of a JPEG changes with %s', (_, marker, name) => {
    const added = (last: number): string | null =>
      digest(insert(jpeg, BEHIND_SOI, segment(marker, Buffer.from(`${name}${String.fromCharCode(last)}`, 'latin1'))));
    expect(new Set([digest(jpeg), added(0), added(1)]).size).toBe(3);
  });

  it('strippedDigest of a JPEG changes with any bit of the coded data, and of tables and frame', () => {
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xdb]));
    const places = Array.from({ length: jpeg.length - 2 - frame }, (_, at) => frame + at);
    const digests = places.map((at) => digest(flipped(jpeg, at))).filter((each) => each !== null);
    // A flipped marker or length may leave no JPEG.
    expect(digests.length).toBeGreaterThan(0.9 * places.length);
    expect(digests).not.toContain(digest(jpeg));
  });

  it('strippedDigest of a JPEG keeps of EXIF which way is up', () => {
    const turned = (orientation: number, little: boolean): string | null =>
      digest(insert(jpeg, BEHIND_SOI, segment(0xe1, exifWith(orientation, little))));
    expect(turned(1, true)).toBe(digest(jpeg));
    expect(turned(8, true)).toBe(turned(8, false));
    expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map((each) => turned(each, true))).size).toBe(8);
  });

  it('strippedDigest of a JPEG keeps that there is JFIF where it overrules what else says the colours', () => {
    const adobe = insert(jpeg, BEHIND_SOI, segment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\0', 'latin1')));
    const without = digest(adobe);
    expect(without).not.toBeNull();
    expect(digest(insert(adobe, BEHIND_SOI, JFIF))).not.toBe(without);
  });

  it('strippedDigest of a JPEG reads every scan of a progressive one, and restarts', async () => {
    const progressive = await sharp(png).jpeg({ progressive: true }).toBuffer();
    expect(digest(progressive)).not.toBeNull();
    expect(digest(flipped(progressive, progressive.length - 3))).not.toBe(digest(progressive));
    const scan = jpeg.length - 2;
    expect(digest(insert(jpeg, scan, Buffer.from([0xff, 0xd0, 0x11])))).not.toBe(digest(jpeg));
  });

  it('strippedDigest of a JPEG is null for a file cut off anywhere', () => {
    for (let length = 0; length < jpeg.length; length += 1) expect(digest(jpeg.subarray(0, length))).toBeNull();
  });
});

describe('strippedDigest', () => {
  it('strippedDigest is null for other formats', () => {
    for (const mime of ['image/webp', 'video/mp4', 'text/plain', '', 'constructor', '__proto__'])
      expect(strippedDigest(png, mime)).toBeNull();
  });

  it('strippedDigest gives a digest or null for damaged files, and never throws', () => {
    const files = samples();
    fc.assert(
      fc.property(
        fc.nat(files.length - 1),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        (which, changes) => {
          const [bytes, mime] = files[which] ?? [png, PNG];
          const damaged = Buffer.from(bytes);
          for (const [at, value] of changes) damaged[at % damaged.length] = value;
          const found = strippedDigest(damaged, mime);
          if (found !== null) expect(found).toMatch(/^[0-9a-f]{64}$/);
        },
      ),
      { numRuns: draws(3000) },
    );
  });

  it('strippedDigest gives a digest or null for random bytes, and never throws', () => {
    const starts = [png.subarray(0, 8), jpeg.subarray(0, 2), Buffer.alloc(0)];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        for (const mime of [PNG, JPEG]) {
          const found = strippedDigest(Buffer.concat([start, rest]), mime);
          if (found !== null) expect(found).toMatch(/^[0-9a-f]{64}$/);
        }
      }),
      { numRuns: draws(1000) },
    );
  });
});
