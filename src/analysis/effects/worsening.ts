/** How many times its limit a rule must exclude to pass. */
export const EXCLUDED_MULTIPLE = 3;

/**
 * ln of the ratio, without its sign, that a share makes: ln(1 + share) of an increase, -ln(1 - share) of a decrease.
 * `Infinity` where nothing can decrease that far.
 */
export function lnWorsening(worse: 'increase' | 'decrease', share: number): number {
  if (worse === 'increase') return Math.log1p(share);
  return share >= 1 ? Infinity : -Math.log1p(-share);
}
