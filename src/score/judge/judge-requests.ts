import { CONTROL_SAMPLES, CONTROLS } from '../../record/model/controls.ts';
import type { StoredRun } from '../../record/model/stored-run.ts';
import { writtenScores } from '../../record/outputs/score-key.ts';
import { wholeBillionths } from '../../record/spend/charge.ts';
import type { JudgeScorer } from '../../suite/format/scorer.ts';
import { judgeItems } from './judge-items.ts';
import { type Judge, judgeLine } from './judge-line.ts';

/** Of each pair, and of each copy beside its output. */
const ORDERS = 2;

export interface JudgeUse {
  /** If each is sent once. */
  readonly requests: number;
  /** How many of them its limits allow. */
  readonly allowedRequests: number;
  /** What these cost, in US dollars; null: the price is unknown. */
  readonly mostUsd: number | null;
}

/**
 * What a judge may use for a plan.
 * @param priceUsd of one request; null: unknown
 */
export function plannedUse(
  { limits }: Pick<JudgeScorer, 'limits'>,
  priceUsd: number | null,
  { pairs, kinds }: { readonly pairs: number; readonly kinds: number },
): JudgeUse {
  return within(limits, priceUsd, ORDERS * (pairs + kinds * CONTROL_SAMPLES * CONTROLS.length));
}

/** What a judge may use for what it has not answered yet. */
export function openUse(judge: Judge, record: StoredRun, isStored: (sha256: string) => boolean): JudgeUse {
  const { declared, mostUsd } = judge;
  const written = writtenScores(record.scores);
  const { by } = judgeLine(judge);
  const { open } = judgeItems({ scorer: declared.name, by, record, written, isStored });
  return within(declared.limits, mostUsd, open.length);
}

function within(limits: JudgeScorer['limits'], priceUsd: number | null, requests: number): JudgeUse {
  const paid = limits.usd === null || priceUsd === null || priceUsd === 0 ? Infinity : limits.usd / priceUsd;
  // The quotient of 0.3 and 0.1 is a little below 3.
  const affordable = Math.floor(wholeBillionths(paid));
  const allowedRequests = Math.min(requests, limits.requests ?? Infinity, affordable);
  const mostUsd = priceUsd === null ? null : wholeBillionths(allowedRequests * priceUsd);
  return { requests, allowedRequests, mostUsd };
}
