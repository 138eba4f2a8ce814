import { judgeScorer } from './judge-scorer.ts';
import { programScorer } from './program-scorer.ts';

/** By `use` of a suite: each makes the `Scorer` of what is declared. */
export const SCORERS = { command: programScorer, judge: judgeScorer } as const;
