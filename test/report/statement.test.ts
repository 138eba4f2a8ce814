import { describe, expect, it } from 'vitest';
import { noted } from '../../src/analysis/note.ts';
import type { Measure } from '../../src/analysis/summaries.ts';
import { completeness } from '../../src/report/run-statement.ts';
import { statementOf } from '../../src/report/statement.ts';
import { reported } from '../fixtures/report-source.ts';
import { ORDINARY, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

const ONE: Telling = { ...ORDINARY, variants: ORDINARY.variants.slice(0, 1), prompts: ORDINARY.prompts.slice(0, 2) };

describe('statements', () => {
  const measure: Measure = {
    variant: 'v',
    kind: 'text-to-image',
    prompt: null,
    step: null,
    metric: 'm',
    statistic: 'p95',
    value: 5,
    unit: 'ms',
    better: 'lower',
    n: 30,
    ciLow: 4,
    ciHigh: 6,
    ciLevel: 0.95,
    method: 'order_statistics',
    notes: [],
  };
  const words = (change: Partial<Measure>) =>
    statementOf({ ...measure, ...change }, String, (low, high) => `${low}-${high}`);

  it('statements hold value, interval and n', () => {
    expect(words({})).toEqual({ value: '5', interval: '4-6', notes: [], n: 30 });
  });

  it('statements say why there is no interval or no value', () => {
    expect(words({ ciLow: null, notes: [noted('needs_n', 59)] })).toMatchObject({
      value: '5',
      interval: null,
      notes: ['no interval: n < 59'],
    });
    expect(words({ value: null, notes: [noted('value_needs_n', 14)] })).toMatchObject({
      value: null,
      notes: ['no value: n < 14'],
    });
    expect(words({ value: null })).toMatchObject({ value: null, notes: ['not measured'] });
    expect(statementOf(null, String, String)).toMatchObject({ value: null, notes: ['not measured'], n: 0 });
  });

  it('statements give the lower bound of a statistic that lies among the time-outs', () => {
    expect(words({ value: null, notes: [noted('censored_above_ms', 120_000), noted('needs_n', 59)] })).toEqual({
      value: '> 120 s',
      interval: null,
      notes: ['no interval: n < 59'],
      n: 30,
    });
  });
});

describe('completeness', () => {
  it('the statement on completeness counts what is missing or was cancelled, and says why', () => {
    const { analysis } = reported(scriptedRun(ONE));
    expect(completeness(analysis)).toBe('Complete, but of 18 planned takes 1 failed');
    expect(completeness({ ...analysis, failures: [] })).toBe('Complete: all 18 planned takes have a result');
    const variants = analysis.variants.map((variant) => ({ ...variant, missing: 3, outcomes: { cancelled: 2 } }));
    const run = { ...analysis.run, complete: false };
    const sentence = (stop: typeof run.stop) => completeness({ ...analysis, variants, run: { ...run, stop } });
    expect(sentence({ reason: 'requests', limit: 7 })).toBe(
      'Incomplete: 5 of 18 planned takes have no result. Why: the limit of 7 requests was reached',
    );
    expect(sentence(null)).toContain('the process was killed before it could record why');
  });

  it('the statement on completeness counts the takes of a complete run that failed, were blocked or were dropped', () => {
    const { analysis } = reported(scriptedRun(ONE));
    const failure = {
      variant: 'standard',
      code: '',
      httpStatus: 500,
      message: '',
      undecodable: null,
      exampleTrial: '',
    };
    const failures = [
      { ...failure, outcome: 'error', count: 3 },
      { ...failure, outcome: 'moderated', count: 1 },
    ] as const;
    expect(completeness({ ...analysis, failures })).toBe(
      'Complete, but of 18 planned takes 3 failed and 1 was blocked',
    );
    const variants = analysis.variants.map((variant) => ({ ...variant, outcomes: { ok: 13, dropped: 5 } }));
    expect(completeness({ ...analysis, variants, failures: [] })).toBe(
      'Complete, but of 18 planned takes 5 were dropped (never sent)',
    );
  });
});
