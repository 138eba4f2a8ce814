/** How a value and its interval are made. Words for it are the reports' business (report/words/measures/method-words.ts). */
export type MethodCode =
  | 'order_statistics'
  | 'mean'
  | 'minimum'
  | 'maximum'
  | 'clopper_pearson'
  | 'clopper_pearson_upper'
  | 'korn_graubard'
  | 'jackknife_t'
  /** Throughput that is only known to lie between two bounds. */
  | 'bracket'
  | 'full_slots'
  | 'done_while_due'
  /** The most throughput per median latency. */
  | 'power'
  | 'hodges_lehmann'
  /** A share that is counted, without an interval. */
  | 'count'
  | 'equal_pairs'
  | 'departures_of_takes'
  | 'distinct_outputs'
  | 'first_warmup'
  | 'spend_per_output'
  | 'sum'
  /** A statistic over all outputs, each take counting. */
  | 'over_outputs';
