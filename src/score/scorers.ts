import { programScorer } from './command/program-scorer.ts';
import { judgeScorer } from './judge/judge-scorer.ts';

/** By `use` of a suite: each makes the `Scorer` of what is declared. */
export const SCORERS = { command: programScorer, judge: judgeScorer } as const;
