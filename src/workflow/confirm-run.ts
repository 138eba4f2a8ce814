import { refusal } from '../kit/diagnostic.ts';
import { visibleLine } from '../kit/visible.ts';
import { capital, commandLine, count, listed, usd } from '../kit/wording.ts';
import { type CostEstimate, estimateCost, trialCosts } from '../plan/estimate.ts';
import type { Plan, Slice } from '../plan/plan.ts';
import type { PreparedSuite } from '../run/prepare-suite.ts';
import type { DeclaredScorer } from '../suite/scorer.ts';
import type { Suite } from '../suite/suite.ts';
import type { PreparedRun } from './prepare-run.ts';
import { scorersOf } from './sources.ts';
import type { WorkflowEdge } from './workflow-edge.ts';

/** For questions before a run. */
type AskingEdge = Pick<WorkflowEdge, 'say' | 'asks' | 'agree'>;

export function costEstimate(
  { suite, variants, plan }: Pick<PreparedSuite, 'suite' | 'variants' | 'plan'>,
  slices: readonly Slice[] = plan.slices,
): CostEstimate {
  const names = variants.map(({ name }) => name);
  return estimateCost(plan, slices, names, trialCosts(variants, suite.cases));
}

/** Asks before a run that ends at `limits.requests` even if each request is sent once, and the gate decided at the first look. */
export async function confirmRequests(
  {
    suite,
    plan,
  }: {
    readonly suite: { readonly limits: Pick<Suite['limits'], 'requests'> };
    readonly plan: Pick<Plan, 'slices' | 'requests' | 'looks'>;
  },
  { yes }: { readonly yes: boolean },
  edge: AskingEdge,
): Promise<void> {
  const { requests: limit } = suite.limits;
  const last = plan.looks?.parts[0]?.lastSlice ?? Infinity;
  const fewest = plan.slices.reduce((sum, { index, trials }) => sum + (index <= last ? trials.length : 0), 0);
  if (yes || limit === null || fewest <= limit) return;
  const cause = `limits.requests is ${count(limit)}, and the run needs ${plan.looks === null ? '' : 'at least '}${count(fewest)} requests`;
  if (!edge.asks) {
    throw refusal(cause, `add --set limits.requests=${plan.requests}, or --yes to stop at the limit`);
  }
  return edge.agree('--yes', `${capital(cause)}. It stops at the limit. Start the run?`);
}

/**
 * Asks before a run that may cost more than 1 USD, with its judges, which ask about a shard only once it is merged.
 * @param slices still to be sent
 */
export function confirmRun(
  prepared: PreparedRun,
  { yes }: { readonly yes: boolean },
  edge: AskingEdge,
  slices: readonly Slice[] = prepared.plan.slices,
): Promise<void> {
  const limitUsd = prepared.suite.limits.usd;
  return confirmCost(costEstimate(prepared, slices), judgesOf(prepared), { yes, limitUsd }, edge);
}

/** Whether `confirmRun` asks about the rest of a run. @param mostUsd what the rest may cost */
export function isAskedAbout(
  prepared: PreparedRun,
  { mostUsd, limitUsd }: { readonly mostUsd: number; readonly limitUsd: number | null },
): boolean {
  return upperUsd(mostUsd, judgesOf(prepared), limitUsd) > ASKED_ABOVE_USD;
}

/** Those of a shard are asked once it is merged. */
function judgesOf(prepared: PreparedRun): readonly JudgeCost[] {
  if (prepared.shard !== null) return [];
  return scorersOf(prepared).flatMap((scorer) => (scorer.use === 'judge' ? [scorer] : []));
}

function upperUsd(mostUsd: number, judges: readonly JudgeCost[], limitUsd: number | null): number {
  const judgesUsd = judges.reduce((sum, judge) => sum + (judge.mostUsd ?? 0), 0);
  return Math.min(mostUsd, limitUsd ?? Infinity) + judgesUsd;
}

/**
 * Asks before a run that may cost more than 1 USD; an unknown cost counts nothing. An error without a terminal.
 * @param judges what is asked after measuring
 */
export async function confirmCost(
  { variants, mostUsd }: Pick<CostEstimate, 'variants' | 'mostUsd'>,
  judges: readonly JudgeCost[],
  { yes, limitUsd }: { readonly yes: boolean; readonly limitUsd: number | null },
  edge: AskingEdge,
): Promise<void> {
  const upper = upperUsd(mostUsd, judges, limitUsd);
  if (yes || upper <= ASKED_ABOVE_USD) return;
  const unknown = [
    ...variants.flatMap((variant) => ('unknown' in variant ? [variant.variant] : [])),
    ...judges.flatMap((judge) => (judge.mostUsd === null ? [judge.name] : [])),
  ];
  const beside = unknown.length === 0 ? '' : `, without ${unknown.join(', ')}, of unknown cost`;
  const what = variants.length === 0 ? 'the judge' : 'the run';
  const most = `may cost up to ${usd(upper)}${beside}`;
  if (!edge.asks) {
    const remedy = 'add --yes to start it without a terminal; retake plan shows the cost of each variant';
    throw refusal(`${what} ${most}`, variants.length === 0 ? 'add --yes to ask it without a terminal' : remedy);
  }
  return edge.agree('--yes', `${capital(what)} ${most}. Start it?`);
}

/** What a judge may cost, in US dollars; null: unknown. */
export interface JudgeCost {
  readonly name: string;
  readonly mostUsd: number | null;
}

/** Cheaper runs start without a question. */
const ASKED_ABOVE_USD = 1;

/** Refuses scorers that are programs, unless the user allows them. */
export function checkAllowed(scorers: readonly DeclaredScorer[], allowCommands: boolean): void {
  const commands = scorers.filter((scorer) => scorer.use === 'command');
  if (allowCommands || commands.length === 0) return;
  const lines = listed(commands.map(({ name, command }) => `${name}: ${commandLine(command)}`));
  const cause = visibleLine(`scorers start programs on this machine (${lines})`);
  throw refusal(cause, 'read what they do, then add --allow-commands');
}
