import type { MethodCode } from '../analysis/method.ts';
import type { UnitKind } from '../analysis/pair-units.ts';
import type { Unit } from '../kit/value-words.ts';

export const METHOD_WORDS: Readonly<Record<MethodCode, string>> = {
  order_statistics:
    'sample median; other quantiles: Hyndman-Fan type 8; interval from order statistics: exact for independent takes, wider and not exact where takes depend on each other',
  mean: 'arithmetic mean',
  minimum: 'minimum',
  maximum: 'maximum',
  clopper_pearson: 'Clopper-Pearson interval over n; conservative where rates differ between prompts',
  clopper_pearson_upper: 'one-sided 95 % Clopper-Pearson bound, n = takes - cells',
  korn_graubard: 'for other prompts: Clopper-Pearson on n/deff, with prompts as clusters (Korn and Graubard 1998)',
  jackknife_t:
    'ok outputs per second while all slots are full; interval: jackknife over slices (at concurrency 1: over takes) with Student’s t',
  bracket:
    'slices are too short for one number; two bounds: the lower 97.5 % limit of ok outputs over whole slices, and the upper one of concurrency / mean latency',
  full_slots: 'ok outputs per second while all slots are full',
  done_while_due: 'ok outputs done by the last due time, per second since the first due time',
  power: 'highest throughput / median latency (power, Kleinrock 1979), where intervals separate the steps',
  hodges_lehmann: 'Hodges-Lehmann: median of the means of all pairs',
  student: 'mean over cells, each the mean over its takes; interval: Student’s t over cells',
  count: 'a counted share',
  equal_pairs: 'equal pairs of takes within cells',
  departures_of_takes: "takes that differ from their cell's usual output",
  distinct_outputs: 'distinct outputs of each cell, summed over n cells',
  first_warmup: 'latency.cold: the first warm-up',
  spend_per_output: 'spend / ok outputs',
  sum: 'sum over all requests of known cost',
  over_outputs: 'over the outputs of all takes',
};

export const UNIT_WORDS: Readonly<Record<Unit, string>> = {
  ms: 'ms',
  '1': '1',
  '1/s': '1/s',
  usd: 'usd',
  outputs: 'outputs',
  in_flight: 'in flight',
  levels: 'levels',
  levels2: 'levels²',
  score: 'score',
};

const RATIO_OF: Readonly<Record<UnitKind, string>> = {
  blocks: 'a block (the same prompt, seed and repeat)',
  rounds: 'a round (a few prompts and seeds that all variants take in turn), the median over its blocks',
  cells: 'a cell pair (the same prompt and seed), the median over its takes',
  prompts: 'a prompt, the mean over its cell pairs',
};

const PLURALS: Readonly<Record<UnitKind, string>> = {
  blocks: 'blocks',
  rounds: 'rounds',
  cells: 'cell pairs',
  prompts: 'prompts',
};

/** In plain words; the number is not the median of the ratios. */
export function estimatorWords(units: UnitKind): string {
  return `the typical ratio of latencies in ${RATIO_OF[units]}. It is the Hodges-Lehmann estimate: each two ${PLURALS[units]} have a mean ratio, and the estimate is the median of these means`;
}

/** Estimate, interval and test, as a paper states them. */
export function comparisonMethodWords(units: UnitKind): string {
  return `Variants are compared by ln(latency / latency of the baseline variant) of ${RATIO_OF[units]}. Estimate: Hodges-Lehmann, the median of the means of all pairs of ${PLURALS[units]}, each with itself too (Hodges and Lehmann 1963). Interval: 95 %, two-sided, from the Walsh averages (Tukey 1949). Test: Wilcoxon signed rank, two-sided, exact up to 50 ${PLURALS[units]} (Wilcoxon 1945); not adjusted for several comparisons. Both are turned into ratios by exp; speed is one over the ratio`;
}
