import type { MethodCode } from '../../../analysis/measures/method.ts';

const WORDS: Readonly<Record<MethodCode, string>> = {
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
  count: 'a counted share',
  equal_pairs: 'equal pairs of takes within cells',
  departures_of_takes: "takes that differ from their cell's usual output",
  distinct_outputs: 'distinct outputs of each cell, summed over n cells',
  first_warmup: 'latency.cold: the first warm-up',
  spend_per_output: 'spend / ok outputs',
  sum: 'sum over all requests of known cost',
  over_outputs: 'over the outputs of all takes',
};

export function methodWords(method: MethodCode): string {
  return WORDS[method];
}
