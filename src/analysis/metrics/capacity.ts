import { groupBy } from '../../kit/grouping.ts';
import { isUnanswered } from '../../record/trial-histories.ts';
import { sum } from '../../statistics/mean.ts';
import type { Hold, Load } from '../../suite/load.ts';
import { type HeldLimit, heldLimits, sweepSteps } from '../../suite/sweep.ts';
import { allBut, FAILED, hasWaited, headlineMs, LATE, SLOWED, type TimedSample } from '../effective-sample.ts';
import { beyondStatistic, type HeldTake, holdAlpha, type LimitFinding, limitFindings } from '../held-load.ts';
import { growingQueue, queued } from '../measures/growing-queue.ts';
import type { Finding, Metric, Subject } from '../metric.ts';
import { type Note, noted } from '../note.ts';
import { areTooManyLate, LIMITS_OF_LOAD, sliceOf, spanMs } from '../sample-times.ts';

/** What a suite asks of the loads of its sweep. */
export interface AskedHold {
  readonly hold: Hold;
  readonly load: Load;
  readonly variants: number;
}

/** The loads of a sweep that hold what the suite asks. Null: it asks for nothing. */
export function capacity(asked: AskedHold | null): Metric {
  return {
    name: 'capacity',
    meaning:
      'The highest load of a sweep that holds the limits of load.hold, and the lowest that fails them; at each load the share of takes beyond each limit. A take that failed, was refused for its rate, or waited for a refusal is beyond every limit. All claims of a run together are wrong in at most 1 of 20 runs.',
    unit: asked?.load.mode === 'open' ? '1/s' : 'in_flight',
    better: 'higher',
    statistics: Object.fromEntries(
      limitsOf(asked).map((limit) => [beyondStatistic(limit), { unit: '1', better: 'lower' }]),
    ),
    whenCached: 'first_takes',
    gate:
      asked === null
        ? { never: 'without_hold' }
        : {
            statistics: [{ statistic: 'holds', bounded: { by: 'finding' } }],
            ofVariant: true,
            ofSweep: true,
            ...(asked.load.mode === 'open' ? { writtenAs: 'rate' } : {}),
          },
    measure: (subject) => {
      if (asked === null || subject.prompt !== null) return [];
      return subject.step === null ? wholeFindings(subject, asked) : stepFindings(subject.step, subject.samples, asked);
    },
  };
}

function limitsOf(asked: AskedHold | null): readonly HeldLimit[] {
  return asked === null ? [] : heldLimits(asked.hold);
}

/** What a load shows: it holds all its limits, fails one, or neither. */
type LoadShows = 'holds' | 'fails' | null;

interface LoadFinding {
  readonly shows: LoadShows;
  readonly limits: readonly LimitFinding[];
  readonly notes: readonly Note[];
}

/** Moderated and blank takes are answers of another kind; the others tell nothing of the load. */
const COUNTED = allBut('cancelled', 'defect', 'moderated', 'blank');

const MISSED = new Set([...FAILED, 'throttled', 'dropped']);

/**
 * The takes that were sent while the load was full. Under closed load the first of a slice, as many as its slots, meet
 * a service that is not full yet; jobs of an earlier process were there before. A take of two processes has no
 * durations, and one whose process was killed tells nothing of the service.
 */
function takesAtLoad(step: number, samples: readonly TimedSample[], { mode }: Load): readonly TimedSample[] {
  const filling = mode === 'closed' ? step : 0;
  return [...groupBy(samples, ({ sample }) => sliceOf(sample)).values()].flatMap((slice) =>
    slice
      .filter(({ flags }) => !flags.includes('resumed'))
      .slice(filling)
      .filter(({ timed, outcome, sample }) => timed && COUNTED.has(outcome) && !isUnanswered(sample)),
  );
}

function heldTake(take: TimedSample, load: Load): HeldTake {
  const missed = MISSED.has(take.outcome) || hasWaited(take) || take.flags.includes(SLOWED);
  return { missed, ms: missed ? Infinity : (headlineMs(take, load) ?? Infinity) };
}

