import { describe, expect, it } from 'vitest';
import { OUTCOMES, type Outcome } from '../../../src/record/codes.ts';
import type { Sample } from '../../../src/record/journal.ts';
import { clopperPearson } from '../../../src/statistics/rate-interval.ts';
import { measureIn, measuresIn } from '../../fixtures/measure-query.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

const PROMPTS = ['fox', 'cat', 'owl'];

/** One trial of each outcome in the order given, going round the prompts. */
function trials(outcomes: readonly Outcome[]): Sample[] {
  return outcomes.map((outcome, at) => {
    const parts = { trial: { prompt: PROMPTS[at % PROMPTS.length] ?? 'fox', repeat: at + 1 }, startedMs: at * 1000 };
    if (outcome === 'invalid_media') {
      const sample = buildOk(100, 'text', parts);
      return sample.outcome === 'ok'
        ? { ...sample, outcome, error: { code: 'unexpected_media', message: 'expected image/*, got text/html' } }
        : sample;
    }
    return outcome === 'ok' ? buildOk(100, 'image', parts) : buildFailure(outcome, parts);
  });
}

const rate = (metric: string, outcomes: readonly Outcome[], prompt?: string) =>
  measureIn(buildStoredRun({ prompts: PROMPTS, variants: [{}], samples: trials(outcomes) }), {
    metric,
    statistic: 'rate',
    ...(prompt !== undefined && { prompt }),
  });

describe('rates', () => {
  it('rates count each outcome where it belongs', () => {
    // rejected, no_credit, error, timed_out, unknown_charged, invalid_media of those and ok and moderated.
    expect(rate('error_rate', OUTCOMES)).toMatchObject({ value: 6 / 8, n: 8 });
    expect(rate('block_rate', OUTCOMES)).toMatchObject({ value: 1 / 2, n: 2 });
    expect(rate('throttled_rate', OUTCOMES)).toMatchObject({ value: 1 / 9, n: 9 });
    expect(rate('dropped_rate', OUTCOMES)).toMatchObject({ value: 1 / 10, n: 10, ciLow: null, ciHigh: null });
  });

  it('rates have one method: Clopper-Pearson over takes, whatever prompts they are of', () => {
    const none = rate('error_rate', Array(12).fill('ok'));
    expect(none).toMatchObject({ value: 0, n: 12, ciLow: 0, method: 'clopper_pearson', note: '' });
    expect(none.ciHigh).toBe(clopperPearson(0, 12, 0.95).high);
    // All failures are of one prompt.
    const some = rate('error_rate', ['error', 'ok', 'ok', 'error', 'ok', 'ok', 'error', 'ok', 'ok']);
    const { low, high } = clopperPearson(3, 9, 0.95);
    expect(some).toMatchObject({ value: 3 / 9, ciLow: low, ciHigh: high, method: 'clopper_pearson', note: '' });
  });

  it('rates have an upper bound that rises with every failure', () => {
    const highs = Array.from({ length: 12 }, (_, failed) => {
      const outcomes = Array.from({ length: 12 }, (_, at): Outcome => ((5 * at) % 12 < failed ? 'error' : 'ok'));
      return rate('error_rate', outcomes).ciHigh ?? Number.NaN;
    });
    for (const [failed, high] of highs.entries()) expect(high).toBeGreaterThan(highs[failed - 1] ?? 0);
  });

  it('rates take a prompt for itself, its trials counted each', () => {
    const fox = rate('error_rate', ['error', 'ok', 'ok', 'ok', 'ok', 'ok'], 'fox');
    const { low, high } = clopperPearson(1, 2, 0.95);
    expect(fox).toMatchObject({ value: 0.5, n: 2, ciLow: low, ciHigh: high, method: 'clopper_pearson', note: '' });
  });

  it('rates are empty where nothing counts', () => {
    expect(rate('block_rate', ['error', 'error'])).toMatchObject({ value: null, n: 0, note: 'no_trial' });
  });

  it('rates are given of prompts where prompts make the difference', () => {
    const record = buildStoredRun({ prompts: PROMPTS, samples: trials(['ok', 'ok', 'ok']) });
    const everywhere = [null, ...PROMPTS];
    for (const [metric, scopes] of [
      ['error_rate', everywhere],
      ['block_rate', everywhere],
      ['throttled_rate', [null]],
      ['dropped_rate', [null]],
    ] as const) {
      const rates = measuresIn(record, metric).filter(({ statistic }) => statistic === 'rate');
      expect(rates.map(({ prompt }) => prompt)).toEqual(scopes);
    }
  });
});
