import type { Metric } from '../../analysis/measures/metric.ts';
import { goodStatistic, slowStatistic } from '../../analysis/measures/slow-take.ts';
import type { GateRule } from '../../suite/format/suite.ts';

/** The statistic that a rule is about: its own, that of its limit, or what its metric is mostly asked for. */
export function statisticOf(
  { statistic, overMs }: Pick<GateRule, 'statistic' | 'overMs'>,
  { name, takes }: Pick<Metric, 'name' | 'takes'>,
): string {
  if (overMs !== null) return name === 'goodput' ? goodStatistic(overMs) : slowStatistic(overMs);
  if (statistic !== null) return statistic;
  if (name === 'spend') return 'total';
  return takes?.[0]?.statistic ?? (name.startsWith('determinism.') ? 'departure' : 'rate');
}
