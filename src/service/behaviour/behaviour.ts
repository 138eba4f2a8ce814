import type { Condition, Effect } from './effects.ts';

/** How the service departs from an honest one: what a behaviour file says. */
export interface Behaviour {
  /** Of everything that is left to chance. */
  readonly seed: number;
  readonly rules: readonly Rule[];
}

export interface Rule {
  /** What its firing is counted under. */
  readonly name: string;
  readonly when: Condition;
  readonly effect: Effect;
}

/** The default: no departures. */
export const HONEST: Behaviour = { seed: 1, rules: [] };
