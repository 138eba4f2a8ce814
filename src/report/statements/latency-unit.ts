import type { Analysis } from '../../analysis/analysis.ts';
import { headlineLatency } from '../../analysis/samples/headline.ts';
import { type DurationUnit, durationUnit } from '../../text/quantity.ts';
import { sweepSteps } from '../words/run/load-words.ts';
import { measuresOf } from './statement.ts';

/** The one unit that a page prints the headline latency in, whatever the part: it is that of the longest median. */
export function latencyUnit(analysis: Pick<Analysis, 'measures' | 'variants' | 'run'>): DurationUnit {
  const { load } = analysis.run.plan;
  const measures = measuresOf(analysis);
  const metric = headlineLatency(load);
  return durationUnit(
    analysis.variants.flatMap(({ name }) =>
      (sweepSteps(load) ?? [null]).map((step) => measures(name, metric, 'p50', step)?.value ?? null),
    ),
  );
}
