import type { Fault } from '../../kit/diagnostic.ts';
import { oneOf } from '../../kit/wording.ts';

/** Why a rule is refused before sending. May hold hostile text: names from others. */
export interface KeyedFault extends Fault {
  /** The faulty key of the rule; `''` for the rule itself. */
  readonly key: string;
  /** Set if another fault of the suite may be the cause: it leaves out what the rule needs. */
  readonly ofWhole?: true;
}

export interface RuleFault extends KeyedFault {
  /** Position of the rule in the gate, from 0. */
  readonly index: number;
}

/** Why a rule can never pass, or never fail, under a plan. */
export interface PlannedFault extends Fault {
  /** Reported once per rule, not per variant. */
  readonly code: 'cannot_pass' | 'cannot_fail' | 'short_load';
}

export function unknownStatistic(metric: string, statistic: string, known: readonly string[]): KeyedFault {
  const cause = `${metric} has no bound for the statistic ${statistic}`;
  return { key: 'statistic', cause, remedy: `use ${oneOf(known)}` };
}

export function notOfStability(key: string, metric: string): KeyedFault {
  return { key, cause: `${metric} is the share of cells that still match`, remedy: 'use none: change or min' };
}

export function aboveAll(key: string, metric: string): KeyedFault {
  return { key, cause: `${metric} is never above 100 %`, remedy: 'use a percentage up to 100%' };
}

export function zeroLimit(key: string): KeyedFault {
  return { key, cause: 'a limit of 0 can never be shown to hold', remedy: 'use a limit above 0, or none' };
}
