import { describe, expect, it } from 'vitest';
import { bencher } from '../../src/report/reporters/benchmarks.ts';
import { rendered } from '../contracts/reporter.ts';
import { reported } from '../fixtures/report-source.ts';
import { sweepRun } from '../fixtures/scripted-load.ts';
import { ORDINARY, ok, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

async function metrics(source: ReturnType<typeof reported>): Promise<Record<string, Record<string, unknown>>> {
  return JSON.parse((await rendered(bencher, source)).get('bencher.json') ?? '');
}

describe('bencher.json', () => {
  it('bencher.json has a benchmark for each variant, with value and interval of each measure over all prompts', async () => {
    const source = reported(scriptedRun(ORDINARY));
    const found = await metrics(source);
    expect(Object.keys(found)).toEqual(ORDINARY.variants.map(({ name }) => name));
    const median = source.analysis.measures.find(
      ({ variant, metric, statistic, prompt }) =>
        variant === 'fast' && metric === 'latency.total' && statistic === 'p50' && prompt === null,
    );
    expect(found.fast?.['latency.total.p50']).toEqual({
      value: median?.value,
      lower_value: median?.ciLow,
      upper_value: median?.ciHigh,
    });
  });

  it('bencher.json holds numbers alone, in names that are not too long', async () => {
    for (const measures of Object.values(await metrics(reported(scriptedRun(ORDINARY))))) {
      for (const [name, metric] of Object.entries(measures)) {
        expect(name.length).toBeLessThanOrEqual(64);
        for (const value of Object.values(metric as object)) expect(typeof value).toBe('number');
      }
    }
  });

  it('bencher.json keeps the steps of a sweep apart', async () => {
    expect(Object.keys(await metrics(reported(sweepRun())))).toContainEqual(
      expect.stringMatching(/ at concurrency 2$/),
    );
  });

  it('bencher.json keeps a variant that is called __proto__', async () => {
    const variants = ORDINARY.variants.slice(0, 1).map((variant) => ({ ...variant, name: '__proto__' }));
    const tell: Telling['tell'] = () => ok(10);
    expect(Object.keys(await metrics(reported(scriptedRun({ ...ORDINARY, variants, tell }))))).toEqual(['__proto__']);
  });
});
