import { groupBy } from '../grouping.ts';
import { pollGapOf } from '../samples/poll-gap.ts';
import type { WarningOf } from '../warning-codes/coded-warning.ts';
import type { WarningRule } from './evidence.ts';

/** The share of a median latency that polls may leave open without a warning. */
const MOST_LEFT_OPEN = 0.1;

/** Polls so far apart that latencies are those of the polls as much as those of the service. */
export const coarsePolls: WarningRule = ({ trials, variants }) => {
  const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
  return variants.flatMap(({ name, target }): WarningOf<'coarse_polls'>[] => {
    // Each step of a sweep has latencies of its own.
    const loads = groupBy(byVariant.get(name) ?? [], ({ sample }) => sample.trial.step ?? null);
    const coarse = [...loads].flatMap(([step, own]) => {
      const found = pollGapOf(own);
      return found === null || found.gapMs <= MOST_LEFT_OPEN * found.medianMs ? [] : [{ step, ...found }];
    });
    const [worst] = [...coarse].sort((a, b) => b.gapMs / b.medianMs - a.gapMs / a.medianMs);
    return worst === undefined ? [] : [{ code: 'coarse_polls', variant: name, target, ...worst }];
  });
};
