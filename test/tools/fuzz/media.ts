import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import sharp from 'sharp';
import { decodeFrugally, decodeImage } from '../../../src/media/decode.ts';
import { fitsExpectation, isUndecodedAnimation, sniff } from '../../../src/media/header.ts';
import { strippedDigest } from '../../../src/media/strip/strip-metadata.ts';
import { property } from './property.ts';

decodeFrugally();

const PLAIN = sharp({ create: { width: 9, height: 7, channels: 4, background: { r: 200, g: 90, b: 20, alpha: 0.5 } } });
const ANIMATED = sharp(
  await Promise.all(
    ['#f00', '#0f0', '#00f'].map((background) =>
      sharp({ create: { width: 9, height: 7, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  ),
  { join: { animated: true } },
);

/** Small sound files of every format that is known. */
const FILES: Readonly<Record<string, Buffer>> = {
  png: await PLAIN.clone().png().toBuffer(),
  png16: await PLAIN.clone().toColourspace('rgb16').png().toBuffer(),
  jpeg: await PLAIN.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  webp: await ANIMATED.clone().webp().toBuffer(),
  gif: await ANIMATED.clone().gif().toBuffer(),
  avif: await PLAIN.clone().avif({ effort: 0 }).toBuffer(),
  mp4: readFileSync('test/golden/video/plain.mp4'),
};

const edit = fc.record({
  what: fc.constantFrom('set', 'set', 'set', 'cut', 'insert', 'double', 'word'),
  /** Where: mostly in the head, where sizes and types are. */
  at: fc.oneof(fc.nat({ max: 120 }), fc.nat({ max: 100_000 })),
  byte: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat({ max: 255 })),
  length: fc.nat({ max: 64 }),
  word: fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff8, 0x10000, 8),
});

/** Sound files with some bytes changed: given as hexadecimal digits, to be pasted. */
const brokenFiles = fc
  .tuple(fc.constantFrom(...Object.keys(FILES)), fc.array(edit, { minLength: 1, maxLength: 6 }))
  .map(([name, edits]) => {
    let bytes = Buffer.from(FILES[name] ?? Buffer.alloc(0));
    for (const { what, at, byte, length, word } of edits) {
      const from = bytes.length === 0 ? 0 : at % bytes.length;
      const [before, after] = [bytes.subarray(0, from), bytes.subarray(from)];
      if (what === 'set' && bytes.length > 0) bytes[from] = byte;
      else if (what === 'cut') bytes = Buffer.concat([before, after.subarray(length)]);
      else if (what === 'insert') bytes = Buffer.concat([before, Buffer.alloc(length, byte), after]);
      else if (what === 'double') bytes = Buffer.concat([before, after.subarray(0, length), after]);
      else if (bytes.length - from >= 4) bytes.writeUInt32BE(word, from);
    }
    return bytes.toString('hex');
  });

export const MEDIA_PROPERTIES = [
  property({
    kind: 'media-headers',
    promise: 'damaged media are sniffed and stripped without an exception',
    share: 14,
    inputs: brokenFiles,
    hold: (hex) => {
      const bytes = new Uint8Array(Buffer.from(hex, 'hex'));
      const type = sniff(bytes);
      fitsExpectation(type, 'image');
      for (const mime of ['image/png', 'image/jpeg', 'video/mp4', type?.mime ?? 'image/gif']) {
        const digest = strippedDigest(bytes, mime);
        assert.ok(digest === null || /^[0-9a-f]{64}$/.test(digest));
        assert.equal(strippedDigest(bytes, mime), digest);
      }
      isUndecodedAnimation(bytes);
    },
  }),
  property({
    kind: 'images',
    promise: 'a damaged image decodes to all its pixels, or to a reason',
    share: 6,
    inputs: brokenFiles,
    hold: async (hex) => {
      const bytes = new Uint8Array(Buffer.from(hex, 'hex'));
      if (sniff(bytes)?.mime.startsWith('image/') !== true) return;
      const decoding = await decodeImage(bytes);
      if (!decoding.ok) return assert.ok(/^[a-z_]+$/.test(decoding.reason.code));
      const { width, height, frames } = decoding.image;
      for (const { pixels } of frames) {
        assert.equal(pixels.data.length, width * height * pixels.channels);
      }
    },
  }),
];
