import type { Sample } from '../../record/journal.ts';
import { deliveredUsd } from '../../record/spend.ts';
import type { Price } from '../../suite/load.ts';
import type { EffectiveOutput } from '../effective-sample.ts';

/** US dollars; null without a price, if the priced quantity was not measured, or for a failure priced per output. */
export function declaredCostUsd(price: Price | null, sample: Sample, output: EffectiveOutput | null): number | null {
  if (price === null) return null;
  if (sample.outcome === 'dropped') return 0; // Nothing of it was sent.
  switch (price.per) {
    case 'request':
      return price.usd * sample.attempts;
    case 'output':
      return deliveredUsd(price, sample);
    case 'megapixel':
    case 'second': {
      const units = output === null ? null : examinedUnits(price.per, output);
      return units === null ? deliveredUsd(price, sample) : price.usd * units;
    }
  }
}

/** Null if the output was not decoded: then the header may give the units. */
function examinedUnits(
  per: 'megapixel' | 'second',
  { items, width, height, durationS }: EffectiveOutput,
): number | null {
  if (per === 'second') return durationS === null ? null : items * durationS;
  return width === null || height === null ? null : (items * width * height) / 1e6;
}
