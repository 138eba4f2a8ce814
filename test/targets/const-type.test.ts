import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkConstant } from '../../src/targets/inputs.ts';
import type { ConstType } from '../../src/targets/model/schema.ts';
import { readTarget, SMALLEST } from './target-fixture.ts';

const STEPS: ConstType = { type: 'int', min: 1, max: 150 };
const MODEL: ConstType = { values: ['standard', 'fast', 'fast-lcm'] };
const SAMPLER: ConstType = { known: ['euler', 'lcm'] };

function said(type: ConstType, given: Parameters<typeof checkConstant>[2], filled = false): string {
  const checked = checkConstant('c of a/b', type, given, filled);
  if (!checked.fits) return `${checked.fault.cause}; ${checked.fault.remedy}`;
  return checked.doubt === null ? 'fits' : `doubt: ${checked.doubt.cause}; ${checked.doubt.remedy}`;
}

describe('the type of a constant', () => {
  test.each<[ConstType, Parameters<typeof checkConstant>[2], string]>([
    [MODEL, 'fast', 'fits'],
    [MODEL, null, 'fits'],
    [SAMPLER, 'lcm', 'fits'],
    [SAMPLER, 4, 'the constant c of a/b must be a text, not 4; known are euler, lcm'],
    [{ values: [480, 720] }, '480', 'the constant c of a/b must not be "480"; write 480 without quotes'],
    [STEPS, 150, 'fits'],
    [STEPS, '4', 'the constant c of a/b must be a whole number from 1 to 150, not "4"; write 4 without quotes'],
    [
      STEPS,
      2.5,
      'the constant c of a/b must be a whole number from 1 to 150, not 2.5; write 1, 150 or a number between them',
    ],
    [
      STEPS,
      0,
      'the constant c of a/b must be a whole number from 1 to 150, not 0; write 1, 150 or a number between them',
    ],
    [
      { type: 'boolean' },
      'true',
      'the constant c of a/b must be true or false, not "true"; write true or false, without quotes',
    ],
    [{ type: 'text' }, 4, 'the constant c of a/b must be a text, not 4; write "4"'],
  ])('the type %j takes %j or says why not', (type, given, expected) => {
    expect(said(type, given)).toBe(expected);
  });

  test('a number in the environment is the number, and text in a file stays text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 150 }), (steps) => {
        expect(checkConstant('c', STEPS, String(steps), true)).toEqual({ fits: true, value: steps, doubt: null });
        expect(checkConstant('c', STEPS, String(steps), false).fits).toBe(false);
      }),
    );
    expect(checkConstant('c', { type: 'boolean' }, 'false', true)).toMatchObject({ value: false });
    expect(checkConstant('c', { values: [480, 720] }, '720', true)).toMatchObject({ value: 720 });
    expect(said(STEPS, 'many', true)).toMatch(
      /^the constant c of a\/b must be a whole number from 1 to 150, not "many"/,
    );
  });
});

describe('const_types of a target', () => {
  const body = { prompt: '${case.prompt}', model: '${const.model}', steps: '${const.steps}' };
  const target = (keys: object, env = {}) =>
    readTarget(JSON.stringify({ ...SMALLEST, submit: { path: '/g', body }, ...keys }), env);
  const steps = { steps: { type: 'int', min: 1, max: 50 } };

  test('a default from the environment is sent as its type', () => {
    const given = { const: { steps: '${env.STEPS:-20}' }, const_types: steps };
    expect(target(given)).toMatchObject({ target: { constants: { steps: 20 } } });
    expect(target(given, { STEPS: '8' })).toMatchObject({ target: { constants: { steps: 8 } } });
    expect(target(given, { STEPS: 'x' })).toEqual({
      wrong: [expect.stringMatching(/^the environment variable STEPS: the constant steps .* not "x"; write/)],
    });
  });
});

test('a constant named like a part of every object is a constant like any other', () => {
  const constants = { constructor: 28, toString: 'a' };
  const body = { prompt: '${case.prompt}', a: '${const.constructor}', b: '${const.toString}' };
  const text = JSON.stringify({ ...SMALLEST, const: constants, submit: { ...SMALLEST.submit, body } });
  expect(readTarget(text)).toMatchObject({ target: { constants } });
});
