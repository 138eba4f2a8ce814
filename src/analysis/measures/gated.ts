import type { Percent } from '../../statistics/samples/quantile.ts';
import type { GateEvent } from '../../suite/format/gate.ts';
import type { ProbeKind } from '../../suite/format/suite.ts';
import type { EffectiveSample } from '../effective-sample.ts';

export interface Gated {
  /** What `max` and `min` may bound; a rule that names no statistic means the first. */
  readonly statistics: readonly GatedStatistic[];
  /** What `none` forbids; the event's first statistic counts them. */
  readonly event?: GateEvent;
  /** `over` names a limit, and `at` gives its statistic. Left out where a limit has no meaning. */
  readonly over?: { readonly statistic: string; readonly at: (limitMs: number) => string };
  /**
   * Left out where it does not matter when calls are sent. Latencies drift with the service, and polls that lie far
   * apart make them. With variants in flight together neither says anything of one variant.
   */
  readonly madeOf?: 'latencies' | 'completions';
  /** It is of all that a variant does, so no rule can be narrowed to prompts. */
  readonly ofVariant?: true;
  /** A plan without it leaves nothing to decide on. */
  readonly needs?: 'open_load' | 'repeats' | ProbeKind;
}

/** It stands on one call, or is an estimate without an interval, or of a sweep. */
export interface Ungated {
  readonly never: 'one_call' | 'no_interval' | 'of_a_sweep';
}

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
   * The share of events that its finding counts: by Clopper and Pearson. `cells`: more takes of a cell make events in
   * it likelier, so that looks before the last would decide on another number.
   */
  | { readonly by: 'events'; readonly among: 'takes' | 'repeats' | 'cells' }
  /** As its finding says: a value that is counted by itself, an estimate by the ends of its interval. */
  | { readonly by: 'finding' };

export function gatedQuantiles(
  read: (take: EffectiveSample) => number | null,
  percents: readonly Percent[],
  dependsOn: 'latencies' | 'own_values' = 'latencies',
): readonly GatedStatistic[] {
  return percents.map((percent) => ({ statistic: `p${percent}`, bounded: { by: 'takes', percent, read, dependsOn } }));
}

export function gatedFindings(...statistics: readonly string[]): readonly GatedStatistic[] {
  return statistics.map((statistic) => ({ statistic, bounded: { by: 'finding' } }));
}
