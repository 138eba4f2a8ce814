import type { Condition, Effect } from './effects.ts';

/** The declared faults of the service: the content of a behaviour file. */
export interface Behaviour {
  /** For everything random. */
  readonly seed: number;
  readonly rules: readonly Rule[];
}

export interface Rule {
  /** Its effects are counted under this name. */
  readonly name: string;
  readonly when: Condition;
  readonly effect: Effect;
}

/** No faults. */
export const HONEST: Behaviour = { seed: 1, rules: [] };
