import type { Analysis } from '../../../analysis/analysis.ts';
import { BLOCKED } from '../../../analysis/effective-sample.ts';
import type { Cell } from '../../../analysis/summaries.ts';
import type { RuleResult } from '../../../analysis/verdict.ts';
import { LEVELS } from '../../../media/level.ts';
import { byChange, isComparedPair } from '../../../report/likeness-statement.ts';
import { scoreMetrics } from '../../../report/score-statement.ts';
import { type Sheet, sheetAnchor } from '../../shown-outputs.ts';

type JudgedResult = Pick<RuleResult, 'rule' | 'variant' | 'worst'>;

interface WorstEvidence {
  readonly anchor: string;
  /** `first of them`, `worst: desert, seed 2`. */
  readonly words: string;
}

/** What did worst by a rule of the gate: a failed take, or the outputs of a prompt and seed. Null where neither tells. */
export function worstEvidence(result: JudgedResult, analysis: Analysis, sheet: Sheet): WorstEvidence | null {
  const { metric } = result.rule;
  if (metric === 'error_rate' || metric === 'block_rate') return firstFailure(result, analysis, sheet);
  const cell = worstCell(result, analysis, sheet);
  const anchor = sheetAnchor(cell, sheet);
  return cell === null || anchor === null ? null : { anchor, words: `worst: ${cell.prompt}, seed ${cell.seed}` };
}

function firstFailure(
  { rule, variant }: JudgedResult,
  { failures }: Analysis,
  { failed }: Sheet,
): WorstEvidence | null {
  const isCounted = rule.metric === 'block_rate';
  const group = failures.find((each) => each.variant === variant && BLOCKED.has(each.outcome) === isCounted);
  const anchor = group === undefined ? null : failed.anchorOf(group.exampleTrial);
  return anchor === null ? null : { anchor, words: 'first of them' };
}

function worstCell({ rule, variant, worst }: JudgedResult, analysis: Analysis, sheet: Sheet): Cell | null {
  const { cells, likeness } = analysis;
  const [place] = worst.flatMap((each) => ('prompt' in each ? [each.prompt] : []));
  const isThere = (each: { readonly variant: string; readonly prompt: string }): boolean =>
    each.variant === variant && (place === undefined || each.prompt === place);
  if (rule.metric === 'likeness') {
    const [most] = likeness.filter(isComparedPair).filter(isThere).toSorted(byChange);
    return most === undefined ? null : sheet.places.cell(most.variant, most.prompt, most.seed);
  }
  const own = cells.filter(isThere);
  if (rule.metric.startsWith('determinism.'))
    return own.filter(({ byte }) => byte === 'differs').toSorted((a, b) => levelOf(b) - levelOf(a))[0] ?? null;
  if (rule.metric.startsWith('latency.') || rule.metric === 'slow_rate')
    return own.toSorted((a, b) => slowest(b) - slowest(a))[0] ?? null;
  // Single outputs have their scores in the record alone.
  return place === undefined || !scoreMetrics(analysis).some(({ name }) => name === rule.metric)
    ? null
    : (own[0] ?? null);
}

function levelOf({ level }: Cell): number {
  return level === null ? LEVELS.length : LEVELS.indexOf(level);
}

function slowest({ takes }: Cell): number {
  return takes.reduce((most, { totalMs }) => Math.max(most, totalMs ?? 0), 0);
}
