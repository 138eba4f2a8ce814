import { trialHistories } from '../histories/trial-histories.ts';
import { unansweredSample } from '../histories/unanswered.ts';
import type { JournalEvent } from '../model/journal.ts';
import type { RunVariant } from '../model/run.ts';
import type { Spend } from '../model/spend.ts';
import { addSpend, priceOf, spendOf } from './charge.ts';

/** These events are not in the merged record. */
export function leftOutSpend(
  events: readonly JournalEvent[],
  variants: readonly RunVariant[],
): Readonly<Record<string, Spend>> {
  const { latest, replaced } = trialHistories(events);
  const spends = new Map<string, Spend[]>();
  for (const history of [...replaced, ...latest.values()]) {
    const sample = history.sample ?? unansweredSample(history);
    const variant = variants.find(({ name }) => name === sample?.trial.variant);
    if (sample === null || variant === undefined) continue;
    const spend = spendOf({ sample, price: priceOf(variant), mostUsd: history.intent?.mostUsd ?? null });
    spends.set(variant.name, [...(spends.get(variant.name) ?? []), spend]);
  }
  return Object.fromEntries([...spends].map(([variant, own]) => [variant, addSpend(own)]));
}
