import type { Trial } from '../trial.ts';

/** How long calls were in flight, by variant and concurrency. */
export interface SlotTimes {
  readonly add: (trial: Pick<Trial, 'variant' | 'phase'>, concurrency: number, ms: number) => void;
  /**
   * The mean of a variant at a concurrency. Without calls there: its warm-ups, scaled as other variants' later calls
   * were; else its mean at another concurrency, scaled as other variants' are. Null if unknown, and after only
   * warm-ups: the first call of a service may be its longest.
   */
  readonly meanMs: (variant: string, concurrency: number) => number | null;
  /** Of all but warm-ups. */
  readonly overallMs: () => number | null;
}

interface Sum {
  calls: number;
  ms: number;
}

type Sums = Map<string, Map<number, Sum>>;

export function createSlotTimes(): SlotTimes {
  const measured: Sums = new Map();
  const warmups: Sums = new Map();
  const all: Sum = { calls: 0, ms: 0 };

  const meanOf = (sums: Sums, variant: string, concurrency: number): number | null =>
    mean(sums.get(variant)?.get(concurrency));

  /** The ratio of later calls to warm-ups. */
  const afterWarmup = (): number | null =>
    ratioOver(
      [...warmups].flatMap(([variant, byConcurrency]) =>
        [...byConcurrency].map(([concurrency, sum]) => [mean(sum), meanOf(measured, variant, concurrency)] as const),
      ),
    );

  const change = (from: number, to: number): number | null =>
    ratioOver([...measured.values()].map((sums) => [mean(sums.get(from)), mean(sums.get(to))] as const));

  const own = (variant: string, concurrency: number): number | null => {
    const known = meanOf(measured, variant, concurrency);
    if (known !== null) return known;
    const warm = meanOf(warmups, variant, concurrency);
    return warm === null ? null : warm * (afterWarmup() ?? 1);
  };

  const nearest = (variant: string, concurrency: number): readonly number[] => {
    const seen = [...(measured.get(variant)?.keys() ?? []), ...(warmups.get(variant)?.keys() ?? [])];
    return [...new Set(seen)].toSorted((a, b) => distance(a, concurrency) - distance(b, concurrency));
  };

  return {
    add: ({ variant, phase }, concurrency, ms) => {
      const isWarmup = phase === 'warmup';
      const own = sumOf(isWarmup ? warmups : measured, variant, concurrency);
      for (const sum of isWarmup ? [own] : [own, all]) {
        sum.calls += 1;
        sum.ms += ms;
      }
    },
    meanMs: (variant, concurrency) => {
      if (all.calls === 0) return null;
      const known = own(variant, concurrency);
      if (known !== null) return known;
      for (const other of nearest(variant, concurrency)) {
        const [base, changed] = [own(variant, other), change(other, concurrency)];
        if (base !== null && changed !== null) return base * changed;
      }
      return null;
    },
    overallMs: () => mean(all),
  };
}

function sumOf(sums: Sums, variant: string, concurrency: number): Sum {
  const byConcurrency = sums.get(variant) ?? new Map<number, Sum>();
  sums.set(variant, byConcurrency);
  const sum = byConcurrency.get(concurrency) ?? { calls: 0, ms: 0 };
  byConcurrency.set(concurrency, sum);
  return sum;
}

/** The geometric mean of after / before, over pairs with both; null if none. */
function ratioOver(pairs: readonly (readonly [before: number | null, after: number | null])[]): number | null {
  const logs = pairs.flatMap(([before, after]) =>
    before === null || after === null || before <= 0 || after <= 0 ? [] : [Math.log(after / before)],
  );
  return logs.length === 0 ? null : Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
}

function mean(sum: Sum | undefined): number | null {
  return sum === undefined || sum.calls === 0 ? null : sum.ms / sum.calls;
}

function distance(a: number, b: number): number {
  return Math.abs(Math.log(a / b));
}
