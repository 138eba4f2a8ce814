import { resolve } from 'node:path';
import { type Diagnostic, Refused, refusal } from '../kit/diagnostic.ts';
import { visibleLine } from '../kit/visible.ts';
import { capital, count, listed, usd } from '../kit/wording.ts';
import { type CostEstimate, estimateCost, trialCosts } from '../plan/estimate.ts';
import type { Plan, Slice } from '../plan/plan.ts';
import type { PreparedSuite } from '../run/prepare-suite.ts';
import { shownPath } from '../suite/named-file.ts';
import type { Suite } from '../suite/suite.ts';
import { EMBEDDED, parseOriginPattern } from '../targets/origins.ts';
import type { PreparedRun } from './prepare-run.ts';
import { originsOf, originText, type SentSuite, scorersOf, sourcesOf } from './sources.ts';
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

/*
 * A run sends what the user named: a suite, values of `--set`, the environment. A record or a stored baseline may come
 * from somebody else: what it adds is only sent to origins that the user allows.
 */

interface Addition {
  readonly origin: string;
  /** Such as `requests`, `OPENAI_API_KEY (key)`. */
  readonly what: readonly string[];
}

interface Adding {
  readonly who: string;
  /** How the user can name it instead: `name the suite`; null: not possible. */
  readonly remedy: string | null;
}

export function ownOf({ suite, variants, judges }: SentSuite): SentSuite {
  return { suite, judges, variants: variants.filter(({ twinOf }) => twinOf === undefined), against: null };
}

/** What is sent beyond `named`, by origin. */
function additionsOf(
  sent: SentSuite,
  named: SentSuite | null,
  edge: Pick<WorkflowEdge, 'env' | 'cwd'>,
): readonly Addition[] {
  const known = named === null ? new Map<string, ReadonlySet<string>>() : sendings(named, edge);
  return [...sendings(sent, edge)].flatMap(([origin, what]) => {
    const added = [...what].filter((item) => known.get(origin)?.has(item) !== true);
    return added.length === 0 ? [] : [{ origin, what: added }];
  });
}

/** By origin, without the reference service: it is on this machine, and gets no key of the user. */
function sendings(sent: SentSuite, edge: Pick<WorkflowEdge, 'env' | 'cwd'>): ReadonlyMap<string, ReadonlySet<string>> {
  const byOrigin = new Map<string, Set<string>>();
  const add = (origin: string, what: string): void => {
    if (origin !== EMBEDDED) byOrigin.set(origin, (byOrigin.get(origin) ?? new Set()).add(what));
  };
  const judges = sent.judges.map(({ endpoint }) => endpoint);
  for (const variant of sent.variants) for (const origin of originsOf(variant)) add(origin, 'requests');
  for (const judge of judges) for (const origin of originsOf(judge)) add(origin, 'prompts, input images and outputs');
  // A target describes requests, and is not sent itself.
  const targets = new Set([...sent.variants, ...judges].map(({ target }) => resolve(edge.cwd, target.file)));
  for (const { kind, name, to } of sourcesOf(sent, edge)) {
    if (kind === 'file' && targets.has(name)) continue;
    for (const origin of to) add(origin, `${kind === 'file' ? shownPath(name, edge.cwd) : name} (${kind})`);
  }
  return byOrigin;
}

/**
 * Asks on a terminal whether to send what is added, except to origins in `allowed`. An error without a terminal.
 * @param named the part that the user named; null: nothing
 */
export async function confirmOrigins(
  sent: SentSuite,
  named: SentSuite | null,
  { who, remedy }: Adding,
  allowed: readonly string[],
  edge: AskingEdge & Pick<WorkflowEdge, 'env' | 'cwd'>,
): Promise<void> {
  const origins = readOrigins(allowed);
  const additions = additionsOf(sent, named, edge);
  const open = additions.filter(({ origin }) => !origins.has(origin));
  if (open.length > 0 && !edge.asks) {
    const diagnostics = open.map((addition): Diagnostic => {
      const how = remedy === null ? `add ${flagOf(addition)}` : `${remedy}, or add ${flagOf(addition)}`;
      return { place: null, cause: sentenceOf(addition, who), remedy: `if you trust this origin, ${how}` };
    });
    throw new Refused(diagnostics);
  }
  for (const addition of additions) edge.say(sentenceOf(addition, who));
  if (open.length === 0) return;
  return edge.agree('--allow-origin', 'Send this?');
}

export interface PlannedAddition extends Addition {
  /** The option that a run needs to send it; null: it was given. */
  readonly needs: string | null;
}

/** What a stored baseline adds. */
export function plannedAdditions(
  sent: SentSuite,
  allowed: readonly string[],
  edge: Pick<WorkflowEdge, 'env' | 'cwd'>,
): readonly PlannedAddition[] {
  const origins = readOrigins(allowed);
  return additionsOf(sent, ownOf(sent), edge).map((addition) => ({
    ...addition,
    needs: origins.has(addition.origin) ? null : flagOf(addition),
  }));
}

export function plannedAdditionWords({ needs, ...addition }: PlannedAddition): string {
  return `${sentenceOf(addition, 'the stored baseline')}${needs === null ? '' : `; a run needs ${needs}`}`;
}

function sentenceOf({ origin, what }: Addition, who: string): string {
  return visibleLine(`${who} adds ${listed(what)} to what is sent to ${origin === '*' ? 'any origin' : origin}`);
}

function flagOf({ origin }: Addition): string {
  return `--allow-origin ${/^[\w./:-]+$/.test(origin) ? origin : `'${origin}'`}`;
}

function readOrigins(allowed: readonly string[]): ReadonlySet<string> {
  const origins = new Set<string>();
  for (const text of allowed) {
    const pattern = parseOriginPattern(text);
    if (pattern === null || pattern.match === 'base') {
      throw refusal(`--allow-origin "${text}" is not a valid origin`, 'write https://host, https://*.host or "*"');
    }
    origins.add(originText(pattern));
  }
  return origins;
}
