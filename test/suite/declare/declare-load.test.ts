import { describe, expect, test } from 'vitest';
import { checkDocument } from '../../../src/kit/check.ts';
import { formatDiagnostic } from '../../../src/kit/diagnostic.ts';
import { parseDocument } from '../../../src/kit/document.ts';
import { declareLoad } from '../../../src/suite/declare/declare-load.ts';
import { suiteSchema } from '../../../src/suite/format/schema.ts';

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
