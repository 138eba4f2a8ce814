import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { Metric } from '../../src/analysis/metric.ts';
import type { Measure } from '../../src/analysis/summaries.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { arbitraryRun } from '../fixtures/arbitrary-run.ts';
import { openRun, sweepRun } from '../fixtures/scripted-load.ts';
import { ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';
import { buildStoredRun } from '../fixtures/stored-run-builder.ts';
import { draws } from '../test-options.ts';

/** What holds for every measure of every metric, whatever the run. Each run is analysed once, with all metrics. */
export function metricsContract(metrics: readonly Metric[]): void {
  const analysed = (record: StoredRun): Analysis => analyse(record, metrics).analysis;
  const swept = analysed(sweepRun());
  const open = analysed(openRun());
  const ordinary = analysed(scriptedRun(ORDINARY));
  const unmeasured = analysed(buildStoredRun({ variants: [{ name: 'standard', plannedTrials: 3 }], samples: [] }));

  for (const metric of metrics)
    describe(`${metric.name}, as every metric`, () => {
      const own = ({ measures }: Analysis) => measures.filter(({ metric: name }) => name === metric.name);

      it(`${metric.name} has a meaning in sentences, and a unit`, () => {
        expect(metric.meaning).toMatch(/^[A-Z].*\.$/);
        expect(metric.unit).toMatch(/^(1|1\/s|[a-z][a-z0-9_]*(\/s)?)$/);
      });

      it(`${metric.name} declares a scale of their own only for statistics that it has`, () => {
        const known = new Set([ordinary, swept, open].flatMap(own).map(({ statistic }) => statistic));
        expect(Object.keys(metric.statistics ?? {}).filter((statistic) => !known.has(statistic))).toEqual([]);
      });

      it(`${metric.name} is explained in the analysis where it was measured, and nowhere else`, () => {
        const { name, meaning, unit, better } = metric;
        for (const analysis of [swept, open, ordinary, unmeasured]) {
          const explained = analysis.metrics.filter((each) => each.name === name);
          expect(explained).toEqual(own(analysis).length === 0 ? [] : [{ name, meaning, unit, better }]);
        }
      });

      it(`${metric.name} has an answer for a run in which nothing was measured`, () => {
        for (const measure of own(unmeasured)) {
          check(measure);
          expect(measure.n).toBe(0);
        }
      });

      it.each([
        ['open load', open],
        ['a sweep', swept],
      ])(`${metric.name} gives under %s its method and notes, each once`, (_, analysis) => {
        for (const measure of own(analysis)) check(measure);
        expect(repeated(own(analysis))).toEqual([]);
      });

      it(`${metric.name} puts no latency and no throughput of different steps together`, () => {
        const over = own(swept).filter(({ step }) => step === null);
        // A warm-up is of no step.
        for (const { unit } of over)
          if (metric.name !== 'latency.cold') expect(unit).not.toMatch(/^(ms|real_time|.*\/s)$/);
      });
    });

  describe('every metric', () => {
    it('every metric gives of any run its method and n, or why there is nothing, each once', () => {
      fc.assert(
        fc.property(arbitraryRun, (record) => {
          const { measures } = analysed(record);
          for (const measure of measures) check(measure);
          expect(repeated(measures)).toEqual([]);
          const known = metrics.map(({ name }) => name);
          expect([...new Set(measures.map(({ metric }) => metric))].filter((name) => !known.includes(name))).toEqual(
            [],
          );
        }),
        { numRuns: draws(60) },
      );
    });
  });
}

/** What is measured more than once. */
function repeated(measures: readonly Measure[]): readonly string[] {
  const keys = measures.map(({ metric, variant, prompt, step, statistic }) =>
    JSON.stringify([metric, variant, prompt, step, statistic]),
  );
  const seen = new Set<string>();
  return keys.filter((key) => seen.size === seen.add(key).size);
}

/** Holds a measure to the contract. Conditions of plain numbers are one expectation: there are thousands of them. */
function check(measure: Measure): void {
  const { value, n, ciLow, ciHigh, ciLevel, unit, method, notes } = measure;
  const name = `${measure.metric} ${measure.statistic}`;
  expect(method, name).toMatch(/^[a-z][a-z0-9_]*$/);
  for (const { code } of notes) expect(code, name).toMatch(/^[a-z][a-z0-9_]*$/);
  if (value === null) expect(notes, name).not.toEqual([]);
  const broken = Object.entries({
    n: Number.isInteger(n) && n >= 0,
    finite: value === null || Number.isFinite(value),
    nothing: value === null || n > 0 || /^(real_time|.*\/s)$/.test(unit),
    share: value === null || unit !== '1' || (value >= 0 && value <= 1),
    interval: [ciLow, ciHigh].every((end) => end === null || Number.isFinite(end)),
    level: ciLevel === (ciLow === null && ciHigh === null ? null : 0.95),
    low: value === null || ciLow === null || ciLow <= value + 1e-12,
    high: value === null || ciHigh === null || ciHigh >= value - 1e-12,
  }).flatMap(([rule, holds]) => (holds ? [] : [rule]));
  expect(broken, name).toEqual([]);
}
