import type { Unit } from '../../../kit/value-words.ts';
import { CONFIDENCE } from '../../../statistics/quantile.ts';
import type { PromptEffect } from '../../comparison.ts';
import type { UnitKind } from '../../pair-units.ts';
import type { Decision, Detectable, InconclusiveCode, WorstPlace } from '../../verdict.ts';

export interface WeighedCase {
  readonly p: number | null;
  readonly decide: (pAdjusted: number | null) => Decision;
  readonly effect: 'ratio' | 'difference' | 'value';
  readonly unit: Unit;
  readonly estimate: number | null;
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  readonly upperBound: number | null;
  /** Null for a counted value. */
  readonly boundLevel: number | null;
  readonly n: number;
  /** Takes that a bound needs; null if there are enough. */
  readonly needs: number | null;
  readonly units: UnitKind | 'takes' | 'blocks' | 'runs';
  readonly missingPairs: number;
  /** The smallest effect that these units show in 4 of 5 runs at a test's error rate; null without a comparison. */
  readonly detectableAt: (alpha: number) => Detectable | null;
  /** Estimated change of a latency in milliseconds; null otherwise. */
  readonly differenceMs: number | null;
  /** Tests on request whether the change differs by prompt; null unless values change. */
  readonly promptEffect: (() => PromptEffect) | null;
  /** Prompts that changed most, or exceed the bound alone; null where comparisons show it. */
  readonly worst: readonly WorstPlace[] | null;
}

export const UNTESTED = {
  p: null,
  ciLow: null,
  ciHigh: null,
  boundLevel: CONFIDENCE,
  needs: null,
  units: 'takes',
  missingPairs: 0,
  detectableAt: () => null,
  differenceMs: null,
  promptEffect: null,
  worst: null,
} as const;

export function undecidedCase(code: InconclusiveCode, units: WeighedCase['units'] = 'takes'): WeighedCase {
  return {
    ...UNTESTED,
    decide: () => ({ verdict: 'inconclusive', code }),
    effect: 'value',
    unit: '1',
    estimate: null,
    upperBound: null,
    n: 0,
    units,
    worst: [],
  };
}
