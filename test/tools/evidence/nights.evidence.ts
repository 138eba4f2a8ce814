import { describe, expect, it } from 'vitest';
import { historySeries } from '../../../src/analysis/series.ts';
import { runNights, SLOWED } from '../../fixtures/paced-nights.ts';

/* Twelve nightly runs of a service that takes 15 % longer from the ninth on. */

const LIMITS = ['5%', '10%'];

describe('a rule against earlier runs', () => {
  it('+15 % from the ninth of twelve nights: fails by the tenth, and the history names the ninth', async () => {
    const gate = LIMITS.map((limit) => `{ metric: latency.total, against: history, max_increase: ${limit} }`);
    const { results, history } = await runNights({ medianMs: 150, repeats: 3, gate });
    const [latency] = historySeries(history).filter(({ metric }) => metric === 'latency.total');
    for (const [at, limit] of LIMITS.entries()) {
      const ofRule = results.map((rules) => rules[at]);
      console.log(
        `+${limit}: ${ofRule.map((result) => `${result?.code} ${result?.estimate?.toFixed(3) ?? '–'}`).join(', ')}`,
      );
      const verdicts = ofRule.map((result) => result?.verdict);
      expect(verdicts.slice(0, 9)).not.toContain('fail');
      expect(verdicts.slice(9)).toEqual(['fail', 'fail', 'fail']);
    }
    console.log(`nights: ${latency?.points.map(({ value }) => `${value.toFixed(1)} ms`).join(', ')}`);
    console.log(
      `changes: ${latency?.changes.map(({ run, before, after, p }) => `${run}, ${before.toFixed(1)} to ${after.toFixed(1)} ms, p ${p}`).join('; ')}`,
    );
    expect(latency?.changes.map(({ index }) => index)).toEqual([SLOWED.from]);
  });
});
