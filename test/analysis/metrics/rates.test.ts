import { describe, expect, it } from 'vitest';
import { OUTCOMES, type Outcome, type Sample } from '../../../src/record/sample.ts';
import { clopperPearson } from '../../../src/statistics/clopper-pearson.ts';
import { measureIn, measuresIn } from '../../fixtures/measure-query.ts';
import { buildFailure, buildOk } from '../../fixtures/sample-builder.ts';
import { buildStoredRun } from '../../fixtures/stored-run-builder.ts';

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
    return outcome === 'ok' ? buildOk(100, 'picture', parts) : buildFailure(outcome, parts);
  });
}

const rate = (metric: string, outcomes: readonly Outcome[], prompt?: string) =>
  measureIn(buildStoredRun({ prompts: PROMPTS, variants: [{}], samples: trials(outcomes) }), {
    metric,
    statistic: 'rate',
    ...(prompt !== undefined && { prompt }),
  });

describe('rates', () => {
  it('count each outcome where it belongs', () => {
    // rejected, no_credit, error, timed_out, unknown_charged, invalid_media of those and ok and moderated.
    expect(rate('error_rate', OUTCOMES)).toMatchObject({ value: 6 / 8, n: 8 });
    expect(rate('block_rate', OUTCOMES)).toMatchObject({ value: 1 / 2, n: 2 });
    expect(rate('throttled_rate', OUTCOMES)).toMatchObject({ value: 1 / 9, n: 9 });
    expect(rate('dropped_rate', OUTCOMES)).toMatchObject({ value: 1 / 10, n: 10, ciLow: null, ciHigh: null });
  });

  it('bound what did not happen by the number of prompts', () => {
    const none = rate('error_rate', Array(12).fill('ok'));
    expect(none).toMatchObject({ value: 0, n: 12, ciLow: 0, note: 'interval from n = 3 prompts' });
    expect(none.ciHigh).toBe(clopperPearson(0, 3, 0.95).high);
  });

  it('say from how many independent trials the interval is', () => {
    const some = rate('error_rate', ['error', 'ok', 'ok', 'error', 'ok', 'ok', 'error', 'ok', 'ok']);
    expect(some.value).toBeCloseTo(1 / 3, 15);
    expect(some.method).toContain('Korn-Graubard');
    expect(some.note).toMatch(/^interval from n\/deff = 0\.\d$/);
  });

  it('take a prompt for itself, its trials counted each', () => {
    const fox = rate('error_rate', ['error', 'ok', 'ok', 'ok', 'ok', 'ok'], 'fox');
    const { low, high } = clopperPearson(1, 2, 0.95);
    expect(fox).toMatchObject({ value: 0.5, n: 2, ciLow: low, ciHigh: high, method: 'Clopper-Pearson', note: '' });
  });

  it('do not speak of other prompts from one', () => {
    const record = buildStoredRun({ samples: [buildOk(1, 'p')] });
    expect(measureIn(record, { metric: 'error_rate', statistic: 'rate' }).note).toBe(
      'one prompt: says nothing of others',
    );
  });

  it('are empty where nothing counts', () => {
    expect(rate('block_rate', ['error', 'error'])).toMatchObject({ value: null, n: 0, note: 'no trial to count' });
  });

  it('are given of prompts where prompts make the difference', () => {
    const record = buildStoredRun({ prompts: PROMPTS, samples: trials(['ok', 'ok', 'ok']) });
    const scopes = (metric: string) => measuresIn(record, metric).map(({ prompt }) => prompt);
    expect(scopes('error_rate')).toEqual([null, ...PROMPTS]);
    expect(scopes('block_rate')).toEqual([null, ...PROMPTS]);
    expect(scopes('throttled_rate')).toEqual([null]);
    expect(scopes('dropped_rate')).toEqual([null]);
  });
});
