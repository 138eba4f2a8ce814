/** What a variant is compared with: the baseline variant of its run, a stored baseline, or its earlier runs. */
export const AGAINST = ['variant', 'baseline', 'history'] as const;

/** Bounds by key: on a variant alone, or on its change. */
export const BOUNDS = {
  max: 'own',
  min: 'own',
  max_increase: 'change',
  max_decrease: 'change',
  max_rise: 'change',
  none: 'own',
} as const;

export const GATE_EVENTS = ['departure', 'error', 'blocked', 'change'] as const;
export type GateEvent = (typeof GATE_EVENTS)[number];
