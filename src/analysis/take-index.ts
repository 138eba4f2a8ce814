import { groupBy } from '../kit/grouping.ts';
import type { EffectiveSample, TimedSample } from './effective-sample.ts';

/** Takes by what is asked for most: grouped once for a run, so that each reader does not group them again. */
export interface TakeIndex<Take extends EffectiveSample = TimedSample> {
  /** In the given order, which is that of sending. */
  readonly all: readonly Take[];
  readonly ofVariant: (variant: string) => readonly Take[];
  /** By step of a sweep, ascending; one group with `null` where there is none. */
  readonly bySteps: (variant: string) => readonly (readonly [step: number | null, takes: readonly Take[]])[];
}

export function indexTakes<Take extends EffectiveSample>(all: readonly Take[]): TakeIndex<Take> {
  const byVariant = groupBy(all, ({ sample }) => sample.trial.variant);
  const ofVariant = (variant: string): readonly Take[] => byVariant.get(variant) ?? [];
  return {
    all,
    ofVariant,
    bySteps: (variant) =>
      [...groupBy(ofVariant(variant), ({ sample }) => sample.trial.step ?? null)].sort(
        ([a], [b]) => (a ?? 0) - (b ?? 0),
      ),
  };
}
