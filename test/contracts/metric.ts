import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import type { Measure } from '../../src/analysis/analysis.ts';
import type { Metric } from '../../src/analysis/measures/metric.ts';
import { arbitraryRun } from '../fixtures/arbitrary-run.ts';
import { openRun, sweepRun } from '../fixtures/scripted-load.ts';
import { ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';
import { buildStoredRun } from '../fixtures/stored-run-builder.ts';

/** What holds for every measure of every metric, whatever the run. */
export function metricContract(metric: Metric): void {
  describe(`${metric.name}, as every metric`, () => {
    it(`${metric.name} has a meaning in sentences, and a unit`, () => {
      expect(metric.meaning).toMatch(/^[A-Z].*\.$/);
      expect(metric.unit).toMatch(/^(1|1\/s|[a-z][a-z0-9_]*)$/);
    });

    it(`${metric.name} declares a scale of their own only for statistics that it has`, () => {
      const scaled = Object.keys(metric.statistics ?? {});
      const known = new Set(
        (scaled.length === 0 ? [] : [scriptedRun(ORDINARY), sweepRun(), openRun()]).flatMap((record) =>
          analyse(record, [metric]).analysis.measures.map(({ statistic }) => statistic),
        ),
      );
      expect(scaled.filter((statistic) => !known.has(statistic))).toEqual([]);
    });

    it(`${metric.name} is explained in the analysis where it was measured, and nowhere else`, () => {
      const { metrics, measures } = analyse(sweepRun(), [metric]).analysis;
      const { name, meaning, unit, better } = metric;
      expect(metrics).toEqual(measures.length === 0 ? [] : [{ name, meaning, unit, better }]);
    });

    it(`${metric.name} gives method and n, or why there is nothing`, () => {
      fc.assert(
        fc.property(arbitraryRun, (record) => {
          for (const measure of analyse(record, [metric]).analysis.measures) check(metric, measure);
        }),
        { numRuns: 40 },
      );
    });

    it(`${metric.name} has an answer for a run in which nothing was measured`, () => {
      const record = buildStoredRun({ variants: [{ name: 'standard', plannedTrials: 3 }], samples: [] });
      for (const measure of analyse(record, [metric]).analysis.measures) {
        check(metric, measure);
        expect(measure.n).toBe(0);
      }
    });

    it.each([
      ['open load', openRun()],
      ['a sweep', sweepRun()],
    ])(`${metric.name} gives under %s its method and notes, each once`, (_, record) => {
      const { measures } = analyse(record, [metric]).analysis;
      for (const measure of measures) check(metric, measure);
      const keys = measures.map(({ variant, prompt, step, statistic }) =>
        JSON.stringify([variant, prompt, step, statistic]),
      );
      expect(new Set(keys).size).toBe(keys.length);
    });

    it(`${metric.name} puts no latency and no throughput of different steps together`, () => {
      const over = analyse(sweepRun(), [metric]).analysis.measures.filter(({ step }) => step === null);
      // A warm-up is of no step.
      for (const { unit } of over) if (metric.name !== 'latency.cold') expect(['ms', '1/s']).not.toContain(unit);
    });

    it(`${metric.name} says nothing twice`, () => {
      fc.assert(
        fc.property(arbitraryRun, (record) => {
          const keys = analyse(record, [metric]).analysis.measures.map(({ variant, prompt, step, statistic }) =>
            JSON.stringify([variant, prompt, step, statistic]),
          );
          expect(new Set(keys).size).toBe(keys.length);
        }),
        { numRuns: 20 },
      );
    });
  });
}

function check(metric: Metric, measure: Measure): void {
  const { value, n, ciLow, ciHigh, ciLevel, unit, method, notes } = measure;
  expect(measure.metric).toBe(metric.name);
  expect(Number.isInteger(n) && n >= 0).toBe(true);
  expect(method).toMatch(/^[a-z][a-z0-9_]*$/);
  for (const { code } of notes) expect(code).toMatch(/^[a-z][a-z0-9_]*$/);
  if (value === null) expect(notes).not.toEqual([]);
  else expect(Number.isFinite(value)).toBe(true);
  if (n === 0 && unit !== '1/s') expect(value).toBeNull();
  if (unit === '1' && value !== null) expect(value >= 0 && value <= 1).toBe(true);
  for (const end of [ciLow, ciHigh]) expect(end === null || Number.isFinite(end)).toBe(true);
  expect(ciLevel).toBe(ciLow === null && ciHigh === null ? null : 0.95);
  if (value !== null && ciLow !== null) expect(ciLow).toBeLessThanOrEqual(value + 1e-12);
  if (value !== null && ciHigh !== null) expect(ciHigh).toBeGreaterThanOrEqual(value - 1e-12);
}
