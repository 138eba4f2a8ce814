import type { Analysis } from '../analysis/analysis.ts';
import type { Cell } from '../analysis/summaries.ts';
import type { RuleResult } from '../gate/verdict.ts';
import { LEVELS } from '../media/level.ts';
import { cellOf } from '../plan/plan.ts';
import { byChange, isComparedPair } from '../report/likeness-statement.ts';
import { scoreMetrics } from '../report/score-statement.ts';

export type JudgedResult = Pick<RuleResult, 'rule' | 'variant' | 'worst'>;

/** The prompt and seed whose outputs did worst by a rule of the gate; null where outputs do not tell. */
export function worstCell({ rule, variant, worst }: JudgedResult, analysis: Analysis): Cell | null {
  const { cells, likeness } = analysis;
  const [place] = worst.flatMap((worstPlace) => ('prompt' in worstPlace ? [worstPlace.prompt] : []));
  const isThere = (cell: { readonly variant: string; readonly prompt: string }): boolean =>
    cell.variant === variant && (place === undefined || cell.prompt === place);
  if (rule.metric === 'likeness') {
    const [most] = likeness.filter(isComparedPair).filter(isThere).toSorted(byChange);
    return (most && cells.find((cell) => cellOf(cell) === cellOf(most))) ?? null;
  }
  const candidates = cells.filter(isThere);
  if (rule.metric.startsWith('determinism.'))
    return candidates.filter(({ byte }) => byte === 'differs').toSorted((a, b) => levelOf(b) - levelOf(a))[0] ?? null;
  if (rule.metric.startsWith('latency.') || rule.metric === 'slow_rate')
    return candidates.toSorted((a, b) => slowest(b) - slowest(a))[0] ?? null;
  // Single outputs have their scores in the record alone.
  return place === undefined || !scoreMetrics(analysis).some(({ name }) => name === rule.metric)
    ? null
    : (candidates[0] ?? null);
}

function levelOf({ level }: Cell): number {
  return level === null ? LEVELS.length : LEVELS.indexOf(level);
}

function slowest({ takes }: Cell): number {
  return takes.reduce((most, { totalMs }) => Math.max(most, totalMs ?? 0), 0);
}
