import type { Analysis } from '../analysis/analysis.ts';
import { BLOCKED } from '../analysis/effective-sample.ts';
import { incompleteCause, whyIncomplete } from '../analysis/incomplete.ts';
import type { FailureGroup, RunSummary, VariantSummary } from '../analysis/summaries.ts';
import type { Verdict } from '../gate/verdict.ts';
import { groupBy } from '../kit/grouping.ts';
import { outputNoun, variantNames } from '../kit/names.ts';
import { failureMessage, OUTCOME_WORDS } from '../kit/outcome-words.ts';
import { clipped } from '../kit/text-width.ts';
import { arrivals, count, elapsed, listed, plural, share, trimmed, usd } from '../kit/wording.ts';
import type { LookKind, PlannedLooks } from '../plan/recorded-plan.ts';
import { isTwin } from '../record/compared-variants.ts';
import type { Spend } from '../record/run.ts';
import type { ClosedLoad, Load, OpenLoad, Stage } from '../suite/load.ts';

/** A complete run has a result for each planned take; failed takes count. */
export function completeness(analysis: Analysis): string {
  if (!analysis.run.complete) return `Incomplete: ${whatIsComplete(analysis)}`;
  return `Complete: ${[whatIsComplete(analysis), ...lostWords(analysis)].join(', ')}`;
}

/** Without the word "complete" and without failures: `all 36 planned takes have a result`. */
export function whatIsComplete(analysis: Analysis): string {
  const { run, variants } = analysis;
  if (run.complete && droppedStarts(variants) > 0) {
    const planned = plannedCount(analysis);
    return `${count(planned - droppedStarts(variants))} of ${plural(planned, 'planned take')} were sent`;
  }
  if (run.complete) return `all ${plannedTakes(analysis)} have a result`;
  const missing = variants.reduce((sum, { missing, outcomes }) => sum + missing + (outcomes.cancelled ?? 0), 0);
  const why = incompleteCause(whyIncomplete({ run, variants }));
  const probes = run.missingProbes === 0 ? '' : ` and ${plural(run.missingProbes, 'probe')}`;
  return `${count(missing)} of ${plannedTakes(analysis)}${probes} have no result. Why: ${why}`;
}

/**
 * What was not delivered: `4 failed`, `1 blocked`, `14 dropped (never sent)`; nothing where all was.
 * @param noun of the first, where nothing before it says what is counted: `4 requests failed`
 */
export function lostWords(
  { failures, variants }: Pick<Analysis, 'failures' | 'variants'>,
  noun: string | null = null,
): readonly string[] {
  const { failed, blocked } = undelivered(failures);
  const parts = [
    [failed, 'failed'],
    [blocked, 'blocked'],
    [droppedStarts(variants), 'dropped (never sent)'],
  ] as const;
  return parts
    .filter(([lost]) => lost > 0)
    .map(([lost, what], at) => `${at === 0 && noun !== null ? plural(lost, noun) : count(lost)} ${what}`);
}

export function isWhole(analysis: Analysis): boolean {
  return analysis.run.complete && lostWords(analysis).length === 0;
}

/** A blocked take was refused by moderation, or is blank. */
function undelivered(failures: Analysis['failures']): { readonly failed: number; readonly blocked: number } {
  const all = failures.reduce((sum, { count: takes }) => sum + takes, 0);
  const blocked = failures.reduce((sum, { outcome, count: takes }) => sum + (BLOCKED.has(outcome) ? takes : 0), 0);
  return { failed: all - blocked, blocked };
}

export function droppedStarts(variants: readonly Pick<VariantSummary, 'outcomes'>[]): number {
  return variants.reduce((sum, { outcomes }) => sum + (outcomes.dropped ?? 0), 0);
}

function plannedCount({ variants }: Pick<Analysis, 'variants'>): number {
  return variants.reduce((sum, variant) => sum + variant.plannedTrials, 0);
}

/** `36 planned takes`; where the gate was decided early, `24 takes sent until the gate was decided`. */
function plannedTakes(analysis: Pick<Analysis, 'variants' | 'run'>): string {
  const { complete, plan } = analysis.run;
  const isCut = complete && plan.looks !== null && plan.looks.parts.length < plan.looks.of;
  const planned = plannedCount(analysis);
  const what = plan.looks?.kind === 'claim' ? 'claim' : 'gate';
  return isCut ? `${plural(planned, 'take')} sent until the ${what} was decided` : plural(planned, 'planned take');
}

