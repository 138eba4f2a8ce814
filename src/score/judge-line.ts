import type { ScorerLine } from '../record/score.ts';
import { byOf } from '../record/score-key.ts';
import type { JudgeScorer } from '../suite/scorer.ts';

/** A judge, and what it costs. */
export interface Judge {
  readonly declared: JudgeScorer;
  /** What it is asked, with variables replaced. */
  readonly question: string;
  readonly identity: NonNullable<ScorerLine['judge']>;
  /** SHA-256 of its target, by its id. */
  readonly files: Readonly<Record<string, string>>;
  /** What one request costs at most, in US dollars; null: unknown. */
  readonly mostUsd: number | null;
}

/** Its line in scores.jsonl. */
export function judgeLine({ declared, files, identity }: Judge): ScorerLine {
  const shared = { declared, files, version: null, weights: null, judge: identity };
  return { line: 'scorer', scorer: declared.name, by: byOf(shared), ...shared };
}
