import { OUTCOMES } from '../record/model/outcomes.ts';

/**
 * What became of a sample, as it counts: an outcome of the runner, or `blank` for a delivered output with nothing on it, which a
 * safety filter hands out in place of one. It is an answer, but nothing to time, to compare or to count as delivered.
 */
export const EFFECTIVE_OUTCOMES = [...OUTCOMES, 'blank'] as const;

export type EffectiveOutcome = (typeof EFFECTIVE_OUTCOMES)[number];

/** Trials that the service refused for what they ask or show. */
export const BLOCKED: ReadonlySet<EffectiveOutcome> = new Set(['moderated', 'blank']);
