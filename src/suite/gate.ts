/** What a variant is compared with: the baseline variant of its run, a stored baseline, or its earlier runs. */
export const AGAINST = ['variant', 'baseline', 'history'] as const;

export const GATE_EVENTS = ['departure', 'error', 'blocked', 'change'] as const;
export type GateEvent = (typeof GATE_EVENTS)[number];

/** Whether a rule is a claim, which is decided pair after pair. */
export function isClaim({ rule }: { readonly rule: { readonly bound: { readonly is: string } } }): boolean {
  return rule.bound.is === 'claim';
}
