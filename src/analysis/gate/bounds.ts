import type { Bound, GateRule } from '../../suite/rule.ts';
import { STABILITY_METRICS } from '../baseline/stability.ts';
import type { BoundKind } from './bound-kind.ts';
import { change } from './bounds/change.ts';
import { events } from './bounds/events.ts';
import { history } from './bounds/history.ts';
import { rise } from './bounds/rise.ts';
import { stability } from './bounds/stability.ts';
import { value } from './bounds/value.ts';

const KINDS: Readonly<Record<Bound['is'], BoundKind>> = {
  max: value,
  min: value,
  none: events,
  max_increase: change,
  max_decrease: change,
  max_rise: rise,
};

/**
 * The kind of bound that a rule has. Against earlier runs, and of stability, a bound is of another kind than in one
 * run.
 */
export function kindOf({ metric, against, bound }: Pick<GateRule, 'metric' | 'against' | 'bound'>): BoundKind {
  if (STABILITY_METRICS.has(metric)) return stability;
  return against === 'history' ? history : KINDS[bound.is];
}
