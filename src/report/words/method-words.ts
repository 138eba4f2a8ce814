import type { MethodCode } from '../../analysis/measures/method.ts';

/** What a code of a method means. */
const WORDS: Readonly<Record<MethodCode, string>> = {
  order_statistics:
    'sample median, other quantiles Hyndman-Fan type 8; interval from order statistics, exact for independent takes, wider and no longer exact where takes depend on those before',
  mean: 'arithmetic mean',
  minimum: 'minimum',
  maximum: 'maximum',
  clopper_pearson: 'interval of Clopper and Pearson over n; conservative where prompts have rates of their own',
  clopper_pearson_upper: 'one-sided 95 % bound of Clopper and Pearson, n = takes - cells',
  korn_graubard: 'for other prompts: Clopper-Pearson on n/deff after Korn and Graubard (1998), prompts as clusters',
  jackknife_t:
    'ok outputs per second while all slots are full; interval by leaving out one slice at a time (at one in flight one take), with Student’s t',
  bracket:
    'slices too short for one number: from the lower 97.5 % limit of ok outputs over whole slices to the upper of concurrency over mean latency',
  full_slots: 'ok outputs per second while all slots are full',
  done_while_due: 'ok outputs done by the last due time, per second from the first',
  power: 'most throughput per median latency (power, Kleinrock 1979), as far as intervals tell',
  hodges_lehmann: 'median of the means of all pairs (Hodges and Lehmann)',
  count: 'a share that is counted',
  equal_pairs: 'equal pairs of takes within cells',
  departures_of_takes: "takes that are not their cell's usual output",
  distinct_outputs: 'distinct outputs of each cell, summed over n cells',
  first_warmup: 'of latency.cold, the first warm-up',
  spend_per_output: 'spend / ok outputs',
  over_outputs: 'over outputs, each take counting',
};

/** A method in words. */
export function methodWords(method: MethodCode): string {
  return WORDS[method];
}
