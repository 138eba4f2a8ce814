/** What a variant is held against: the baseline variant of its run, a stored baseline, or its own earlier runs. */
export const AGAINST = ['variant', 'baseline', 'history'] as const;

/** What a rule with `none` does not allow. */
export const GATE_EVENTS = ['departure', 'error', 'blocked', 'change'] as const;
export type GateEvent = (typeof GATE_EVENTS)[number];
