import { expect, test } from 'vitest';
import { NIGHTLY } from '../../test-options.ts';
import { PROPERTIES } from './properties.ts';

/*
 * A sample of `npm run fuzz`. Inputs are new in each run of the tests; where RETAKE_TEST_SEED is set, as in CI, they
 * are the same, so that only the change decides. A failure prints the seed and the input.
 */

const SAMPLE = NIGHTLY ? 20_000 : 600;
const shares = PROPERTIES.reduce((sum, { share }) => sum + share, 0);
const seed = Number(process.env.RETAKE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

test.each(PROPERTIES.map((property) => [property.promise, property] as const))(
  'readers of hostile inputs keep a promise: %s',
  async (_, { fuzz, share }) => {
    const { broken } = await fuzz(Math.ceil((SAMPLE * share) / shares), seed, () => {});
    expect(broken === null ? null : { ...broken, seed }).toBeNull();
  },
);
