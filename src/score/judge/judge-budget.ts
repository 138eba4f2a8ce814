import type { AskedLine, ScoreLine } from '../../record/model/score.ts';
import { wholeBillionths } from '../../record/spend/charge.ts';
import type { JudgeScorer } from '../../suite/format/scorer.ts';

/** What a judge has used of its limits. A request counts at its highest cost until its answer says less. */
export interface JudgeBudget {
  /** Counts a request; false, and nothing counted, if that could exceed a limit. */
  readonly take: (asked: AskedLine) => boolean;
  /** The answer to the last request with this key. @param usd null: unknown */
  readonly settle: (key: string, usd: number | null) => void;
}

/** @param lines of the record: requests without an answer count */
export function judgeBudget(
  { name, limits }: Pick<JudgeScorer, 'name' | 'limits'>,
  lines: readonly ScoreLine[],
): JudgeBudget {
  const unanswered = new Map<string, number>();
  let requests = 0;
  let usd = 0;
  const add = (amount: number): void => {
    usd = wholeBillionths(usd + amount);
  };
  const count = ({ key, mostUsd }: AskedLine): void => {
    requests += 1;
    add(mostUsd ?? 0);
    unanswered.set(key, mostUsd ?? 0);
  };
  const settle: JudgeBudget['settle'] = (key, answeredUsd) => {
    const mostUsd = unanswered.get(key);
    if (mostUsd !== undefined && answeredUsd !== null) add(answeredUsd - mostUsd);
    unanswered.delete(key);
  };
  for (const line of lines) {
    if (line.line === 'scorer' || line.scorer !== name) continue;
    if (line.line === 'asked') count(line);
    else if (line.line === 'preference') settle(line.key, line.usd);
  }
  return {
    take: (asked) => {
      if (limits.requests !== null && requests + 1 > limits.requests) return false;
      if (limits.usd !== null && wholeBillionths(usd + (asked.mostUsd ?? 0)) > limits.usd) return false;
      count(asked);
      return true;
    },
    settle,
  };
}
