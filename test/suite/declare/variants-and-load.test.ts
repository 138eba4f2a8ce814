import { describe, expect, test } from 'vitest';
import { checkDocument } from '../../../src/kit/check.ts';
import { formatDiagnostic } from '../../../src/kit/diagnostic.ts';
import { parseDocument } from '../../../src/kit/document.ts';
import { DEFAULT_LIMITS } from '../../../src/media/level.ts';
import { declareLoad } from '../../../src/suite/declare/declare-load.ts';
import { declareVariants } from '../../../src/suite/declare/variants.ts';
import { suiteSchema } from '../../../src/suite/format/schema.ts';

function declare(variants: string) {
  const document = parseDocument('s.yaml', `suite: 1\nname: s\nprompts: [x]\nvariants:\n  ${variants}\n`);
  if (!document.ok) throw new Error(document.diagnostics.map(formatDiagnostic).join('\n'));
  const checked = checkDocument(document.value, suiteSchema);
  if (!checked.ok) throw new Error(checked.diagnostics.map(formatDiagnostic).join('\n'));
  return declareVariants(document.value, checked.value.variants, DEFAULT_LIMITS);
}

function named(variants: string): readonly (readonly [name: string, constants: unknown])[] {
  const declared = declare(variants);
  if (!declared.ok) throw new Error(declared.diagnostics.map(formatDiagnostic).join('\n'));
  return declared.value.map(({ name, constants }) => [name, constants]);
}

function wrong(variants: string): readonly string[] {
  const declared = declare(variants);
  return declared.ok ? [] : declared.diagnostics.map(formatDiagnostic);
}

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
      'a constant that stands twice',
      'm: { target: p/e, const: { s: 1 }, matrix: { s: [2] } }',
      's.yaml:5:48: "s" is both in const and in matrix; remove one of them',
    ],
    [
      'a value that stands twice',
      'm: { target: p/e, matrix: { s: [a b, a-b] } }',
      's.yaml:5:3: the variant name "m-s-a-b" is already used at s.yaml:5:3; rename the entry, or write its variants out',
    ],
    [
      'a name that another has',
      '{ m-s-1: { target: p/e }, m: { target: p/e, matrix: { s: [1] } } }',
      's.yaml:5:29: the variant name "m-s-1" is already used at s.yaml:5:5; rename the entry, or write its variants out',
    ],
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
    const document = parseDocument('s.yaml', text);
    if (!document.ok) throw new Error(document.diagnostics.map(formatDiagnostic).join('\n'));
    const checked = checkDocument(document.value, suiteSchema);
    if (!checked.ok) throw new Error(checked.diagnostics.map(formatDiagnostic).join('\n'));
    return declareLoad(document.value, checked.value.load);
  }

  const EVERY = { warmup: 1, onThrottle: 'wait', shuffle: 1 } as const;

  describe('a load', () => {
    test.each([
      ['{}', { ...EVERY, mode: 'closed', concurrency: 1, order: 'paired', steps: null }],
      ['{ concurrency: [8, 1, 4] }', { ...EVERY, mode: 'closed', concurrency: 8, order: 'paired', steps: [8, 1, 4] }],
      [
        '{ mode: open, rate: 30/min }',
        {
          ...EVERY,
          mode: 'open',
          order: 'sequential',
          concurrency: 64,
          arrivals: 'poisson',
          stages: [{ ratePerSecond: 0.5, forMs: null }],
        },
      ],
      [
        '{ mode: open, rate: 2/s, duration: 1m, arrivals: constant, concurrency: 5 }',
        {
          ...EVERY,
          mode: 'open',
          order: 'sequential',
          concurrency: 5,
          arrivals: 'constant',
          stages: [{ ratePerSecond: 2, forMs: 60_000 }],
        },
      ],
      [
        '{ mode: open, rate: [1/s, 30/min], duration: 10s }',
        {
          ...EVERY,
          mode: 'open',
          order: 'sequential',
          concurrency: 64,
          arrivals: 'poisson',
          stages: [],
          steps: [1, 0.5],
          stepMs: 10_000,
        },
      ],
      [
        '{ mode: open, stages: [{ rate: 1/s, for: 10s }, { rate: 5/s, for: 20s }] }',
        {
          ...EVERY,
          mode: 'open',
          order: 'sequential',
          concurrency: 64,
          arrivals: 'poisson',
          stages: [
            { ratePerSecond: 1, forMs: 10_000 },
            { ratePerSecond: 5, forMs: 20_000 },
          ],
        },
      ],
    ])('a load is declared as %s', (text, value) => {
      expect(declare(text)).toEqual({ ok: true, value });
    });

    const FAULTS: Readonly<Record<string, string | readonly string[]>> = {
      '{ rate: 2/s, duration: 1m }': [
        '9: "rate" belongs to open load; write mode: open, or remove it',
        '20: "duration" belongs to open load; write mode: open, or remove it',
      ],
      '{ concurrency: [1, 2], order: mixed }':
        '30: a sweep over concurrencies measures each variant and step alone; remove order',
      '{ concurrency: [2, 2] }': '9: the sweep has a step twice; remove one of them',
      '{ mode: open, rate: [1/s, 60/min] }': '21: the sweep has a rate twice; remove one of them',
      '{ mode: open }': '9: open load needs a rate of arrivals; add rate: 2/s, or stages',
      '{ mode: open, rate: 2/s, order: paired }': '32: open load measures one variant after the other; remove order',
      '{ mode: open, rate: 2/s, concurrency: [1] }':
        '32: the ceiling of open load is one number; write one number, or mode: closed',
      '{ mode: open, rate: 2/s, stages: [{ rate: 1/s, for: 1s }] }':
        '21: "rate" and stages exclude each other; keep one of them',
    };
    test.each(Object.entries(FAULTS))('a load with %s is refused', (text, says) => {
      const declared = declare(text);
      const expected = [says].flat().map((each) => `s.yaml:5:${each}`);
      expect(declared.ok ? [] : declared.diagnostics.map(formatDiagnostic)).toEqual(expected);
    });
  });
});
