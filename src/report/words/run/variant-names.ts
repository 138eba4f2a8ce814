import { listed } from '../../../text/listed.ts';
import { count, plural } from '../../../text/quantity.ts';

/** More names than this are a number. */
export const MOST_NAMES = 6;

/**
 * Variants in a sentence: `fast and fast-lcm`; of more than six how many: `all 40 variants`, `38 of 40 variants`.
 *
 * @param ofAll how many the sentence may speak of; null where the reader need not know: `38 variants`
 */
export function variantNames(names: readonly string[], ofAll: number | null): string {
  if (names.length <= MOST_NAMES) return listed(names);
  if (ofAll === null) return plural(names.length, 'variant');
  return names.length === ofAll
    ? `all ${plural(ofAll, 'variant')}`
    : `${count(names.length)} of ${plural(ofAll, 'variant')}`;
}

/**
 * Variants that a sentence speaks of one by one, never as if they were equal to each other: `each variant`,
 * `each of fast and fast-lcm`, `each of 38 variants`; one by its name.
 */
export function eachVariant(names: readonly string[], ofAll: number): string {
  if (names.length === 1) return variantNames(names, ofAll);
  return names.length === ofAll ? 'each variant' : `each of ${variantNames(names, null)}`;
}
