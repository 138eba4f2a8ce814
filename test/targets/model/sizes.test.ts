import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sideProblem } from '../../../src/targets/inputs.ts';
import { refuseRequest } from '../../../src/targets/request.ts';
import { caseWith, readTarget, SMALLEST, targetWith, variantOf } from '../target-fixture.ts';

const SIZE = { as: 'pixels', map: { '1:1': '512x512' }, min: 64, max: 1024, multiple_of: 16 };
const BODY = { prompt: '${case.prompt}', size: "${case.size | wxh('x')}" };

function refused(size: string): string {
  const target = targetWith({ inputs: { size: SIZE }, submit: { ...SMALLEST.submit, body: BODY } });
  const problems = refuseRequest(variantOf(target), { case: caseWith({ inputs: { size } }), seed: 1 });
  return problems.map(({ cause, remedy }) => `${cause}; ${remedy}`).join(' ');
}

test('a size that the server would round is refused before anything is sent, with the sizes beside it', () => {
  expect(refused('512x512')).toBe('');
  expect(refused('1:1')).toBe('');
  expect(refused('500x512')).toBe(
    'the input "size" is 500x512: a side of 500 is not a multiple of 16; write 496 or 512',
  );
  expect(refused('32x512')).toContain('a side of 32 is not at least 64; write sides of at least 64 pixels');
  expect(refused('512x2048')).toContain('a side of 2048 is not at most 1024; write sides of at most 1024 pixels');
});

test('a size in a map that its own limits refuse is a fault of the target', () => {
  const inputs = { size: { ...SIZE, map: { '1:1': '500x500' } } };
  const read = readTarget(JSON.stringify({ ...SMALLEST, inputs, submit: { ...SMALLEST.submit, body: BODY } }));
  expect('wrong' in read ? read.wrong.join() : '').toContain('500x500: a side of 500 is not a multiple of 16');
});

test('every size that is named in place of one that is not taken is taken', () => {
  fc.assert(
    fc.property(fc.integer({ min: 64, max: 4096 }), fc.integer({ min: 1, max: 128 }), (side, multiple) => {
      const limits = { min: 64, max: 4096, multiple_of: multiple };
      const remedy = sideProblem(side, limits)?.remedy ?? '';
      for (const [named] of remedy.matchAll(/\d+/g)) expect(sideProblem(Number(named), limits)).toBeNull();
    }),
  );
});
