import { median } from '../../statistics/samples/quantile.ts';
import { sortSample } from '../../statistics/samples/sorted-sample.ts';
import type { EffectiveSample } from '../analysis.ts';
import { groupBy } from '../grouping.ts';
import type { CoarsePolls } from '../warning-codes/load-warning.ts';
import type { WarningRule } from './evidence.ts';

/** Of a median latency, what polls may leave open before it is said. */
const MOST_LEFT_OPEN = 0.1;

/** Polls so far apart that latencies are those of the polls as much as those of the service. */
export const coarsePolls: WarningRule = ({ trials, variants }) => {
  const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
  return variants.flatMap(({ name, target }): CoarsePolls[] => {
    // Each step of a sweep has latencies of its own.
    const loads = groupBy(byVariant.get(name) ?? [], ({ sample }) => sample.trial.step ?? null);
    const coarse = [...loads].flatMap(([step, own]) => {
      const found = gapOf(own);
      return found === null || found.gapMs <= MOST_LEFT_OPEN * found.medianMs ? [] : [{ step, ...found }];
    });
    const [worst] = [...coarse].sort((a, b) => b.gapMs / b.medianMs - a.gapMs / a.medianMs);
    return worst === undefined ? [] : [{ code: 'coarse_polls', variant: name, target, ...worst }];
  });
};

interface Gap {
  /** From the last poll that said not yet to the one that said done, the median. */
  readonly gapMs: number;
  readonly medianMs: number;
}

function gapOf(samples: readonly EffectiveSample[]): Gap | null {
  const polled = samples.filter(({ outcome, sample }) => outcome === 'ok' && sample.polls > 0);
  const gapMs = median(
    sortSample(
      polled.flatMap(({ timings: { generationMs: high, generationLowMs: low } }) =>
        high === null || low === null ? [] : [high - low],
      ),
    ),
  );
  const medianMs = median(
    sortSample(polled.flatMap(({ timings: { totalMs } }) => (totalMs === null ? [] : [totalMs]))),
  );
  return gapMs === null || medianMs === null ? null : { gapMs, medianMs };
}
