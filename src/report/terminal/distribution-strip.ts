import { headlineMs, type TimedSample } from '../../analysis/effective-sample.ts';
import { type DurationUnit, durationInterval } from '../../kit/wording.ts';
import type { Load } from '../../suite/load.ts';
import { bar } from '../paint.ts';

export interface Strips {
  /** `96.1–487 ms`. */
  readonly axis: string;
  /** Empty where the variant delivered nothing. */
  readonly of: (variant: string) => string;
}

/** The axis is logarithmic from this ratio of the slowest to the fastest take. */
const LOGARITHMIC_FROM = 20;

/** Each strip is as high as its fullest bar; time-outs are not drawn. @param columns of a strip */
export function distributionStrips(
  variants: readonly { readonly name: string }[],
  samples: readonly TimedSample[],
  { load, unit }: { readonly load: Pick<Load, 'mode'>; readonly unit: DurationUnit },
  columns: number,
): Strips | null {
  const latencies = new Map<string, number[]>(variants.map(({ name }) => [name, []]));
  let [low, high] = [Infinity, 0];
  for (const effective of samples) {
    const own = latencies.get(effective.sample.trial.variant);
    const ms = effective.timed && effective.outcome === 'ok' ? headlineMs(effective, load) : null;
    if (own === undefined || ms === null) continue;
    own.push(ms);
    [low, high] = [Math.min(low, ms), Math.max(high, ms)];
  }
  if (low > high) return null;
  const scale = low > 0 && high / low >= LOGARITHMIC_FROM ? Math.log : Number;
  const span = scale(high) - scale(low);
  const binOf = (ms: number) =>
    span === 0 ? 0 : Math.min(columns - 1, Math.floor(((scale(ms) - scale(low)) / span) * columns));
  return {
    axis: durationInterval(low, high, unit).replace(' – ', '–'),
    of: (variant) => {
      const bins = Array.from({ length: columns }, () => 0);
      for (const ms of latencies.get(variant) ?? []) {
        const bin = binOf(ms);
        bins[bin] = (bins[bin] ?? 0) + 1;
      }
      const most = Math.max(...bins);
      return bins.map((takes) => (takes === 0 ? ' ' : bar(takes / most))).join('');
    },
  };
}
