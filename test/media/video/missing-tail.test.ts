import { describe, expect, it } from 'vitest';
import { missingTail } from '../../../src/media/video/stream-digest.ts';
import { goldenVideo } from '../../fixtures/golden-video.ts';

const MP4 = 'video/mp4';
const WEBM = 'video/webm';

function box(type: string, content: number, declared = content + 8): Buffer {
  const bytes = Buffer.alloc(content + 8);
  bytes.writeUInt32BE(declared, 0);
  bytes.write(type, 4, 'latin1');
  return bytes;
}

/** A box whose size stands in 64 bits. */
function largeBox(type: string, content: number, declared = content + 16): Buffer {
  const bytes = box(type, content + 8, 1);
  bytes.writeBigUInt64BE(BigInt(declared), 8);
  return bytes;
}

const EBML = Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x82, 0, 0]);
const segment = (size: readonly number[], content: number): Buffer =>
  Buffer.concat([EBML, Buffer.from([0x18, 0x53, 0x80, 0x67, ...size]), Buffer.alloc(content)]);

describe('missingTail', () => {
  it.each([
    ['boxes that end with the file', Buffer.concat([box('ftyp', 16), box('mdat', 40)]), MP4],
    ['a box of 64 bits', Buffer.concat([box('ftyp', 16), largeBox('mdat', 40)]), MP4],
    ['a last box to the end of the file', Buffer.concat([box('ftyp', 16), box('mdat', 40, 0)]), MP4],
    ['a few bytes behind the last box', Buffer.concat([box('ftyp', 16), Buffer.alloc(5)]), MP4],
    ['a size that cannot be, which the demuxer reports', Buffer.concat([box('ftyp', 16), box('mdat', 40, 3)]), MP4],
    ['a segment that ends with the file', segment([0x88], 8), WEBM],
    ['a segment of unknown size', segment([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 8), WEBM],
    ['no element at all', Buffer.from([0]), WEBM],
    ['nothing', Buffer.alloc(0), MP4],
  ])('missingTail finds nothing wrong with %s', (_, bytes, mime) => {
    expect(missingTail(bytes, mime)).toBeNull();
  });

  it.each([
    ['a box', Buffer.concat([box('ftyp', 16), box('mdat', 40, 1000)]), MP4, 24 + 1000],
    ['a box of 64 bits', Buffer.concat([box('ftyp', 16), largeBox('mdat', 40, 5e9)]), MP4, 24 + 5e9],
    ['a segment', segment([0x40, 0x64], 8), WEBM, 7 + 6 + 100],
  ])('missingTail finds %s that is cut off', (_, bytes, mime, end) => {
    expect(missingTail(bytes, mime)).toEqual({
      code: 'not_decodable',
      detail: `cut off: the file declares ${end} bytes and has ${bytes.length}`,
    });
  });

  it('missingTail finds one missing byte of a real file', () => {
    for (const [file, mime] of [
      ['plain.mp4', MP4],
      ['vp9.webm', WEBM],
    ] as const) {
      const whole = goldenVideo(file);
      expect(missingTail(whole, mime)).toBeNull();
      expect(missingTail(whole.subarray(0, -1), mime)).toMatchObject({
        detail: `cut off: the file declares ${whole.length} bytes and has ${whole.length - 1}`,
      });
    }
  });
});
