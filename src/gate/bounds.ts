import { STABILITY_METRICS } from '../analysis/stability.ts';
import type { Bound, GateRule } from '../suite/rule.ts';
import type { BoundKind, BoundWords, DeclaredBounds } from './bounds/bound-kind.ts';
import { CHANGE_BOUNDS } from './bounds/change.ts';
import { EVENT_BOUNDS } from './bounds/events.ts';
import { history } from './bounds/history.ts';
import { RISE_BOUNDS } from './bounds/rise.ts';
import { stability } from './bounds/stability.ts';
import { VALUE_BOUNDS } from './bounds/value.ts';

const BOUNDS: DeclaredBounds<Bound['is']> = { ...VALUE_BOUNDS, ...EVENT_BOUNDS, ...CHANGE_BOUNDS, ...RISE_BOUNDS };

/** Rules against earlier runs, and rules on stability, have kinds of their own whatever their bound is. */
export function kindOf({ metric, against, bound }: Pick<GateRule, 'metric' | 'against' | 'bound'>): BoundKind {
  if (STABILITY_METRICS.has(metric)) return stability;
  return against === 'history' ? history : BOUNDS[bound.is].kind;
}

export function boundWordsOf({ is }: Bound): BoundWords {
  return BOUNDS[is].words;
}

export type { EventWords } from './bounds/bound-kind.ts';
