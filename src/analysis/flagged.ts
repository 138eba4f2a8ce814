import { median } from '../statistics/samples/quantile.ts';
import { quantileInterval } from '../statistics/samples/quantile-interval.ts';
import { sortSample } from '../statistics/samples/sorted-sample.ts';
import type { Load } from '../suite/format/suite.ts';
import type { EffectiveSample, FlaggedSummary, MedianLatency, VariantSummary } from './analysis.ts';
import { compareCodeUnits } from './code-units.ts';
import { CONFIDENCE } from './confidence.ts';
import { groupBy } from './grouping.ts';
import { dependenceOf, worth } from './measures/dependence.ts';
import { isBent } from './samples/bent.ts';
import { headlineValues } from './samples/headline.ts';

/**
 * What flags do to the median latency, for each variant (of a sweep, each of its steps) with flagged trials: with them,
 * without them, and whether the two agree. Leaving flagged samples out is no better number, since long calls are
 * flagged more often; where it makes another one, neither is to be trusted.
 */
export function flaggedSummaries(
  variants: readonly VariantSummary[],
  trials: readonly EffectiveSample[],
  load: Load,
): FlaggedSummary[] {
  const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
  return variants.flatMap(({ name }) => {
    const steps = groupBy(byVariant.get(name) ?? [], ({ sample }) => sample.trial.step ?? null);
    return [...steps]
      .sort(([a], [b]) => (a ?? 0) - (b ?? 0))
      .flatMap(([step, own]) => {
        const flagged = own.filter(isBent);
        if (flagged.length === 0) return [];
        const everything = medianOf(own, load);
        const unflagged = medianOf(
          own.filter((each) => !isBent(each)),
          load,
        );
        return [
          {
            variant: name,
            step,
            flags: countFlags(flagged),
            samples: flagged.length,
            ofSamples: own.length,
            blocks: blocksOf(flagged),
            ofBlocks: blocksOf(own),
            withFlagged: everything,
            withoutFlagged: unflagged,
            agree: agree(everything, unflagged),
          },
        ];
      });
  });
}

function countFlags(flagged: readonly EffectiveSample[]): Readonly<Record<string, number>> {
  const names = [...new Set(flagged.flatMap(({ flags }) => flags))].sort(compareCodeUnits);
  return Object.fromEntries(names.map((name) => [name, flagged.filter(({ flags }) => flags.includes(name)).length]));
}

function blocksOf(samples: readonly EffectiveSample[]): number {
  return new Set(samples.map(({ sample }) => sample.trial.block)).size;
}

function medianOf(samples: readonly EffectiveSample[], load: Load): MedianLatency {
  const values = sortSample(headlineValues(samples, load));
  const interval = quantileInterval(values, 50, CONFIDENCE, worth(values.length, dependenceOf(samples, load)));
  return {
    valueMs: finite(median(values)),
    // An interval with a time-out at its lower end says nothing.
    lowMs: finite(interval?.low ?? null),
    highMs: finite(interval?.high ?? null),
    n: values.length,
  };
}

/** Two intervals that have nothing in common disagree; without both it is not known. An open upper end is above all. */
function agree(a: MedianLatency, b: MedianLatency): boolean | null {
  if (a.lowMs === null || b.lowMs === null) return null;
  return a.lowMs <= (b.highMs ?? Infinity) && b.lowMs <= (a.highMs ?? Infinity);
}

function finite(value: number | null): number | null {
  return value === Infinity ? null : value;
}
