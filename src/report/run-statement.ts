import type { Analysis } from '../analysis/analysis.ts';
import { BLOCKED } from '../analysis/effective-sample.ts';
import { incompleteCause, whyIncomplete } from '../analysis/incomplete.ts';
import type { FailureGroup, VariantSummary } from '../analysis/summaries.ts';
import { groupBy } from '../kit/grouping.ts';
import { outputNoun, variantNames } from '../kit/names.ts';
import { failureMessage, OUTCOME_WORDS } from '../kit/outcome-words.ts';
import { clipped } from '../kit/text-width.ts';
import { count, listed, plural, share, usd } from '../kit/wording.ts';
import type { Spend } from '../record/run.ts';

/** A complete run has a result for each planned take; failed takes count. */
export function completeness(analysis: Analysis): string {
  const { run } = analysis;
  if (!run.complete) return `Incomplete: ${whatIsComplete(analysis)}`;
  if (isWhole(analysis)) return `Complete: ${whatIsComplete(analysis)}`;
  return `Complete, but of ${plannedTakes(analysis)} ${listed(withoutDelivery(analysis))}`;
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

/** `4 failed`, `1 was blocked`, `14 were dropped (never sent)`. */
function withoutDelivery({ failures, variants }: Pick<Analysis, 'failures' | 'variants'>): readonly string[] {
  const { failed, blocked } = undelivered(failures);
  const dropped = droppedStarts(variants);
  const were = (takes: number) => `${count(takes)} ${takes === 1 ? 'was' : 'were'}`;
  return [
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(blocked > 0 ? [`${were(blocked)} blocked`] : []),
    ...(dropped > 0 ? [`${were(dropped)} dropped (never sent)`] : []),
  ];
}

export function isWhole(analysis: Analysis): boolean {
  return analysis.run.complete && withoutDelivery(analysis).length === 0;
}

/** A blocked take was refused by moderation, or is blank. */
export function undelivered(failures: Analysis['failures']): { readonly failed: number; readonly blocked: number } {
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
  return isCut ? `${plural(planned, 'take')} sent until the gate was decided` : plural(planned, 'planned take');
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
  const causes = groupBy(failures, ({ outcome, code, httpStatus }) => JSON.stringify([outcome, code, httpStatus]));
  return [...causes.values()]
    .toSorted((a, b) => failedIn(b) - failedIn(a))
    .flatMap((groups): FailureCause[] => {
      const [first] = groups;
      if (first === undefined) return [];
      const names = [...new Set(groups.map(({ variant }) => variant))];
      const failed = failedIn(groups);
      const message = failureMessage(first);
      const takes = names.reduce((sum, name) => sum + (sent.get(name) ?? 0), 0);
      return [
        {
          who: variantNames(names, variants.length),
          takes: `${count(failed)} of ${plural(takes, outputNounOf(names, variants))}${takes > 0 ? ` (${share(failed / takes)})` : ''}`,
          exampleTrial: first.exampleTrial,
          outcome: OUTCOME_WORDS[first.outcome],
          code: codeWords(first),
          message: clipped(message, MOST_WIDTH),
          wholeMessage: message,
        },
      ];
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
  const spenders = variants.flatMap(({ name, spend: own }) =>
    own === null || own.requests === 0 ? [] : [`${name} ${knownUsd(own)}`],
  );
  const each = spenders.length > 1 && spenders.length <= MOST_VARIANTS ? ` (${spenders.join(', ')})` : '';
  if (spend.unknownRequests === 0) return `Spent: ${usd(spend.usd)}${each}`;
  const of = `unknown for ${count(spend.unknownRequests)} of ${plural(spend.requests, 'request')}`;
  const isAllUnknown = spend.unknownRequests === spend.requests;
  const known = isAllUnknown ? '' : `${usd(spend.usd)}${each}; `;
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
