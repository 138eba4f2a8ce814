import { median, quantileInterval, sortSample } from '../../statistics/quantile.ts';
import type { Load } from '../../suite/load.ts';
import { CONFIDENCE } from '../confidence.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { headlineValues } from '../samples/headline.ts';
import type { MedianLatency } from '../summaries.ts';
import { dependenceOf, worth } from './dependence.ts';

/** @param samples in the order they were sent */
export function medianLatency(samples: readonly EffectiveSample[], load: Load): MedianLatency {
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

function finite(value: number | null): number | null {
  return value === Infinity ? null : value;
}
