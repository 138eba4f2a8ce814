import type { BehaviourEffect, Condition } from './effects.ts';

/** The declared faults of the service: the content of a behaviour file. */
export interface Behaviour {
  readonly seed: number;
  readonly rules: readonly Rule[];
}

export interface Rule {
  readonly name: string;
  readonly when: Condition;
  readonly effect: BehaviourEffect;
}

export const HONEST: Behaviour = { seed: 1, rules: [] };
