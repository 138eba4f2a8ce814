import type { Load } from '../../suite/load.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { compareCodeUnits, groupBy } from '../grouping.ts';
import { medianLatency } from '../medians.ts';
import type { FlaggedSummary, MedianLatency, VariantSummary } from '../summaries.ts';
import { isBent } from './bent.ts';

/** The medians with and without flagged takes. The latter is no better: long calls are flagged more often. */
export function flaggedSummaries(
  variants: readonly VariantSummary[],
  trials: readonly EffectiveSample[],
  load: Load,
): FlaggedSummary[] {
  const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
  return variants.flatMap(({ name }) => {
    const steps = groupBy(byVariant.get(name) ?? [], ({ sample }) => sample.trial.step ?? null);
    return [...steps]
      .sort(([a], [b]) => (a ?? 0) - (b ?? 0))
      .flatMap(([step, takes]) => {
        const flagged = takes.filter(isBent);
        if (flagged.length === 0) return [];
        const everything = medianLatency(takes, load);
        const unflagged = medianLatency(
          takes.filter((take) => !isBent(take)),
          load,
        );
        return [
          {
            variant: name,
            step,
            flags: countFlags(flagged),
            samples: flagged.length,
            ofSamples: takes.length,
            blocks: blocksOf(flagged),
            ofBlocks: blocksOf(takes),
            withFlagged: everything,
            withoutFlagged: unflagged,
            agree: agree(everything, unflagged),
          },
        ];
      });
  });
}

function countFlags(flagged: readonly EffectiveSample[]): Readonly<Record<string, number>> {
  const names = [...new Set(flagged.flatMap(({ flags }) => flags))].sort(compareCodeUnits);
  return Object.fromEntries(names.map((name) => [name, flagged.filter(({ flags }) => flags.includes(name)).length]));
}

function blocksOf(samples: readonly EffectiveSample[]): number {
  return new Set(samples.map(({ sample }) => sample.trial.block)).size;
}

/** Disjoint intervals disagree; null if one is missing. An open upper end is infinite. */
function agree(a: MedianLatency, b: MedianLatency): boolean | null {
  if (a.lowMs === null || b.lowMs === null) return null;
  return a.lowMs <= (b.highMs ?? Infinity) && b.lowMs <= (a.highMs ?? Infinity);
}
