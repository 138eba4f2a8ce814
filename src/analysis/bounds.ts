import type { Bound, GateRule } from '../suite/rule.ts';
import type { BoundKind } from './gate/bound-kind.ts';
import { change } from './gate/bounds/change.ts';
import { events } from './gate/bounds/events.ts';
import { history } from './gate/bounds/history.ts';
import { rise } from './gate/bounds/rise.ts';
import { stability } from './gate/bounds/stability.ts';
import { value } from './gate/bounds/value.ts';
import { STABILITY_METRICS } from './stability.ts';

const KINDS: Readonly<Record<Bound['is'], BoundKind>> = {
  max: value,
  min: value,
  none: events,
  max_increase: change,
  max_decrease: change,
  max_rise: rise,
};

/** Rules against earlier runs, and rules on stability, have kinds of their own whatever their bound is. */
export function kindOf({ metric, against, bound }: Pick<GateRule, 'metric' | 'against' | 'bound'>): BoundKind {
  if (STABILITY_METRICS.has(metric)) return stability;
  return against === 'history' ? history : KINDS[bound.is];
}
