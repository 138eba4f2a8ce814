import { fewestThatHold, holdAlpha } from '../../../analysis/held-load.ts';
import { LIMITS_OF_LOAD } from '../../../analysis/sample-times.ts';
import { count, elapsed, plural } from '../../../kit/wording.ts';
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
}

interface PlannedLoad {
  readonly variant: string;
  readonly step: number;
  /** Without the first takes of a group, which meet a load that is not full yet. */
  readonly takes: number;
  /** From the first due time to the last; 0 of closed load. */
  readonly lastsMs: number;
}

type AskedSuite = Pick<Suite, 'hold' | 'load' | 'repeats'>;

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
  };
}

function plannedLoads({ slices }: Plan, { mode }: Load): readonly PlannedLoad[] {
  const loads = new Map<string, PlannedLoad>();
  for (const { trials, pace } of slices) {
    const [first] = trials;
    if (first?.step === undefined || !isMeasured(first)) continue;
    const { variant, step } = first;
    const key = JSON.stringify([variant, step]);
    const { takes, lastsMs } = loads.get(key) ?? { takes: 0, lastsMs: 0 };
    const due = pace.mode === 'open' ? pace.startsMs : [];
    const more = Math.max(0, trials.length - (mode === 'closed' ? step : 0));
    loads.set(key, { variant, step, takes: takes + more, lastsMs: lastsMs + (due.at(-1) ?? 0) - (due[0] ?? 0) });
  }
  return [...loads.values()];
}

/** Of a plan with which no load can be shown to hold: so few takes count, and what would do. Null where one can. */
export function tooFewToHold(suite: AskedSuite, planned: PlannedHold | null): string | null {
  if (planned === null || fewestTakes(planned) >= (planned.independent ?? Infinity)) return null;
  const fewest = fewestTakes(planned);
  const remedy = moreTakes(suite, (planned.takes ?? Infinity) / Math.max(1, fewest));
  return `${plural(fewest, 'take')} count: no load can be shown to hold; ${remedy}`;
}

function fewestTakes({ loads }: PlannedHold): number {
  return Math.min(...loads.map((load) => load.takes));
}

/** What a load can show at best, and the repeats or the duration with which it will. */
export function describeHold(suite: AskedSuite, planned: PlannedHold | null): readonly string[] {
  if (planned === null || suite.hold === null) return [];
  const { independent, takes, lastsMs, loads } = planned;
  const fewest = fewestTakes(planned);
  const asked = takes ?? Infinity;
  const asks = `Hold: ${holdWords(suite.hold)} at each load; with all takes within it, a load needs ${count(independent ?? Infinity)} independent takes, about ${count(asked)} of a queue`;
  const few =
    tooFewToHold(suite, planned) ??
    `${plural(fewest, 'take')} count: a load may stay undecided; ${moreTakes(suite, asked / fewest)}`;
  const short = [...new Set(loads.flatMap((load) => (load.lastsMs < lastsMs ? load.step : [])))].sort((a, b) => a - b);
  return [
    `${asks}; ${fewest >= asked ? `${plural(fewest, 'take')} or more count at each` : few}`,
    ...(short.length === 0
      ? []
      : [
          `  Too short to be shown to hold: ${loadsWords(short, suite.load)}; each load must last ${elapsed(lastsMs)}, ${LIMITS_OF_LOAD} times the limit; ${longerLoad(lastsMs, short)}`,
        ]),
  ];
}
