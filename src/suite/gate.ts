/** What a variant is compared with: the baseline variant of its run, a stored baseline, or its earlier runs. */
export const AGAINST = ['variant', 'baseline', 'history'] as const;

export const GATE_EVENTS = ['departure', 'error', 'blocked', 'change'] as const;
export type GateEvent = (typeof GATE_EVENTS)[number];
