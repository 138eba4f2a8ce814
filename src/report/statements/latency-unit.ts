import type { Analysis } from '../../analysis/analysis.ts';
import { groupBy } from '../../analysis/grouping.ts';
import { headlineLatency } from '../../analysis/samples/headline.ts';
import { type DurationUnit, durationUnit } from '../../text/wording.ts';
import { sweepSteps } from '../words/run/load-words.ts';
import { measuresOf } from './statement.ts';

/** The unit of the longest median of each kind. A median among time-outs counts as its lower bound. */
export function latencyUnits(
  analysis: Pick<Analysis, 'measures' | 'variants' | 'run'>,
): (variant: string) => DurationUnit {
  const { load } = analysis.run.plan;
  const measures = measuresOf(analysis);
  const metric = headlineLatency(load);
  const units = new Map<string, DurationUnit>();
  for (const own of groupBy(analysis.variants, ({ kind }) => kind).values()) {
    const medians = own.flatMap(({ name }) =>
      (sweepSteps(load) ?? [null]).map((step) => {
        const measure = measures(name, metric, 'p50', step);
        const above = measure?.notes.flatMap((note) => (note.code === 'censored_above_ms' ? [note.value] : []));
        return measure?.value ?? above?.[0] ?? null;
      }),
    );
    const unit = durationUnit(medians);
    for (const { name } of own) units.set(name, unit);
  }
  return (variant) => units.get(variant) ?? 'ms';
}
