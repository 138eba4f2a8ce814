import { fewestThatHold, holdAlpha } from '../../../analysis/held-load.ts';
import { LIMITS_OF_LOAD } from '../../../analysis/sample-times.ts';
import { count, elapsed, plural } from '../../../kit/wording.ts';
import { passesOf } from '../../../plan/load-slices.ts';
import { isMeasured, type Plan } from '../../../plan/plan.ts';
import { holdWords, longerLoad, moreTakes } from '../../../report/hold-statement.ts';
import { loadsWords } from '../../../report/run-statement.ts';
import type { Load } from '../../../suite/load.ts';
import type { Suite } from '../../../suite/suite.ts';
import { heldLimits, stepsOf } from '../../../suite/sweep.ts';

/** Takes of a queue depend on each other: so many times as many independent ones show in 98 of 100 runs what they can. */
const DEPENDENT = 2;

/** What a load needs so that it can be shown to hold, and what each has. */
interface PlannedHold {
  /** With all takes within the limits; null: no number would do. */
  readonly independent: number | null;
  /** About so many of a queue. */
  readonly takes: number | null;
  /** So long an open load must last; 0 of closed load. */
  readonly lastsMs: number;
  readonly loads: readonly PlannedLoad[];
  /** Of the whole plan. */
  readonly requests: number;
}

interface PlannedLoad {
  readonly variant: string;
  readonly step: number;
  readonly sent: number;
  /** Without the first takes of a group, which meet a load that is not full yet. */
  readonly takes: number;
  /** From the first due time to the last; 0 of closed load. */
  readonly lastsMs: number;
}

type AskedSuite = Pick<Suite, 'hold' | 'load' | 'repeats' | 'limits'>;

/** Null where the suite asks nothing of its loads. */
export function plannedHold({ hold, load }: AskedSuite, variants: number, plan: Plan): PlannedHold | null {
  const steps = stepsOf(load);
  if (hold === null || steps === null) return null;
  const limits = heldLimits(hold);
  const alpha = holdAlpha(variants * steps.length, limits.length).holds;
  const needs = Math.max(...limits.map(({ share }) => fewestThatHold(0, share, alpha) ?? Infinity));
  const independent = Number.isFinite(needs) ? needs : null;
  const longestMs = Math.max(...limits.map(({ limitMs }) => limitMs ?? 0));
  return {
    independent,
    takes: independent === null ? null : DEPENDENT * independent,
    lastsMs: load.mode === 'open' ? LIMITS_OF_LOAD * longestMs : 0,
    loads: plannedLoads(plan, load),
    requests: plan.requests,
  };
}

function plannedLoads({ slices }: Plan, { mode }: Load): readonly PlannedLoad[] {
  const loads = new Map<string, PlannedLoad>();
  for (const { trials, pace } of slices) {
    const [first] = trials;
    if (first?.step === undefined || !isMeasured(first)) continue;
    const { variant, step } = first;
    const key = JSON.stringify([variant, step]);
    const { sent, takes, lastsMs } = loads.get(key) ?? { sent: 0, takes: 0, lastsMs: 0 };
    const due = pace.mode === 'open' ? pace.startsMs : [];
    const more = Math.max(0, trials.length - (mode === 'closed' ? step : 0));
    const longerMs = lastsMs + (due.at(-1) ?? 0) - (due[0] ?? 0);
    loads.set(key, { variant, step, sent: sent + trials.length, takes: takes + more, lastsMs: longerMs });
  }
  return [...loads.values()];
}

/** Loads with too few takes to be shown to hold, and what would do; null where there is none. */
export function tooFewToHold(suite: AskedSuite, planned: PlannedHold | null): string | null {
  if (planned === null || planned.independent === null) return null;
  const { independent, loads } = planned;
  const few = loads.filter(({ takes }) => takes < independent);
  if (few.length === 0) return null;
  const which = loadsWords(stepsIn(few), suite.load);
  const cannot = few.length === loads.length ? 'no load can be shown to hold' : `${which} cannot be shown to hold`;
  return `${cannot} with ${plural(fewestTakes(planned), 'take')} that count; ${enough(suite, planned)}`;
}

/** How each load gets enough takes: repeats, and a limit on requests that does not end the run before; or a duration. */
function enough({ load, repeats, limits }: AskedSuite, planned: PlannedHold): string {
  const { takes, loads, requests } = planned;
  const asked = takes ?? Infinity;
  if (load.mode === 'open') return moreTakes({ load, repeats }, asked / Math.max(1, fewestTakes(planned)));
  const needed = Math.max(...loads.map(({ sent, step }) => repeatsFor(asked, step, sent / repeats)));
  const more = loads.reduce((sum, { sent }) => sum + (sent / repeats) * (needed - repeats), requests);
  const isAbove = limits.requests !== null && more > limits.requests;
  return `add --set repeats=${needed}${isAbove ? ` --set limits.requests=${more}` : ''}`;
}

/** The fewest repeats with which so many takes count: without the first of each group, as many as the load has slots. */
function repeatsFor(asked: number, step: number, cells: number): number {
  for (let repeats = Math.ceil(asked / cells); ; repeats += 1) {
    if (cells * repeats - step * passesOf(step, cells, repeats) >= asked) return repeats;
  }
}

function fewestTakes({ loads }: PlannedHold): number {
  return Math.min(...loads.map((load) => load.takes));
}

function stepsIn(loads: readonly PlannedLoad[]): readonly number[] {
  return [...new Set(loads.map(({ step }) => step))].sort((a, b) => a - b);
}

/** What a load can show at best, and the repeats or the duration with which it will. */
export function describeHold(suite: AskedSuite, planned: PlannedHold | null): readonly string[] {
  if (planned === null || suite.hold === null) return [];
  const { independent, takes, lastsMs, loads } = planned;
  const holds = `Hold: ${holdWords(suite.hold)} at each load`;
  if (independent === null || takes === null) return [`${holds}: no number of takes can show that`];
  const fewest = fewestTakes(planned);
  const asks = `${holds}; if all takes come within it, a load needs ${count(independent)} takes, or about ${count(takes)} where requests wait`;
  const few =
    tooFewToHold(suite, planned) ??
    `a load may stay undecided with ${plural(fewest, 'take')} that count; ${enough(suite, planned)}`;
  const short = stepsIn(loads.filter((load) => load.lastsMs < lastsMs));
  return [
    `${asks}; ${fewest >= takes ? `${plural(fewest, 'take')} or more count at each` : few}`,
    ...(short.length === 0
      ? []
      : [
          `  Too short to be shown to hold: ${loadsWords(short, suite.load)}; a load must last ${elapsed(lastsMs)}, ${LIMITS_OF_LOAD} times the longest limit; ${longerLoad(lastsMs, short)}`,
        ]),
  ];
}
