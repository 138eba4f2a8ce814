import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBody } from '../../../src/targets/transport/exchange.ts';

test('a body is what came, in whatever pieces and whatever length was announced', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.uint8Array({ minLength: 16_000, maxLength: 40_000, size: 'max' }),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.option(fc.nat(400_000)),
      fc.boolean(),
      (pieces, other, right) => {
        const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
        const body = createBody(right ? length : other);
        for (const each of pieces) body.add(each);
        const whole = body.whole();
        expect(Buffer.compare(whole, Buffer.concat(pieces))).toBe(0);
        expect(whole.byteLength).toBe(whole.buffer.byteLength);
      },
    ),
    { numRuns: 40 },
  );
});
