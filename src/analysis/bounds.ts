import type { Bound, GateRule } from '../suite/rule.ts';
import type { BoundKind, BoundWords, DeclaredBounds } from './gate/bound-kind.ts';
import { CHANGE_BOUNDS } from './gate/bounds/change.ts';
import { EVENT_BOUNDS } from './gate/bounds/events.ts';
import { history } from './gate/bounds/history.ts';
import { RISE_BOUNDS } from './gate/bounds/rise.ts';
import { stability } from './gate/bounds/stability.ts';
import { VALUE_BOUNDS } from './gate/bounds/value.ts';
import { STABILITY_METRICS } from './stability.ts';

const BOUNDS: DeclaredBounds<Bound['is']> = { ...VALUE_BOUNDS, ...EVENT_BOUNDS, ...CHANGE_BOUNDS, ...RISE_BOUNDS };

/** Rules against earlier runs, and rules on stability, have kinds of their own whatever their bound is. */
export function kindOf({ metric, against, bound }: Pick<GateRule, 'metric' | 'against' | 'bound'>): BoundKind {
  if (STABILITY_METRICS.has(metric)) return stability;
  return against === 'history' ? history : BOUNDS[bound.is].kind;
}

export function boundWordsOf({ is }: Bound): BoundWords {
  return BOUNDS[is].words;
}

export type { EventWords } from './gate/bound-kind.ts';
