import type { Analysis } from '../analysis/analysis.ts';
import { beyondStatistic } from '../analysis/held-load.ts';
import { hasNote, type NoteCode, noteNumber } from '../analysis/note.ts';
import { LIMITS_OF_LOAD } from '../analysis/sample-times.ts';
import type { Measure } from '../analysis/summaries.ts';
import type { RuleResult } from '../gate/verdict.ts';
import { groupBy } from '../kit/grouping.ts';
import { declaredWords } from '../kit/value-words.ts';
import { listed, plural, share } from '../kit/wording.ts';
import type { Hold, Load } from '../suite/load.ts';
import { type HeldLimit, heldLimits, sweepSteps } from '../suite/sweep.ts';
import { loadStepWords, loadsWords } from './run-statement.ts';
import { measuresOf } from './statement.ts';

type HoldSource = Pick<Analysis, 'measures' | 'run'>;

/** `p95 <= 2 s and errors <= 5 %`. */
export function holdWords(hold: Hold): string {
  return listed(heldLimits(hold).map((limit) => `${limit.name} <= ${limitWords(limit)}`));
}

/** `2 s`, `5 %`: as declared. */
export function limitWords({ limitMs, share: most }: HeldLimit): string {
  return limitMs === null ? declaredWords(most, '1') : declaredWords(limitMs, 'ms');
}

/** What the takes of a load show; null: it is not decided, or nothing is asked of it. */
export function loadShows(analysis: HoldSource, variant: string, step: number): 'holds' | 'fails' | null {
  const notes = measuresAt(analysis, variant, step)[0]?.notes ?? [];
  return hasNote(notes, 'load_holds') ? 'holds' : hasNote(notes, 'load_fails') ? 'fails' : null;
}

/** One for each limit. */
function measuresAt(analysis: HoldSource, variant: string, step: number): readonly Measure[] {
  const measures = measuresOf(analysis);
  return heldLimits(analysis.run.hold ?? {}).flatMap(
    (limit) => measures(variant, 'capacity', beyondStatistic(limit), step) ?? [],
  );
}

/**
 * Which loads a variant holds, as clauses: `fast holds p95 <= 2 s at 6 in flight and fails it at 8 in flight`; why the
 * lowest that fails does. Holds hostile text.
 */
export function holdClauses(variant: string, analysis: HoldSource): readonly string[] {
  const { hold, plan } = analysis.run;
  const shown = shownOf(variant, analysis);
  if (isAllLate(variant, analysis))
    return [
      `${variant}: this machine was too busy to tell which load holds ${holdWords(hold ?? {})}; use an idle machine`,
    ];
  return [
    heldWords(variant, { ...shown, limit: holdWords(hold ?? {}) }, plan.load),
    ...(shown.fails === null ? [] : becauseRefused(analysis, variant, shown.fails)),
  ];
}

/** What a rule on capacity that did not pass says: which loads hold, and the one that it asks for. */
export function capacityWords({ variant, rule: { bound }, verdict }: RuleResult, analysis: HoldSource): string {
  const asked = 'value' in bound ? loadStepWords(bound.value, analysis.run.plan.load) : 'more';
  const end = verdict === 'fail' ? `the gate asks for ${asked}` : `the gate asks for ${asked}, which is not decided`;
  return [...holdClauses(variant, analysis), end].join('; ');
}

interface ShownLoads {
  readonly holds: number | null;
  readonly fails: number | null;
  readonly steps: readonly number[];
}

function shownOf(variant: string, analysis: HoldSource): ShownLoads {
  const measures = measuresOf(analysis);
  const measured = (statistic: string) => measures(variant, 'capacity', statistic)?.value ?? null;
  return { holds: measured('holds'), fails: measured('fails'), steps: sweepSteps(analysis.run.plan.load) ?? [] };
}

/** Loads between the highest that holds and the lowest that fails. */
export function undecidedLoads(variant: string, analysis: HoldSource): readonly number[] {
  const { holds, fails, steps } = shownOf(variant, analysis);
  return steps.filter(
    (step) => step > (holds ?? 0) && step < (fails ?? Infinity) && loadShows(analysis, variant, step) === null,
  );
}

