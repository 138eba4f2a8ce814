import type { RunVariant, Spend } from '../../record/run.ts';
import { addSpend, NO_SPEND, priceOf, spendOf } from '../../record/spend.ts';
import type { StoredRun } from '../../record/stored-run.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import { declaredCostUsd } from './declared-cost.ts';

/** Counts every request, also warm-ups, probes and failures. `replaced`: by a later sample of their trial. */
export function spendByVariant(
  { run, intents }: Pick<StoredRun, 'run' | 'intents'>,
  effective: readonly EffectiveSample[],
  replaced: readonly EffectiveSample[],
): ReadonlyMap<string, Spend> {
  const all = [...effective, ...replaced];
  const isPriced =
    run.variants.some(({ price }) => price !== null) || all.some(({ sample }) => sample.reported.costUsd !== null);
  if (!isPriced) return new Map();
  const mostUsd = new Map(intents.map((intent) => [intent.trial.id, intent.mostUsd ?? null]));
  const samplesOf = groupBy(all, ({ sample }) => sample.trial.variant);
  const chargeOf = (variant: RunVariant, { sample, output }: EffectiveSample): Spend => {
    const price = priceOf(variant);
    const examinedUsd = declaredCostUsd(price, sample, output);
    return spendOf({ sample, price, mostUsd: mostUsd.get(sample.trial.id) ?? null, examinedUsd });
  };
  return new Map(
    run.variants.map((variant) => [
      variant.name,
      addSpend([
        ...(samplesOf.get(variant.name) ?? []).map((sample) => chargeOf(variant, sample)),
        ...(run.merged?.shards ?? []).map(({ spendLeftOut }) => spendLeftOut[variant.name] ?? NO_SPEND),
      ]),
    ]),
  );
}
