/** What a code of a method means. */
const WORDS: Readonly<Record<string, string>> = {
  order_statistics:
    'sample median, other quantiles Hyndman-Fan type 8; interval from order statistics, exact for independent takes, wider and no longer exact where takes depend on those before',
  mean: 'arithmetic mean',
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
  departures_of_takes: "takes that are not their cell's usual output",
};

/** A method in words; text that is no code of ours stands as it is. */
export function methodWords(method: string): string {
  return WORDS[method] ?? method;
}
