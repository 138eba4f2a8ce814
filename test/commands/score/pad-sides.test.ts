import fc from 'fast-check';
import { expect, it } from 'vitest';
import { padMp4, padPng } from '../../../src/commands/score/make-ballots.ts';

const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));

it('padded sides have one length, begin with what they were, and are the same two in either order', () => {
  fc.assert(
    fc.property(bytes, bytes, fc.constantFrom(padPng, padMp4), (one, other, pad) => {
      const [left, right] = pad(one, other);
      expect(left.length).toBe(right.length);
      expect(left.subarray(0, one.length).equals(one)).toBe(true);
      expect(right.subarray(0, other.length).equals(other)).toBe(true);
      expect(pad(other, one)).toEqual([right, left]);
    }),
  );
});

it('padding of an MP4 file is one box of free space that reaches its end', () => {
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      for (const [side, padded] of [one, other].map((before, at) => [before, padMp4(one, other)[at]] as const)) {
        const box = padded?.subarray(side.length) ?? Buffer.alloc(0);
        expect(box.readUInt32BE(0)).toBe(box.length);
        expect(box.toString('latin1', 4, 8)).toBe('free');
      }
    }),
  );
});
