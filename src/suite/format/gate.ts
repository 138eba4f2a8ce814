/** What a variant is held against: the baseline variant of its run, a stored baseline, or its own earlier runs. */
export const AGAINST = ['variant', 'baseline', 'history'] as const;
export type Against = (typeof AGAINST)[number];

export type Bound =
  /** The largest relative change for the worse: 0.05 is 5 %. */
  | { readonly is: 'max_increase' | 'max_decrease'; readonly share: number }
  /** The largest change for the worse of a metric that may be 0 or less, in its unit. */
  | { readonly is: 'max_increase' | 'max_decrease'; readonly amount: number }
  /** The largest rise of a rate: 0.05 is 5 percentage points. */
  | { readonly is: 'max_rise'; readonly share: number }
  /** The most or the least that passes, in the metric's unit: milliseconds, a share, dollars. */
  | { readonly is: 'max' | 'min'; readonly value: number }
  /** No such event at all. */
  | { readonly is: 'none'; readonly event: GateEvent };

/** What a rule with `none` does not allow. */
export const GATE_EVENTS = ['departure', 'error', 'blocked', 'change'] as const;
export type GateEvent = (typeof GATE_EVENTS)[number];
