import type { Unit } from '../../../kit/value-words.ts';
import type { PromptEffect } from '../../comparison.ts';
import { CONFIDENCE } from '../../measures/confidence.ts';
import type { UnitKind } from '../../pair-units.ts';
import type { Decision, Detectable, InconclusiveCode, WorstPlace } from '../../verdict.ts';

/** What the takes of a case say, before the gate's family of tests is adjusted. */
export interface WeighedCase {
  readonly p: number | null;
  readonly decide: (pAdjusted: number | null) => Decision;
  readonly effect: 'ratio' | 'difference' | 'value';
  readonly unit: Unit;
  readonly estimate: number | null;
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  readonly upperBound: number | null;
  /** Null where the value is counted and has no bound. */
  readonly boundLevel: number | null;
  readonly n: number;
  /** How many takes a bound needs, where there are fewer; null else. */
  readonly needs: number | null;
  readonly units: UnitKind | 'takes' | 'blocks' | 'runs';
  readonly missingPairs: number;
  /**
   * The smallest effect that these units would show in 4 of 5 runs, by the error rate of a test; null where nothing is
   * compared.
   */
  readonly detectableAt: (alpha: number) => Detectable | null;
  /** Of a latency, the estimated change in milliseconds; null where there is none. */
  readonly differenceMs: number | null;
  /** Whether the change differs by prompt, tested when it is asked for; null of what is not a change of values. */
  readonly promptEffect: (() => PromptEffect) | null;
  /** The prompts that changed most, or are beyond the bound by themselves; null where comparisons tell. */
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
