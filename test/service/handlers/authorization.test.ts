import { expect, test } from 'vitest';
import { Refused } from '../../../src/service/forms/refusal.ts';
import { authorizer } from '../../../src/service/handlers/authorization.ts';

const authorize = authorizer(['first key', 'second']);

test.each(['Bearer first key', 'Bearer second', 'bearer   second', 'Bearer second  '])(
  'the credential %j is let in',
  (header) => {
    expect(() => authorize(header)).not.toThrow();
  },
);

test.each([
  [undefined, 'missing_key'],
  ['', 'missing_key'],
  ['Bearer', 'missing_key'],
  ['Bearer  ', 'missing_key'],
  ['Basic second', 'missing_key'],
  ['second', 'missing_key'],
  ['Bearer secon', 'wrong_key'],
  ['Bearer second2', 'wrong_key'],
  ['Bearer SECOND', 'wrong_key'],
  ['Bearer first', 'wrong_key'],
])('the credential %j is refused as %s', (header, code) => {
  const refusal = { status: 401, code, headers: { 'www-authenticate': 'Bearer' } };
  expect(() => authorize(header)).toThrow(expect.objectContaining({ refusal: expect.objectContaining(refusal) }));
});

test('authorization without keys lets nobody in', () => {
  expect(() => authorizer([])('Bearer x')).toThrow(Refused);
});