/** Longest message, in columns. */
const MOST_WIDTH = 160;

/** One cause of failures over all variants. Code and message are the server's words. */
export interface FailureCause {
  /** The variants it affects: `fast, fast-lcm`, or `20 of 40 variants`. */
  readonly who: string;
  /** `40 of 240 images (16.7 %)`, of the takes of these variants. */
  readonly takes: string;
  readonly outcome: string;
  /** The trial of the message. */
  readonly exampleTrial: string;
  /** `content_policy, HTTP 422`; a code that contains the status stands alone: `http_503`. */
  readonly code: string;
  /** The first message, cut; empty where there is none. */
  readonly message: string;
  /** Uncut: it may name the remedy. */
  readonly wholeMessage: string;
}

export function failureCauses({
  failures,
  variants,
}: Pick<Analysis, 'failures' | 'variants'>): readonly FailureCause[] {
  const sent = new Map(variants.map((variant) => [variant.name, variant.plannedTrials - variant.missing]));
  // What is in use and what is new are not added up.
  const twins = new Set(variants.filter(isTwin).map(({ name }) => name));
  const causes = groupBy(failures, ({ variant, outcome, code, httpStatus }) =>
    JSON.stringify([outcome, code, httpStatus, twins.has(variant)]),
  );
  return [...causes.values()]
    .toSorted((a, b) => failedIn(b) - failedIn(a))
    .map((groups): FailureCause => {
      const [first] = groups;
      const names = [...new Set(groups.map(({ variant }) => variant))];
      const failed = failedIn(groups);
      const message = failureMessage(first);
      const takes = names.reduce((sum, name) => sum + (sent.get(name) ?? 0), 0);
      return {
        who: variantNames(names, variants.length),
        takes: `${count(failed)} of ${plural(takes, outputNounOf(names, variants))}${takes > 0 ? ` (${share(failed / takes)})` : ''}`,
        exampleTrial: first.exampleTrial,
        outcome: OUTCOME_WORDS[first.outcome],
        code: codeWords(first),
        message: clipped(message, MOST_WIDTH),
        wholeMessage: message,
      };
    });
}

function outputNounOf(names: readonly string[], variants: readonly VariantSummary[]): string {
  const kinds = variants.filter(({ name }) => names.includes(name)).map(({ kind }) => outputNoun(kind));
  const [noun = 'output', ...others] = new Set(kinds);
  return others.length === 0 ? noun : 'output';
}

function codeWords({ code, httpStatus }: FailureGroup): string {
  return httpStatus === null || code === `http_${httpStatus}` ? code : `${code}, HTTP ${httpStatus}`;
}

function failedIn(groups: readonly FailureGroup[]): number {
  return groups.reduce((sum, group) => sum + group.count, 0);
}

/** More variants are left to measures.csv and analysis.json. */
const MOST_VARIANTS = 4;

/** `Spent: $4.10 (standard $2.10, fast $2.00); unknown for 3 of 41 requests ...`; null without price or request. */
export function spendSentence({ run, variants }: Pick<Analysis, 'run' | 'variants'>): string | null {
  const { spend } = run;
  if (spend === null || spend.requests === 0) return null;
  const spenders = variants.flatMap(({ name, spend: spent }) =>
    spent === null || spent.requests === 0 ? [] : [`${name} ${knownUsd(spent)}`],
  );
  const byVariant = spenders.length > 1 && spenders.length <= MOST_VARIANTS ? ` (${spenders.join(', ')})` : '';
  if (spend.unknownRequests === 0) return `Spent: ${usd(spend.usd)}${byVariant}`;
  const of = `unknown for ${count(spend.unknownRequests)} of ${plural(spend.requests, 'request')}`;
  const isAllUnknown = spend.unknownRequests === spend.requests;
  const known = isAllUnknown ? '' : `${usd(spend.usd)}${byVariant}; `;
  return `Spent: ${known}${of}${atMost(spend, isAllUnknown)}`;
}

function knownUsd(spend: Spend): string {
  return spend.unknownRequests === spend.requests ? 'unknown' : usd(spend.usd);
}

/** The cost of requests whose cost is unknown, by the declared prices. */
function atMost({ usd: knownUsd, mostUsd }: Spend, isAll: boolean): string {
  if (mostUsd === null) return '';
  return `, at most ${usd(mostUsd - knownUsd)}${isAll ? '' : ' more'}`;
}

