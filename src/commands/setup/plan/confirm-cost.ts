import { type CostEstimate, estimateCost, trialCosts } from '../../../plan/estimate.ts';
import type { Slice } from '../../../plan/plan.ts';
import type { PreparedSuite } from '../../../prepare/prepare-suite.ts';
import { type Checked, refused } from '../../../suite/document/diagnostic.ts';
import { usd } from '../../../text/wording.ts';
import type { Edge } from '../../edge.ts';
import { agree } from './questions.ts';

/** Of the upper estimate; cheaper runs start without a question. */
const ASKED_ABOVE_USD = 1;

export function costEstimate(
  { suite, variants, plan }: Pick<PreparedSuite, 'suite' | 'variants' | 'plan'>,
  slices: readonly Slice[] = plan.slices,
): CostEstimate {
  const names = variants.map(({ name }) => name);
  return estimateCost(plan, slices, names, trialCosts(variants, suite.cases));
}

/** Asks before a run that may cost more than 1 USD; an unknown cost counts nothing. An error without a terminal. */
export async function confirmCost(
  { variants, mostUsd }: CostEstimate,
  { yes, limitUsd }: { readonly yes: boolean; readonly limitUsd: number | null },
  edge: Pick<Edge, 'input' | 'err' | 'asks' | 'drain'>,
): Promise<Checked<null>> {
  const upperUsd = Math.min(mostUsd, limitUsd ?? Infinity);
  if (yes || upperUsd <= ASKED_ABOVE_USD) return { ok: true, value: null };
  const unknown = variants.flatMap((each) => ('unknown' in each ? [each.variant] : []));
  const beside = unknown.length === 0 ? '' : `, without ${unknown.join(', ')}, of unknown cost`;
  const cause = `the run may cost up to ${usd(upperUsd)}${beside}`;
  if (!edge.asks)
    return refused(cause, 'add --yes to start it without a terminal; retake plan shows the cost of each variant');
  return agree(edge, '--yes', `The run may cost up to ${usd(upperUsd)}${beside}. Start it?`);
}
