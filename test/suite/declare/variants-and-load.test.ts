import { describe, expect, test } from 'vitest';
import { checkDocument } from '../../../src/kit/check.ts';
import { accepted } from '../../../src/kit/diagnostic.ts';
import { parseDocument } from '../../../src/kit/document.ts';
import { DEFAULT_LIMITS } from '../../../src/media/level.ts';
import { declareVariants } from '../../../src/suite/declare/variants.ts';
import { suiteSchema } from '../../../src/suite/format/schema.ts';
import { expectFaults, linesOf } from '../../fixtures/told-faults.ts';

function declare(variants: string) {
  const text = `suite: 1\nname: s\nprompts: [x]\nvariants:\n  ${variants}\n`;
  const document = accepted(parseDocument('s.yaml', text));
  return declareVariants(document, accepted(checkDocument(document, suiteSchema)).variants, DEFAULT_LIMITS);
}

function named(variants: string): readonly (readonly [name: string, constants: unknown])[] {
  return accepted(declare(variants)).map(({ name, constants }) => [name, constants]);
}

const wrong = (variants: string) => linesOf(declare(variants));

describe('a matrix', () => {
  test('a matrix becomes a variant for each combination, named by its values', () => {
    expect(
      named('flux: { target: p/e, const: { guidance: 3 }, matrix: { steps: [4, 8], model: [dev, pro] } }'),
    ).toEqual([
      ['flux-steps-4-model-dev', { guidance: 3, steps: 4, model: 'dev' }],
      ['flux-steps-4-model-pro', { guidance: 3, steps: 4, model: 'pro' }],
      ['flux-steps-8-model-dev', { guidance: 3, steps: 8, model: 'dev' }],
      ['flux-steps-8-model-pro', { guidance: 3, steps: 8, model: 'pro' }],
    ]);
  });

  test('a matrix keeps the order of what stands beside it', () => {
    expect(
      named('{ a: { target: p/e }, m: { target: p/e, matrix: { s: [1, 2] } }, z: { target: p/e } }').map(([n]) => n),
    ).toEqual(['a', 'm-s-1', 'm-s-2', 'z']);
  });

  test('a matrix names a value that is not a short word so that it stays a name', () => {
    const values = `["black-forest/flux dev", 0.5, -1, true, null, { a: 1 }, [2], "${'long '.repeat(20)}", "雪"]`;
    expect(named(`m: { target: p/e, matrix: { v: ${values} } }`).map(([name]) => name)).toEqual([
      'm-v-black-forest-flux-dev',
      'm-v-0.5',
      'm-v--1',
      'm-v-true',
      'm-v-none',
      'm-v-no6',
      'm-v-2',
      'm-v-no8',
      'm-v-no9',
    ]);
  });

  test('a matrix marks its first combination as the baseline', () => {
    const declared = declare('m: { target: p/e, baseline: true, matrix: { s: [1, 2] } }');
    expect(declared).toMatchObject({ ok: true, value: [{ baseline: true }, { baseline: false }] });
  });

  test.each([
    [
      'more than anyone would run',
      `m: { target: p/e, matrix: { a: [${Array.from({ length: 40 }).fill(1)}], b: [${Array.from({ length: 40 }).fill(1)}] } }`,
      's.yaml:5:21: the matrix has 1600 combinations, more than 1000; use fewer values',
    ],
    [
      'a name that becomes too long',
      `${'m'.repeat(90)}: { target: p/e, matrix: { steps: [1000000] } }`,
      `s.yaml:5:3: the variant name "${'m'.repeat(90)}-steps-1000000" is longer than 100 characters; shorten its name`,
    ],
  ])('a matrix refuses %s', (_, variants, message) => {
    expect(wrong(variants)).toEqual([message]);
  });
});

describe('declare load', () => {
  function declare(load: string) {
    const text = `suite: 1\nname: s\nprompts: [x]\nvariants: { a: { target: p/e } }\nload: ${load}\n`;
    const document = accepted(parseDocument('s.yaml', text));
    return checkDocument(document, suiteSchema);
  }

  const EVERY = { warmup: 1, onThrottle: 'wait', shuffle: 1 } as const;
  const OPEN = { ...EVERY, mode: 'open', order: 'sequential', concurrency: 64, arrivals: 'poisson' } as const;

  describe('a load', () => {
    test.each([
      ['{}', { ...EVERY, mode: 'closed', concurrency: 1, order: 'paired', steps: null }],
      ['{ concurrency: [8, 1, 4] }', { ...EVERY, mode: 'closed', concurrency: 8, order: 'paired', steps: [8, 1, 4] }],
      ['{ mode: open, rate: 30/min }', { ...OPEN, stages: [{ ratePerSecond: 0.5, forMs: null }] }],
      [
        '{ mode: open, rate: 2/s, duration: 1m, arrivals: constant, concurrency: 5 }',
        { ...OPEN, concurrency: 5, arrivals: 'constant', stages: [{ ratePerSecond: 2, forMs: 60_000 }] },
      ],
      ['{ mode: open, rate: [1/s, 30/min], duration: 10s }', { ...OPEN, stages: [], steps: [1, 0.5], stepMs: 10_000 }],
      [
        '{ mode: open, stages: [{ rate: 1/s, for: 10s }, { rate: 5/s, for: 20s }] }',
        { ...OPEN, stages: [1, 5].map((rate, at) => ({ ratePerSecond: rate, forMs: 10_000 * (at + 1) })) },
      ],
    ])('a load is declared as %s', (text, value) => {
      expect(accepted(declare(text)).load).toEqual({ load: value, hold: null });
    });

    test('a wrong load is refused with place, cause and remedy', async () => {
      await expectFaults('loads', (text) => linesOf(declare(text)));
    });
  });
});
