/** A pass must exclude this multiple of the rule's limit. */
export const EXCLUDED_MULTIPLE = 3;

/** |ln ratio| of a share: ln(1 + share) of an increase, -ln(1 - share) of a decrease. `Infinity` from a share of 1. */
export function lnWorsening(worse: 'increase' | 'decrease', share: number): number {
  if (worse === 'increase') return Math.log1p(share);
  return share >= 1 ? Infinity : -Math.log1p(-share);
}
