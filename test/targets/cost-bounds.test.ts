import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/kit/json.ts';
import { costBounds } from '../../src/targets/cost-bounds.ts';
import { caseWith, targetWith, variantOf } from './target-fixture.ts';

type Keys = { readonly [key: string]: Json };

/** What a request costs with these keys of its target, constants and inputs of its case. */
function boundsOf(
  keys: Keys,
  {
    inputs = {},
    constants = {},
    ...own
  }: { readonly inputs?: Keys; readonly constants?: Keys; readonly asks?: number } = {},
) {
  const body = { prompt: '${case.prompt}', seconds: '${case.seconds}', size: '${case.size}', n: '${const.n}' };
  const target = targetWith({ const: { n: 1 }, submit: { path: '/', encoding: 'json', body }, ...keys });
  const [price = null] = target.prices;
  const variant = variantOf(target, {
    constants: { ...target.constants, ...constants },
    price,
    ...own,
    ...(price?.most === undefined ? {} : { mostUnits: price.most }),
  });
  const found = costBounds(variant, caseWith({ id: 'fox', text: 'fox', inputs }));
  return typeof found === 'string' ? found : [found.leastUsd, found.mostUsd];
}

const PER_SECOND = { price: { per: 'second', usd: 0.5 } };
const SEVERAL = { result: { from: 'b64', items: '$.data[*]', at: '$.b64' } };
const NUMBER = { inputs: { seconds: { as: 'number', min: 2, max: 10 } } };

describe('costBounds', () => {
  test.each<[string, ReturnType<typeof boundsOf>, readonly number[] | string]>([
    ['a price per request: is the price', boundsOf({ price: { per: 'request', usd: 0.04 } }), [0.04, 0.04]],
    ['no price: is unknown', boundsOf({}), 'no_price'],
    ['no price at the reference service of the run: is nothing', boundsOf({ base_url: 'embedded:' }), [0, 0]],
    ['a price per output, one output: is the price', boundsOf({ price: { per: 'output', usd: 0.04 } }), [0.04, 0.04]],
    [
      'a price per output, a list of outputs: has no upper bound',
      boundsOf({ ...SEVERAL, price: { per: 'output', usd: 0.04 } }),
      'no_output_count',
    ],
    [
      'a price per output, a number of outputs that is asked for: is at most for these',
      boundsOf({ ...SEVERAL, price: { per: 'output', usd: 0.5 } }, { asks: 4 }),
      [0.5, 2],
    ],
    [
      'a price per output, most by a constant: follows the constant of the variant',
      boundsOf({ ...SEVERAL, price: { per: 'output', usd: 0.5, most: '${const.n}' } }, { constants: { n: 4 } }),
      [0.5, 2],
    ],
    ['a price per second, no seconds: has no upper bound', boundsOf(PER_SECOND), 'no_seconds'],
    ['a price per second: follows the input', boundsOf(PER_SECOND, { inputs: { seconds: '4' } }), [2, 2]],
    [
      'a price per second, a list: has no upper bound',
      boundsOf(PER_SECOND, { inputs: { seconds: [4] } }),
      'no_seconds',
    ],
    [
      'a price per second, no number: has no upper bound',
      boundsOf(PER_SECOND, { inputs: { seconds: true } }),
      'no_seconds',
    ],
    ['a price per second, a target with limits: lies between them', boundsOf({ ...PER_SECOND, ...NUMBER }), [1, 5]],
    [
      'a price per second, a target with values: lies between them',
      boundsOf({ ...PER_SECOND, inputs: { seconds: { as: 'enum', values: [4, 8] } } }),
      [2, 4],
    ],
    [
      'a price per second, an input that the request does not send: has no upper bound',
      boundsOf(
        { ...PER_SECOND, submit: { path: '/', encoding: 'json', body: { n: '${const.n}' } } },
        { inputs: { seconds: 4 } },
      ),
      'no_seconds',
    ],
    [
      'a price per second, most with a default: holds where the input is left out',
      boundsOf({ price: { per: 'second', usd: 0.5, most: '${case.seconds | default(5)}' } }),
      [0, 2.5],
    ],
    [
      'most that is no number: is unknown',
      boundsOf({ price: { per: 'second', usd: 0.5, most: '${case.seconds}' } }),
      'wrong_most',
    ],
  ])('the cost of one request with %s', (_name, found, expected) => {
    expect(found).toEqual(expected);
  });
});
