import { groupBy } from '../kit/grouping.ts';
import { cellOf } from '../plan/plan.ts';
import type { Baseline, BaselineCell, BaselineOutput } from '../record/kept-run.ts';
import { outputGroupsOf } from '../record/output-pairs.ts';
import type { Run } from '../record/run.ts';
import { BASELINE_FORMAT } from '../record/run-name.ts';
import { extendedMedian } from '../statistics/quantile.ts';
import type { AnalysedRun } from './analyse.ts';
import { deliveredDigest } from './cells/cell-outputs.ts';
import type { TimedSample } from './effective-sample.ts';
import type { Metric } from './metric.ts';

/** What a stored baseline keeps of a run. */
export function baselineFrom(run: Run, analysed: AnalysedRun, metrics: readonly Metric[]): Baseline {
  const { measures } = analysed.analysis;
  // Twins come from an older baseline.
  const variants = run.variants.filter(({ twinOf }) => twinOf === null);
  const names = new Set(variants.map(({ name }) => name));
  return {
    format: BASELINE_FORMAT,
    run: run.id,
    createdAt: run.createdAt,
    retake: run.machine.retake,
    suite: {
      name: run.suite.name,
      digest: run.suite.digest,
      declared: run.suite.declared,
      environment: run.suite.environment,
    },
    targets: run.targets
      .filter(({ id }) => variants.some(({ target }) => target === id))
      .map(({ id, digest, declared, storedBody, environment }) => ({ id, digest, declared, storedBody, environment })),
    machine: run.machine,
    floorMs: run.calibration?.floorMs ?? null,
    variants: variants.map(({ name, kind, target, baseline, constants, baseUrl }) => ({
      name,
      kind,
      target,
      baseline,
      constants,
      baseUrl,
    })),
    prompts: run.prompts.map(({ id, text, image, inputs }) => ({ id, text, image, inputs })),
    measures: measures
      .filter(({ prompt, variant }) => prompt === null && names.has(variant))
      .map(({ variant, step, metric, statistic, value, unit, n, ciLow, ciHigh }) => ({
        variant,
        step,
        metric,
        statistic,
        value,
        unit,
        n,
        ciLow,
        ciHigh,
      })),
    cells: keptCells(analysed, metrics),
  };
}

/** The cells of the run's own variants. Cells of a sweep have no values: takes of all steps share a cell. */
export function keptCells({ analysis, trials }: AnalysedRun, metrics: readonly Metric[]): readonly BaselineCell[] {
  const taken = groupBy(trials, ({ sample }) => cellOf(sample.trial));
  const names = new Set(analysis.variants.filter(({ twinOf }) => twinOf === null).map(({ name }) => name));
  return analysis.cells.flatMap(({ variant, kind, prompt, seed }): BaselineCell[] => {
    if (!names.has(variant)) return [];
    const takes = taken.get(cellOf({ variant, prompt, seed })) ?? [];
    if (takes.length === 0) return [];
    const steps = new Set(takes.map(({ sample }) => sample.trial.step ?? null));
    return [
      {
        variant,
        kind,
        prompt,
        seed,
        takes: takes.length,
        censored: takes.filter(({ outcome }) => outcome === 'timed_out').length,
        values: steps.size > 1 ? {} : valuesOf(takes, metrics),
        outputs: outputsOf(takes),
      },
    ];
  });
}

function valuesOf(takes: readonly TimedSample[], metrics: readonly Metric[]): Readonly<Record<string, number>> {
  const values = metrics.flatMap((metric) => {
    const reading = metric.takes?.find(({ effect }) => effect !== 'rate');
    if (reading === undefined || reading.effect === 'rate') return [];
    const { read } = reading;
    const counted = takes.filter(({ timed }) => metric.whenCached !== 'first_takes' || timed);
    const middle = extendedMedian(counted.map(read).filter((value) => value !== null));
    return middle === null || !Number.isFinite(middle) ? [] : [[metric.name, middle] as const];
  });
  return Object.fromEntries(values);
}

function outputsOf(takes: readonly TimedSample[]): readonly BaselineOutput[] {
  const ordered = takes.toSorted(({ sample: { trial: a } }, { sample: { trial: b } }) => a.repeat - b.repeat);
  const shown = new Map(ordered.flatMap(({ output }) => (output === null ? [] : [[output.sha256, output.shown]])));
  const digests = ordered.map(deliveredDigest).filter((digest) => digest !== null);
  return outputGroupsOf(digests).map(({ sha256, takes: count }) => {
    const facts = shown.get(sha256) ?? null;
    return {
      sha256,
      pixelSha256: facts?.pixelSha256 ?? null,
      pdq: facts?.pdq ?? null,
      pdqQuality: facts?.pdqQuality ?? null,
      takes: count,
    };
  });
}