function findingOfLoad(step: number, samples: readonly TimedSample[], asked: AskedHold): LoadFinding {
  const { load } = asked;
  const limits = heldLimits(asked.hold);
  const alpha = holdAlpha(asked.variants * (sweepSteps(load)?.length ?? 1), limits.length);
  const takes = takesAtLoad(step, samples, load);
  const held = takes.map((take) => heldTake(take, load));
  const found = limitFindings(held, limits, alpha);
  const refused = takes.filter((take) => take.outcome === 'throttled' || hasWaited(take)).length;
  const notes = refused === 0 ? [] : [noted('rate_limited', refused)];
  if (found.length === 0) return { shows: null, limits: found, notes: [noted('no_trial')] };
  const late = takes.filter(({ flags }) => flags.includes(LATE)).length;
  if (areTooManyLate({ late, samples: takes.length })) {
    return { shows: null, limits: found, notes: [noted('late_load'), ...notes] };
  }
  const isGrown = load.mode === 'open' && limits.some(({ limitMs }) => limitMs !== null && endsAbove(takes, limitMs));
  if (isGrown || found.some(({ shows }) => shows === 'fails')) {
    return { shows: 'fails', limits: found, notes: [...(isGrown ? [noted('queue_grew')] : []), ...notes] };
  }
  const shortestMs = LIMITS_OF_LOAD * Math.max(0, ...limits.map(({ limitMs }) => limitMs ?? 0));
  if (load.mode === 'open' && spanMs(takes.map(({ sample }) => sample)) < shortestMs) {
    return { shows: null, limits: found, notes: [noted('short_load'), ...notes] };
  }
  return { shows: found.every(({ shows }) => shows === 'holds') ? 'holds' : null, limits: found, notes };
}

/** Whether the queue grew through an open load, and ended above a limit. */
function endsAbove(takes: readonly TimedSample[], limitMs: number): boolean {
  const grown = growingQueue(takes.map(queued));
  return grown !== null && grown.lastMs > limitMs;
}

function stepFindings(step: number, samples: readonly TimedSample[], asked: AskedHold): readonly Finding[] {
  const { shows, limits, notes } = findingOfLoad(step, samples, asked);
  const said = shows === null ? [] : [noted(shows === 'holds' ? 'load_holds' : 'load_fails')];
  return limits.map(({ limit, bad, n, effective, low, high, level, needs }) => ({
    statistic: beyondStatistic(limit),
    value: bad / n,
    n,
    interval: { low, high },
    level,
    method: 'clopper_pearson',
    notes: [
      ...said,
      ...(shows === null && needs !== null ? [noted('holds_from_n', needs)] : []),
      ...(Math.floor(effective) < n ? [noted('effective_n', Math.floor(effective))] : []),
      ...notes,
    ],
  }));
}

/**
 * The highest load that holds and the lowest that fails. Where one holds above one that fails, neither bounds the
 * capacity.
 */
function wholeFindings({ samples }: Subject, asked: AskedHold): readonly Finding[] {
  const steps = sweepSteps(asked.load) ?? [];
  const byStep = groupBy(samples, ({ sample }) => sample.trial.step);
  const shown = steps.map((step) => ({ step, ...findingOfLoad(step, byStep.get(step) ?? [], asked) }));
  const holds = shown.findLast(({ shows }) => shows === 'holds')?.step ?? null;
  const fails = shown.find(({ shows }) => shows === 'fails')?.step ?? null;
  const isCrossed = holds !== null && fails !== null && holds > fails;
  const n = sum(shown.map(({ limits: [first] }) => first?.n ?? 0));
  const shared = { n, interval: null, method: 'loads' } as const;
  const notes = isCrossed ? [noted('holds_above_fails')] : [];
  // Of the loads that were tried, the highest below the lowest that fails.
  const most = fails === null ? Infinity : (steps.findLast((step) => step < fails) ?? 0);
  const possible = isCrossed ? { low: 0, high: Infinity } : { low: holds ?? 0, high: most };
  return [
    { statistic: 'holds', value: holds, possible, ...shared, notes: holds === null ? [noted('no_load_holds')] : notes },
    { statistic: 'fails', value: fails, ...shared, notes: fails === null ? [noted('no_load_fails')] : notes },
  ];
}
