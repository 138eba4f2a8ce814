import { OUTCOMES } from '../record/model/outcomes.ts';

/**
 * An outcome of the runner, or `blank`: a delivered output with nothing on it, as safety filters hand out. It is an
 * answer, but nothing to time, to compare or to count as delivered.
 */
export const EFFECTIVE_OUTCOMES = [...OUTCOMES, 'blank'] as const;

export type EffectiveOutcome = (typeof EFFECTIVE_OUTCOMES)[number];

/** Trials that the service refused for what they ask or show. */
export const BLOCKED: ReadonlySet<EffectiveOutcome> = new Set(['moderated', 'blank']);
