import { binomialUpperTail } from '../distributions/binomial.ts';

/**
 * The exact test of McNemar (Psychometrika 12, 1947, 153-157) on pairs that disagree: `risen` one way, `fallen` the
 * other, equally likely under the null. `greater`: p against more risen than fallen.
 */
export function exactMcNemar(
  risen: number,
  fallen: number,
): { readonly greater: number; readonly less: number; readonly twoSided: number } {
  const discordant = risen + fallen;
  const greater = binomialUpperTail(risen, discordant, 0.5);
  const less = binomialUpperTail(fallen, discordant, 0.5);
  return { greater, less, twoSided: Math.min(1, 2 * Math.min(greater, less)) };
}
