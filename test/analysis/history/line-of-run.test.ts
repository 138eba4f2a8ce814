import { describe, expect, it } from 'vitest';
import { cellsOfRun, comparableDigest, lineOfRun } from '../../../src/analysis/earlier-runs.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { assess } from '../../../src/gate/assess.ts';
import { historySchema } from '../../../src/record/kept-run.ts';
import { only } from '../../fixtures/only.ts';
import { ORDINARY, ok, scriptedRun, type Telling, timedOut } from '../../fixtures/scripted-run.ts';

function lineOf(tell: Telling['tell'], concurrency = 1) {
  const record = scriptedRun({ ...ORDINARY, variants: ORDINARY.variants.slice(0, 2), concurrency, tell });
  const { analysed, verdict } = assess(record, METRICS);
  return lineOfRun(record.run, analysed, verdict, METRICS);
}

const steady: Telling['tell'] = () => ok(1000);

describe('the line of a run', () => {
  it('the line of a run: has its label, and none of a run without', () => {
    const record = scriptedRun({ ...ORDINARY, variants: ORDINARY.variants.slice(0, 1), tell: steady });
    const { analysed, verdict } = assess(record, METRICS);
    const labelOf = (label: object) => lineOfRun({ ...record.run, ...label }, analysed, verdict, METRICS).label;
    expect([labelOf({ label: 'build 7' }), labelOf({})]).toEqual(['build 7', undefined]);
  });

  it('a complete run: holds ln of the median of each cell, and fits its schema', () => {
    const line = lineOf((_variant, _prompt, _seed, repeat) => ok([900, 1000, 5000][repeat - 1] ?? 0));
    expect(historySchema.parse(JSON.parse(JSON.stringify(line)))).toEqual(line);
    const [standard] = line.variants;
    expect(standard?.cells).toHaveLength(12);
    expect(new Set(standard?.lnValues['latency.total'])).toEqual(new Set([6.907755]));
    expect(standard?.meanLn['latency.total']).toBeCloseTo(Math.log(1000), 5);
    expect(standard?.rates.error_rate).toBe(0);
    expect(standard?.p50Ms).toBe(1000);
  });

  it('errors and time-outs: are rates, and a cell whose takes mostly timed out has no value', () => {
    const { variants } = lineOf((variant, prompt, seed, repeat) =>
      variant === 'fast' && prompt === 'fox' && seed === 1 && repeat > 1 ? timedOut() : ok(1000),
    );
    const fast = only(variants.filter(({ variant }) => variant === 'fast'));
    expect(fast.rates.error_rate).toBeCloseTo(2 / 36, 12);
    expect(fast.cells).toHaveLength(12);
    expect(cellsOfRun(fast, 'latency.total').size).toBe(11);
    expect(cellsOfRun(fast, 'latency.total', new Set(['fox'])).size).toBe(2);
  });

  it('another load: is not comparable', () => {
    const digests = [1, 1, 4].map((concurrency) => lineOf(steady, concurrency).variants[0]?.comparableDigest);
    expect(digests[1]).toBe(digests[0]);
    expect(digests[2]).not.toBe(digests[0]);
  });

  it('another vantage: is not comparable, and neither is none', () => {
    const record = scriptedRun({ ...ORDINARY, variants: ORDINARY.variants.slice(0, 2), tell: steady });
    const { analysed, verdict } = assess(record, METRICS);
    const digestFrom = (vantage: object) =>
      lineOfRun({ ...record.run, ...vantage }, analysed, verdict, METRICS).variants[0]?.comparableDigest;
    const digests = [{}, { vantage: 'eu' }, { vantage: 'us' }].map(digestFrom);
    expect(new Set(digests).size).toBe(3);
    expect(digestFrom({ vantage: 'eu' })).toBe(digests[1]);
  });

  it('the digest of a run without a vantage is that of lines that were written before there were vantages', () => {
    const load = {
      mode: 'closed',
      concurrency: 2,
      order: 'paired',
      warmup: 1,
      steps: null,
      onThrottle: 'wait',
      shuffle: 1,
    } as const;
    const plan = { digest: 'a'.repeat(64), load, looks: null };
    expect(comparableDigest(plan, { name: 'fast', baseUrl: 'https://api.example' }, null)).toBe(
      '9591c539269928184358d0e496c7e7a1399a7bb23e852b07591a80468ebf5df6',
    );
    // A proxy is in every latency.
    const digests = [undefined, 'http://a', 'http://b'].map((proxy) =>
      comparableDigest(plan, { name: 'fast', baseUrl: 'https://api.example', ...(proxy && { proxy }) }, null),
    );
    expect(new Set(digests).size).toBe(3);
  });
});
