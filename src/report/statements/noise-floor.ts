import type { Analysis, VariantSummary } from '../../analysis/analysis.ts';
import { indistinctGroups } from '../../compare/noise-floor.ts';
import { count, duration, listedInShort } from '../../text/wording.ts';

/** For variants that this machine may not tell apart. Holds hostile text: names of variants. */
export function indistinctVariants(
  analysis: Pick<Analysis, 'measures' | 'run'>,
  variants: readonly Pick<VariantSummary, 'name'>[],
): readonly string[] {
  const floor = duration(analysis.run.calibration?.floorMs ?? 0);
  return indistinctGroups(analysis, variants).map(
    ({ step, variants: group }) =>
      `The difference between ${step === null ? '' : `p50 at concurrency ${count(step)} of `}${listedInShort(group)} may come from this machine: ` +
      `their medians differ by less than its noise floor of ${floor}, and their intervals overlap.`,
  );
}
