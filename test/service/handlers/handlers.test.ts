import sharp from 'sharp';
import { expect, test } from 'vitest';
import { RefusedRequest } from '../../../src/service/forms/form.ts';
import { authorizer } from '../../../src/service/handlers/authorization.ts';
import { withText } from '../../../src/service/handlers/delivery.ts';
import { plainPng } from '../../fixtures/plain-png.ts';

const KEYS = ['first key', 'second'];

test.each([
  ['Bearer first key', KEYS, null],
  ['bearer   second', KEYS, null],
  ['Bearer second  ', KEYS, null],
  [undefined, KEYS, 'missing_key'],
  ['', KEYS, 'missing_key'],
  ['Bearer  ', KEYS, 'missing_key'],
  ['Basic second', KEYS, 'missing_key'],
  ['second', KEYS, 'missing_key'],
  ['Bearer secon', KEYS, 'wrong_key'],
  ['Bearer second2', KEYS, 'wrong_key'],
  ['Bearer SECOND', KEYS, 'wrong_key'],
  ['Bearer first', KEYS, 'wrong_key'],
  ['Bearer x', [], 'wrong_key'],
])('the credential %j with the keys %j: %s', (header, keys, code) => {
  let refusal = null;
  try {
    authorizer(keys)(header);
  } catch (error) {
    refusal = error instanceof RefusedRequest ? error.refusal : error;
  }
  if (code === null) expect(refusal).toBeNull();
  else expect(refusal).toMatchObject({ status: 401, code, headers: { 'www-authenticate': 'Bearer' } });
});

test('a text chunk changes the bytes and no pixel, and decoders accept it', async () => {
  const png = await plainPng('#123456', 8, 8);
  const marked = withText(png, 'Comment', 'one');
  expect(marked.length).toBe(png.length + 12 + 'Comment'.length + 1 + 3);
  const pixels = await sharp(marked, { failOn: 'warning' }).raw().toBuffer();
  expect(pixels.equals(await sharp(png).raw().toBuffer())).toBe(true);
  const { comments } = await sharp(marked).metadata();
  expect(comments).toEqual([{ keyword: 'Comment', text: 'one' }]);
});
