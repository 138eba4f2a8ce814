import type { Percent } from '../../statistics/samples/quantile.ts';
import type { GateEvent } from '../../suite/format/gate.ts';
import type { ProbeKind } from '../../suite/format/suite.ts';
import type { EffectiveSample } from '../effective-sample.ts';

/** What a rule of a gate may ask of a metric. */
export interface Gated {
  /** The statistics that `max` and `min` may bound; a rule that names none means the first. */
  readonly statistics: readonly GatedStatistic[];
  /** The event that `none` forbids; its first statistic counts them. */
  readonly event?: GateEvent;
  /** What rules name a limit of in `over`, and the statistic `at` one; left out where a limit has no meaning. */
  readonly over?: { readonly statistic: string; readonly at: (limitMs: number) => string };
  /**
   * What it is made of, where that depends on when calls are sent. Latencies drift with the service, and polls that lie far apart make
   * them; of variants in flight together neither latencies nor completions tell about one of them.
   */
  readonly madeOf?: 'latencies' | 'completions';
  /** It is of all that a variant does, so that no rule can be narrowed to prompts. */
  readonly ofVariant?: true;
  /** What a plan must have, or there is nothing to decide on. */
  readonly needs?: 'open_load' | 'repeats' | ProbeKind;
}

/** Why no rule can be decided by a metric: it stands on one call, or is an estimate without an interval, or of a sweep. */
export interface Ungated {
  readonly never: 'one_call' | 'no_interval' | 'of_a_sweep';
}

/** A statistic with how its one-sided bounds are made. */
export interface GatedStatistic {
  readonly statistic: string;
  readonly bounded: Bounded;
}

export type Bounded =
  /** A quantile of what is read from takes: by order statistics. `dependsOn`: what tells how many independent takes these are worth. */
  | {
      readonly by: 'takes';
      readonly percent: Percent;
      readonly read: (take: EffectiveSample) => number | null;
      readonly dependsOn: 'latencies' | 'own_values';
    }
  /**
   * The share of events that its finding counts: by Clopper and Pearson. `cells`: with more takes of each a cell has events more
   * easily, so that looks before the last would decide on another number.
   */
  | { readonly by: 'events'; readonly among: 'takes' | 'repeats' | 'cells' }
  /** As its finding says: a value that is counted by itself, an estimate by the ends of its interval. */
  | { readonly by: 'finding' };

/** The quantiles of what is read from takes. */
export function gatedQuantiles(
  read: (take: EffectiveSample) => number | null,
  percents: readonly Percent[],
  dependsOn: 'latencies' | 'own_values' = 'latencies',
): readonly GatedStatistic[] {
  return percents.map((percent) => ({ statistic: `p${percent}`, bounded: { by: 'takes', percent, read, dependsOn } }));
}

/** Statistics that are decided as their findings say. */
export function gatedFindings(...statistics: readonly string[]): readonly GatedStatistic[] {
  return statistics.map((statistic) => ({ statistic, bounded: { by: 'finding' } }));
}
