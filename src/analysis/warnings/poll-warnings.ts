import { median } from '../../statistics/quantile.ts';
import { sortSample } from '../../statistics/sorted-sample.ts';
import type { JudgedSample, VariantSummary, Warning } from '../analysis.ts';
import { groupBy } from '../grouping.ts';
import { percent, roughly } from '../wording.ts';
import type { WarningRule } from './evidence.ts';

/** Of a median latency, what polls may leave open before it is said. */
const MOST_LEFT_OPEN = 0.1;

/** Polls so far apart that latencies are those of the polls as much as those of the service. */
export const coarsePolls: WarningRule = ({ trials, variants }) => {
  const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
  return variants.flatMap((variant) => {
    // Each step of a sweep has latencies of its own.
    const loads = groupBy(byVariant.get(variant.name) ?? [], ({ sample }) => sample.trial.step ?? null);
    const coarse = [...loads].flatMap(([step, own]) => {
      const found = gapOf(own);
      return found === null || found.gapMs <= MOST_LEFT_OPEN * found.medianMs ? [] : [{ step, ...found }];
    });
    const [worst] = [...coarse].sort((a, b) => b.gapMs / b.medianMs - a.gapMs / a.medianMs);
    return worst === undefined ? [] : [warningOf(variant, worst)];
  });
};

interface Gap {
  /** From the last poll that said not yet to the one that said done, the median. */
  readonly gapMs: number;
  readonly medianMs: number;
}

function gapOf(samples: readonly JudgedSample[]): Gap | null {
  const polled = samples.filter(({ outcome, sample }) => outcome === 'ok' && sample.polls > 0);
  const gapMs = median(
    sortSample(
      polled.flatMap(({ phases: { generationMs: high, generationLowMs: low } }) =>
        high === null || low === null ? [] : [high - low],
      ),
    ),
  );
  const medianMs = median(sortSample(polled.flatMap(({ phases: { totalMs } }) => (totalMs === null ? [] : [totalMs]))));
  return gapMs === null || medianMs === null ? null : { gapMs, medianMs };
}

function warningOf(
  { name, target }: VariantSummary,
  { step, gapMs, medianMs }: Gap & { step: number | null },
): Warning {
  const at = step === null ? '' : ` at ${step} in flight`;
  return {
    what: `latencies of ${name}${at} may be too long by up to ${roughly(gapMs)} (${percent(gapMs / medianMs)} of p50), the time between polls`,
    cause:
      'a result is only seen at the next poll; the time between polls is the median from the last that said "not yet" to the one that said "done"',
    remedy: `lower wait.poll.min_every in the target ${target} as far as the service allows; until then read generation_low_ms with generation_ms`,
  };
}