/** `at most 4 in flight, paired`, `2 / s for 10 min, at most 64 in flight`. */
export function loadWords(load: Load): string {
  const ceiling = `at most ${count(load.concurrency)} in flight`;
  if (load.mode === 'open') return `${stagesWords(load)}, ${ceiling}`;
  if (load.steps !== null) return turnsWords(load.steps, load);
  return `at most ${count(load.concurrency)} in flight, ${load.order}`;
}

/** `6 in flight`, `2 / s`: a load of a sweep. */
export function loadStepWords(step: number, { mode }: Pick<Load, 'mode'>): string {
  return mode === 'open' ? rateWords({ ratePerSecond: step }) : `${count(step)} in flight`;
}

export function stepsWords(steps: readonly number[]): string {
  return listed(steps.map(count));
}

/** `2, 4 and 8 in flight`, of open load `1 / s and 2 / s`. */
export function loadsWords(steps: readonly number[], load: Pick<Load, 'mode'>): string {
  return load.mode === 'open'
    ? listed(steps.map((step) => loadStepWords(step, load)))
    : `${stepsWords(steps)} in flight`;
}

function turnsWords(steps: readonly number[], load: Pick<Load, 'mode'>): string {
  return `${loadsWords(steps, load)}${steps.length === 1 ? '' : ' in turn'}`;
}

/** `2 / s for 10 min, then 5 / s for 1 min 30 s`, of a sweep `1 / s and 2 / s in turn`; the last may go on until all is sent. */
export function stagesWords({ mode, stages, steps }: Pick<OpenLoad, 'mode' | 'stages' | 'steps'>): string {
  if (steps) return turnsWords(steps, { mode });
  return stages
    .map(({ forMs, ...stage }) =>
      forMs === null ? rateWords(stage) : `${rateWords(stage)} for ${whole(elapsed(forMs))}`,
    )
    .join(', then ');
}

/** In the unit that suits it: `2 / s`, `30 / min`. */
function rateWords({ ratePerSecond }: Pick<Stage, 'ratePerSecond'>): string {
  return arrivals(ratePerSecond);
}

/** `1 request per second`, of several stages `2 to 5 requests per second`. */
export function ratesWords({ stages }: Pick<OpenLoad, 'stages'>): string {
  const rates = stages.map(({ ratePerSecond }) => ratePerSecond);
  const ends = [Math.min(...rates), Math.max(...rates)];
  const [times, per] = rates.every((rate) => rate >= 1) ? [1, 'second'] : [60, 'minute'];
  const words = [...new Set(ends.map((rate) => trimmed(rate * times)))].join(' to ');
  return `${words} request${words === '1' ? '' : 's'} per ${per}`;
}

/** `random arrivals (a Poisson process)`. */
export function arrivalsWords({ arrivals }: Pick<OpenLoad, 'arrivals'>): string {
  return arrivals === 'poisson' ? 'random arrivals (a Poisson process)' : 'evenly spaced arrivals';
}

const ORDERS: Readonly<Record<ClosedLoad['order'], string>> = {
  paired:
    'paired: takes of the same prompts and seeds run close together in time for all variants, in random order, so that drift of the service affects all variants equally',
  mixed: 'mixed: all takes run in random order, with all variants in flight together, so they queue behind each other',
  sequential:
    'sequential: variants run one after the other, so drift of the service looks like a difference between variants',
};

export function orderWords(load: Load): string {
  if (load.mode === 'open') {
    return 'variants run one after the other in random order, each with the same arrivals; drift of the service looks like a difference between variants';
  }
  if (load.steps !== null) {
    return `each variant and step runs alone, in random order and in several passes, so that drift of the service affects ${plural(load.steps.length, 'step')} equally`;
  }
  return ORDERS[load.order];
}

/** A declared time prints as declared: `20 s` for `20.0 s`, `2 min` for `2 min 00 s`. */
function whole(words: string): string {
  return words.replace(/\.0+ s$/, ' s').replace(/(min|h) 00 (s|min)$/, '$1');
}

/** `16 prompts x seeds, 96 takes` until this look. A confirmation measures all case-seeds from the first part on. */
export function lookWords(kind: LookKind, caseSeeds: number, takes: number): string {
  return kind === 'confirm' ? plural(takes, 'take') : `${plural(caseSeeds, 'prompt x seed')}, ${plural(takes, 'take')}`;
}