function heldWords(
  variant: string,
  { holds, fails, limit, steps }: ShownLoads & { readonly limit: string },
  load: Pick<Load, 'mode'>,
): string {
  const at = (step: number) => loadStepWords(step, load);
  if (holds === null) {
    if (fails === null) return `${variant}: no load is shown to hold ${limit} or to fail it`;
    const lowest = steps.length === 1 ? 'the only load tried' : 'the lowest load tried';
    const none = fails === steps[0] ? `, ${lowest}` : '; no load is shown to hold it';
    return `${variant} fails ${limit} at ${at(fails)}${none}`;
  }
  if (fails === null && holds === steps.at(-1)) {
    const tried =
      steps.length === 1 ? `at ${at(holds)}, the only load tried` : `up to ${at(holds)}, the highest load tried`;
    return `${variant} holds ${limit} ${tried}`;
  }
  if (fails === null) return `${variant} holds ${limit} at ${at(holds)}; no higher load is shown to fail`;
  if (holds > fails) return `${variant} holds ${limit} at ${at(holds)} but fails it at ${at(fails)}: no single answer`;
  return `${variant} holds ${limit} at ${at(holds)} and fails it at ${at(fails)}`;
}

/** A load that a rate limit refuses says nothing of the machine behind it. */
function becauseRefused(analysis: HoldSource, variant: string, step: number): readonly string[] {
  const [first] = measuresAt(analysis, variant, step);
  const refused = first === undefined ? null : noteNumber(first.notes, 'rate_limited');
  if (first === undefined || refused === null) return [];
  const { load } = analysis.run.plan;
  return [
    `at ${loadStepWords(step, load)}, a rate limit refused or delayed ${share(refused / first.n)} of the takes (429): that may be the limit of the account, not of the service`,
  ];
}

/** Whether nothing is known of any load because this machine was too busy. */
function isAllLate(variant: string, analysis: HoldSource): boolean {
  const { steps } = shownOf(variant, analysis);
  return steps.length > 0 && steps.every((step) => whyOpen(measuresAt(analysis, variant, step)) === 'late');
}

/** Which loads are not decided, and what would decide them: a clause for each reason. */
export function undecidedClauses(variant: string, analysis: HoldSource): readonly string[] {
  if (isAllLate(variant, analysis)) return [];
  const { complete, plan } = analysis.run;
  const { load } = plan;
  const alike = groupBy(undecidedLoads(variant, analysis), (step) => whyOpen(measuresAt(analysis, variant, step)));
  return [...alike].map(([why, of]) => {
    const which = `${loadsWords(of, load)} ${of.length === 1 ? 'is' : 'are'} not decided`;
    if (why !== 'few') return `${which}: ${OPEN_WORDS[why]}`;
    const needs = of.flatMap((step) =>
      measuresAt(analysis, variant, step).flatMap(({ notes, n }) => {
        const takes = noteNumber(notes, 'holds_from_n');
        return takes === null ? [] : [{ takes, times: takes / n }];
      }),
    );
    const times = Math.max(...needs.map((need) => need.times));
    const most = plural(Math.max(...needs.map(({ takes }) => takes)), 'take');
    return `${which}: to be shown to hold, ${of.length === 1 ? 'it needs' : 'each needs'} about ${most}${complete ? `; ${moreTakes(plan, times)}` : ''}`;
  });
}

/** How a plan sends so many times as much to each load. */
export function moreTakes({ load, repeats }: { readonly load: Load; readonly repeats: number }, times: number): string {
  return load.mode === 'open' && load.stepMs !== undefined
    ? durationRemedy(load.stepMs * times)
    : `add --set repeats=${Math.ceil(repeats * times)}`;
}

/** How rates last so long. The last call of a slow one may be due some gaps before the end. */
export function longerLoad(lastsMs: number, perSecond: readonly number[]): string {
  return durationRemedy(lastsMs + 3000 / Math.min(...perSecond));
}

function durationRemedy(ms: number): string {
  return `add --set load.duration=${Math.ceil(ms / 1000)}s`;
}

const OPEN_WORDS = {
  unmeasured: 'nothing was measured there',
  late: 'this machine was too busy; use an idle machine',
  short: `the load lasted less than ${LIMITS_OF_LOAD} times the longest limit; set a longer load.duration`,
  near: 'about as many takes are beyond the limit as it allows; more takes would tell',
} as const;

function whyOpen(measures: readonly Measure[]): keyof typeof OPEN_WORDS | 'few' {
  const has = (code: NoteCode) => measures.some(({ notes }) => hasNote(notes, code));
  if (measures.every(({ n }) => n === 0)) return 'unmeasured';
  if (has('late_load')) return 'late';
  if (has('short_load')) return 'short';
  return has('holds_from_n') ? 'few' : 'near';
}
