import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFinder } from '../../../src/targets/secrets.ts';
import { draws } from '../../test-options.ts';

test('every needle is found wherever it stands, and nothing else', () => {
  // Few letters, so that needles overlap and nearly stand in many places.
  const bytes = (minLength: number, maxLength: number) => fc.uint8Array({ min: 0, max: 2, minLength, maxLength });
  fc.assert(
    fc.property(fc.array(bytes(3, 8), { minLength: 1, maxLength: 5 }), bytes(0, 200), (needles, content) => {
      const found: string[] = [];
      createFinder(needles).some(content, (at, needle) => {
        found.push(`${at}:${needle}`);
        return false;
      });
      const expected = [...content.keys()].flatMap((at) =>
        [...needles.entries()].flatMap(([index, needle]) =>
          Buffer.compare(content.subarray(at, at + needle.length), needle) === 0 ? [`${at}:${index}`] : [],
        ),
      );
      expect(found).toEqual(expected);
    }),
    { numRuns: draws(500) },
  );
});