/** How often a gate was looked at, and which takes its verdict is about, without a full stop; null of one look. */
export function looksSentence({ looks, verdict }: Pick<Verdict, 'looks' | 'verdict'>): string | null {
  if (looks === null) return null;
  const { kind, of, made, alphas, early, caseSeeds, plannedCaseSeeds, takes, plannedTakes } = looks;
  const alphasOfLooks = alphasWords(alphas);
  if (!early)
    return `${made === of ? `All ${count(of)}` : `${count(made)} of ${count(of)}`} looks were made, ${alphasOfLooks}`;
  const after =
    kind === 'confirm'
      ? `${count(takes)} of ${plural(plannedTakes, 'take')}`
      : `${count(caseSeeds)} of ${plural(plannedCaseSeeds, 'prompt x seed')}`;
  const at = `at look ${count(made)} of ${count(of)} (${alphasOfLooks}), after ${after}`;
  return verdict === 'inconclusive'
    ? `Ended ${at}; no further part could decide a rule`
    : `Decided ${at}; the verdict covers only these`;
}

/** `each at alpha 0.0125`, or the alpha of each look; `those before come after too few takes to decide`. */
export function alphasWords(alphas: readonly number[]): string {
  const words = (alpha: number) => `alpha ${Number(alpha.toPrecision(3))}`;
  if (alphas.every((alpha) => alpha === alphas[0])) return `each at ${words(alphas[0] ?? 0)}`;
  const decide = alphas.flatMap((alpha, at) => (alpha === 0 ? [] : [`look ${count(at + 1)} at ${words(alpha)}`]));
  const none = alphas.flatMap((alpha, at) => (alpha === 0 ? [count(at + 1)] : []));
  const few = none.length === 0 ? '' : `; too few takes to compare variants at look ${none.join(', ')}`;
  return `${decide.join(', ')}${few}`;
}

/** Follows `4 prompts x 3 seeds x 3 takes`; empty for a plan in one part. */
export function partsNote(looks: PlannedLooks | null): string {
  if (looks === null) return '';
  return PARTS_NOTES[looks.kind](looks.of);
}

const PARTS_NOTES: Readonly<Record<PlannedLooks['kind'], (parts: number) => string>> = {
  confirm: () => ', all once more if the gate is not decided',
  until_decided: (parts) => `, in up to ${count(parts)} parts until the gate is decided`,
  claim: () => ', pair after pair until the claim is decided',
};

/** `Shard 3 of 8 of run 42`, `Merged from 8 shards`; null for a run without shards. */
export function shardWords({ shard, shards }: Pick<RunSummary, 'shard' | 'shards'>): string | null {
  if (shard !== null) return `Shard ${count(shard.index)} of ${count(shard.of)} of run ${shard.run}`;
  if (shards === null) return null;
  const { of, missing } = shards;
  return `Merged from ${missing.length === 0 ? '' : `${count(of - missing.length)} of `}${plural(of, 'shard')}`;
}

/** `in 2 min 10 s`; shards measure at the same time, so the longest counts. */
function tookWords({ shards }: Pick<RunSummary, 'shards'>, durationMs: number): string {
  return shards === null ? `in ${elapsed(durationMs)}` : `in ${elapsed(durationMs)} (longest shard)`;
}

/** `299 requests in 2 min 26 s; none failed` */
export function sentSentence(analysis: Analysis): string {
  const { run } = analysis;
  const split = shardWords(run);
  const parts = split === null ? '' : `; ${split.charAt(0).toLowerCase()}${split.slice(1)}`;
  if (run.durationMs === null) return `Nothing was sent${parts}`;
  const lost = lostWords(analysis);
  return `${plural(run.requestsSent, 'request')} ${tookWords(run, run.durationMs)}; ${lost.length === 0 ? 'none failed' : lost.join(', ')}${parts}`;
}

/** `38 sent`; a merged run also says how many warm-ups it leaves out. */
export function sentWords({ requestsSent, shards }: Pick<RunSummary, 'requestsSent' | 'shards'>): string {
  const others = (shards?.merged ?? []).reduce((sum, { warmupsLeftOut }) => sum + warmupsLeftOut, 0);
  const warmups = others === 0 ? '' : `, and ${plural(others, 'warm-up')} of other shards that are not in this record`;
  return `${count(requestsSent)} sent${warmups}`;
}
