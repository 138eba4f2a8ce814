import { STABILITY_METRICS } from '../analysis/stability.ts';
import type { Bound, GateRule } from '../suite/rule.ts';
import type { BoundKind } from './bounds/bound-kind.ts';
import { change } from './bounds/change.ts';
import { claim } from './bounds/claim.ts';
import { events } from './bounds/events.ts';
import { history } from './bounds/history.ts';
import { rise } from './bounds/rise.ts';
import { stability } from './bounds/stability.ts';
import { value } from './bounds/value.ts';

/** Rules on stability, and rules against earlier runs, are decided in ways of their own. */
export function kindOf({
  metric,
  against,
  bound,
  atFirst,
}: Pick<GateRule, 'metric' | 'against' | 'bound' | 'atFirst'>): BoundKind {
  const kind = kindInRun(bound);
  const level = STABILITY_METRICS.get(metric);
  if (level !== undefined) return stability(bound, kind, level);
  return against === 'history' ? history(bound, kind, atFirst ?? null) : kind;
}

function kindInRun(bound: Bound): BoundKind {
  switch (bound.is) {
    case 'max':
    case 'min':
      return value(bound);
    case 'max_increase':
    case 'max_decrease':
      return change(bound);
    case 'max_rise':
      return rise(bound);
    case 'none':
      return events(bound);
    case 'claim':
      return claim(bound);
  }
}
