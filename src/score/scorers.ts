import { judgeScorer } from './judge-scorer.ts';
import { programScorer } from './program-scorer.ts';

/** By `use` in a suite. */
export const SCORERS = { command: programScorer, judge: judgeScorer } as const;
