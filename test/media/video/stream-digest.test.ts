import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Libav, loadLibav } from '../../../src/media/libav.ts';
import { digestOfStreams } from '../../../src/media/video/stream-digest.ts';
import { draws } from '../../test-options.ts';

const MP4 = 'video/mp4';
const MOV = 'video/quicktime';

const video = (file: string): Buffer => readFileSync(new URL(`../../golden/metadata/${file}`, import.meta.url));
const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
};

function box(type: string, ...content: readonly Uint8Array[]): Buffer {
  const whole = Buffer.concat(content);
  return Buffer.concat([u32(whole.length + 8), Buffer.from(type, 'latin1'), whole]);
}

const insert = (bytes: Uint8Array, at: number, ...parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)]);
const flipped = (bytes: Uint8Array, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};

let libav: Libav;
beforeAll(async () => {
  const loaded = await loadLibav();
  if (!loaded.ok) throw new Error(loaded.reason.code);
  libav = loaded.libav;
});

describe('digestOfStreams', () => {
  const digest = (bytes: Uint8Array): string | null => digestOfStreams(libav, bytes, MP4);
  const plain = video('plain.mp4');
  const moov = plain.indexOf('moov', 0, 'latin1') - 4;

  it.each(['comment.mp4', 'faststart.mp4', 'time.mp4'])('digestOfStreams is that of the plain file for %s', (file) => {
    expect(video(file).equals(plain)).toBe(false);
    expect(digest(video(file))).toBe(digest(plain));
  });

  it('digestOfStreams is that of the plain file for a comment in QuickTime and in fragments', () => {
    expect(digestOfStreams(libav, video('comment.mov'), MOV)).toBe(digestOfStreams(libav, video('plain.mov'), MOV));
    expect(digest(video('fragments-comment.mp4'))).toBe(digest(video('fragments.mp4')));
  });

  it('digestOfStreams differs for another stream', () => {
    const digests = ['plain.mp4', 'other.mp4', 'plain.mov', 'fragments.mp4'].map((file) => digest(video(file)));
    expect(digests).not.toContain(null);
    expect(new Set(digests).size).toBe(4);
  });

  it.each(['udta', 'meta', 'uuid', 'free', 'skip'])(
    'digestOfStreams does not change with %s at the end of the index',
    (type) => {
      // A box of the type uuid begins with the 16 bytes of one.
      const minLength = type === 'uuid' ? 16 : 0;
      fc.assert(
        fc.property(fc.uint8Array({ minLength, maxLength: 40 }), (content) => {
          const added = box(type, content);
          const end = moov + plain.readUInt32BE(moov);
          const longer = insert(plain, end, added);
          longer.writeUInt32BE(plain.readUInt32BE(moov) + added.length, moov);
          expect(digest(longer)).toBe(digest(plain));
          expect(digest(Buffer.concat([plain, added]))).toBe(digest(plain));
        }),
        { numRuns: 20 },
      );
    },
  );

  it('digestOfStreams changes with any bit of a sample', () => {
    const mdat = plain.indexOf('mdat', 0, 'latin1') + 4;
    const places = Array.from({ length: Math.floor((moov - mdat) / 16) }, (_, at) => mdat + 16 * at);
    const digests = places.map((at) => digest(flipped(plain, at)));
    expect(new Set([...digests, digest(plain)]).size).toBe(places.length + 1);
  });

  it.each([
    ['the time of a frame', 'stts', 4 + 4 + 4 + 7],
    ['when a frame is shown', 'ctts', 4 + 4 + 4 + 7],
    ['what an edit list leaves out', 'elst', 4 + 4 + 4 + 4 + 2],
    ['its size as shown', 'tkhd', 4 + 84 - 1],
    ['how it is turned', 'tkhd', 4 + 40 + 3],
    ['whether a track is shown', 'tkhd', 4 + 3],
    ['the configuration of its decoder', 'avcC', 4 + 1],
    ['the configuration of its sound', 'esds', 4 + 4 + 31],
  ])('digestOfStreams changes with %s', (_, type, offset) => {
    expect(digest(flipped(plain, plain.indexOf(type, 0, 'latin1') + offset))).not.toBe(digest(plain));
  });

  it('digestOfStreams changes with the colours that the file declares', () => {
    const declared = (matrix: number): string | null => {
      const colr = box('colr', Buffer.from('nclx', 'latin1'), Buffer.from([0, 1, 0, 1, 0, matrix, 0]));
      const at = plain.indexOf('btrt', 0, 'latin1') - 4;
      const file = insert(plain, at, colr);
      for (const outer of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'avc1']) {
        const start = file.indexOf(outer, moov, 'latin1') - 4;
        file.writeUInt32BE(file.readUInt32BE(start) + colr.length, start);
      }
      return digest(file);
    };
    expect(new Set([null, digest(plain), declared(1), declared(5)]).size).toBe(4);
  });

  it('digestOfStreams does not change with the bit rate that a writer computed', () => {
    const at = plain.indexOf('btrt', 0, 'latin1') + 4;
    for (let byte = 0; byte < 12; byte += 1) expect(digest(flipped(plain, at + byte))).toBe(digest(plain));
  });

  it('digestOfStreams does not change with when it was made, in 32 bits and in 64', () => {
    for (const type of ['mvhd', 'tkhd', 'mdhd']) {
      const at = plain.indexOf(type, 0, 'latin1') + 8;
      for (let byte = 0; byte < 8; byte += 1) expect(digest(flipped(plain, at + byte)), type).toBe(digest(plain));
    }
    const wide = (made: number): string | null => {
      const header = box('mvhd', u32(0x0100_0000, 0, made, 0, made), Buffer.alloc(92));
      const end = moov + 8 + plain.readUInt32BE(moov + 8);
      const file = Buffer.concat([plain.subarray(0, moov + 8), header, plain.subarray(end)]);
      file.writeUInt32BE(plain.readUInt32BE(moov) + header.length - (end - moov - 8), moov);
      return digest(file);
    };
    expect(wide(1)).not.toBeNull();
    expect(wide(1)).toBe(wide(2));
  });

  it('digestOfStreams is the same where the offsets of chunks have 64 bits', () => {
    const stco = plain.indexOf('stco', 0, 'latin1') - 4;
    const rows = plain.readUInt32BE(stco + 12);
    const offsets = Array.from({ length: rows }, (_, row) => [0, plain.readUInt32BE(stco + 16 + 4 * row)]).flat();
    const co64 = box('co64', u32(0, rows, ...offsets));
    const file = Buffer.concat([plain.subarray(0, stco), co64, plain.subarray(stco + plain.readUInt32BE(stco))]);
    for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl']) {
      const at = file.indexOf(type, 0, 'latin1') - 4;
      file.writeUInt32BE(file.readUInt32BE(at) + 4 * rows, at);
    }
    expect(digest(file)).toBe(digest(plain));
  });

  it('digestOfStreams is another, or null, where a sample is misplaced, or more are declared than the file holds', () => {
    const lost = Buffer.from(plain);
    lost.writeUInt32BE(plain.length, plain.indexOf('stco', 0, 'latin1') + 12);
    expect(digest(lost)).not.toBe(digest(plain));
    const many = Buffer.from(plain);
    const stsz = plain.indexOf('stsz', 0, 'latin1');
    many.writeUInt32BE(1, stsz + 8);
    many.writeUInt32BE(0xffff_ffff, stsz + 12);
    expect(digest(many)).not.toBe(digest(plain));
  });

  it('digestOfStreams is null for boxes nested without end, and for a file without an index', () => {
    const nested = Buffer.concat(
      Array.from({ length: 20_000 }, (_, at) => [u32(8 * (20_000 - at)), Buffer.from('trak')]).flat(),
    );
    expect(digest(box('moov', nested))).toBeNull();
    expect(digest(plain.subarray(0, moov))).toBeNull();
  });

  it('digestOfStreams is null for a file cut off anywhere', () => {
    for (let length = 0; length < plain.length; length += 7) expect(digest(plain.subarray(0, length))).toBeNull();
  });

  it('digestOfStreams is null for other formats', () => {
    for (const mime of ['video/webm', 'video/x-matroska', 'image/avif', ''])
      expect(digestOfStreams(libav, plain, mime)).toBeNull();
  });

  it('digestOfStreams gives a digest or null for damaged files, and never throws', () => {
    const files = [video('comment.mp4'), video('fragments-comment.mp4'), video('comment.mov')];
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...files), changes, (bytes, bytesChanged) => {
        const damaged = Buffer.from(bytes);
        for (const [at, value] of bytesChanged) damaged[at % damaged.length] = value;
        expect(digest(damaged) ?? 'none').toMatch(/^([0-9a-f]{64}|none)$/);
      }),
      { numRuns: draws(400) },
    );
  });
});
