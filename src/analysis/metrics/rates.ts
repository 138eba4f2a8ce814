import { CONFIDENCE } from '../../statistics/quantile.ts';
import { clopperPearson } from '../../statistics/rate-interval.ts';
import type { Load } from '../../suite/load.ts';
import { dependenceOfEvents, worth } from '../dependence.ts';
import {
  ANSWERABLE,
  allBut,
  BLOCKED,
  type EffectiveOutcome,
  type EffectiveSample,
  FAILED,
  hasWaitedUnseen,
  isSlow,
  SLOW_COUNTED,
  slowStatistic,
} from '../effective-sample.ts';
import { tenths } from '../measures/order-statistics.ts';
import {
  type EventReading,
  type Finding,
  type Gated,
  gatedFindings,
  isWhole,
  type Metric,
  type Scale,
  type Subject,
} from '../metric.ts';
import { type Note, noted } from '../note.ts';

interface RateDefinition {
  readonly counted: ReadonlySet<EffectiveOutcome>;
  readonly events: ReadonlySet<EffectiveOutcome>;
  /** Which takes of these outcomes count; absent: all. */
  readonly isCounted?: (effective: EffectiveSample) => boolean;
  /** Events besides those of an outcome. */
  readonly isEvent?: (effective: EffectiveSample) => boolean;
  /** Whether dependent latencies widen this rate, because the same causes produce its events. */
  readonly followsLatency?: (load: Load) => boolean;
}

const RATE_SCALE = { unit: '1', better: 'lower' } as const satisfies Scale;

const RATE_GATE: Gated = { statistics: [{ statistic: 'rate', bounded: { by: 'events', among: 'takes' } }] };

function isCountedIn({ counted, isCounted = () => true }: RateDefinition, take: EffectiveSample): boolean {
  return counted.has(take.outcome) && isCounted(take);
}

function isEventOf({ events, isEvent = () => false }: RateDefinition, take: EffectiveSample): boolean {
  return events.has(take.outcome) || isEvent(take);
}

function rateReading(definition: RateDefinition): EventReading {
  return {
    statistic: 'rate',
    effect: 'rate',
    read: (take) => (isCountedIn(definition, take) ? isEventOf(definition, take) : null),
  };
}

/**
 * Clopper and Pearson over the effective number of takes. It is conservative if prompts have different rates: a sum of
 * unequal Bernoulli trials never has more variance than the binomial (Hoeffding, Annals of Mathematical Statistics 27,
 * 1956, 713-721).
 */
function rateFinding(subject: Subject, definition: RateDefinition): Finding {
  const taken = subject.samples.filter((take) => isCountedIn(definition, take));
  const trials = taken.length;
  const shared = { statistic: 'rate', n: trials, method: 'clopper_pearson' } as const;
  if (trials === 0) return { ...shared, value: null, interval: null, notes: [noted('no_trial')] };
  const events = taken.filter((take) => isEventOf(definition, take)).length;
  const value = events / trials;
  const effectiveN = worthOf(subject, definition, taken);
  const counted =
    effectiveN === trials
      ? { events, trials, possible: trials }
      : { events: value * effectiveN, trials: effectiveN, possible: effectiveN };
  const interval = clopperPearson(counted.events, counted.trials, CONFIDENCE);
  const notes = effectiveN === trials ? [] : [noted('effective_n', tenths(effectiveN))];
  return { ...shared, value, counted, interval, notes };
}

/**
 * Closed load widens only if a permutation test is significant, so that chance alone does not undecide a planned rule.
 * Under open load calls wait for each other, and the test may miss it.
 */
function worthOf(subject: Subject, definition: RateDefinition, taken: readonly EffectiveSample[]): number {
  const latencies = definition.followsLatency?.(subject.plan.load) === true ? subject.dependence : null;
  const eventDependence =
    subject.prompt === null ? dependenceOfEvents(taken, (take) => isEventOf(definition, take)) : null;
  const isOpen = subject.plan.load.mode === 'open';
  return [latencies, eventDependence].reduce(
    (least, dependence) =>
      dependence !== null && (isOpen || dependence.significant)
        ? Math.min(least, worth(taken.length, dependence))
        : least,
    taken.length,
  );
}

function outcomeRate(
  definition: RateDefinition,
  described: Pick<Metric, 'name' | 'meaning'> & Pick<Gated, 'event' | 'ofKinds'>,
  isMeasured: (subject: Subject) => boolean,
): Metric {
  const { name, meaning, ...gated } = described;
  return {
    name,
    meaning,
    ...RATE_SCALE,
    whenCached: 'as_is',
    takes: [rateReading(definition)],
    gate: { ...RATE_GATE, ...gated },
    measure: (subject) => (isMeasured(subject) ? [rateFinding(subject, definition)] : []),
  };
}

/** (moderated + blank) / (ok + moderated + blank), over all prompts, by step and by prompt, because prompts are blocked. */
export const blockRate: Metric = outcomeRate(
  { counted: new Set(['ok', ...BLOCKED]), events: BLOCKED },
  {
    name: 'block_rate',
    meaning: 'Share of moderated or blank takes among takes that are delivered, moderated or blank.',
    event: 'blocked',
  },
  () => true,
);

/** Edits at the level `near` of their first input image, or nearer / delivered edits that were compared with it. */
export const editUnchanged: Metric = outcomeRate(
  {
    counted: new Set(['ok']),
    events: new Set(),
    isCounted: ({ edit }) => typeof edit?.unchanged === 'boolean',
    isEvent: ({ edit }) => edit?.unchanged === true,
  },
  {
    name: 'edit.unchanged',
    meaning: 'Share of edits whose output is visually identical to the first input image: the edit did nothing.',
    ofKinds: ['image-edit'],
  },
  ({ step, variant }) => step === null && variant.kind === 'image-edit',
);

/** Failed trials (`FAILED`) / all that could be answered (`ANSWERABLE`). */
export const errorRate: Metric = outcomeRate(
  {
    counted: ANSWERABLE,
    events: FAILED,
    // A queue under open load also causes time-outs and refusals; closed load keeps it short.
    followsLatency: ({ mode }) => mode === 'open',
  },
  {
    name: 'error_rate',
    meaning:
      'Share of takes that failed: rejected, no credit, error, timed out, invalid media or unknown outcome. Cancelled, dropped and throttled takes are left out.',
    event: 'error',
  },
  () => true,
);

/** throttled / all but cancelled, dropped and defect. A refusal that was waited out counts in `attempts` instead. */
export const throttledRate: Metric = outcomeRate(
  { counted: allBut('cancelled', 'defect', 'dropped'), events: new Set(['throttled']) },
  { name: 'throttled_rate', meaning: 'Share of takes refused by a rate limit.' },
  ({ prompt }) => prompt === null,
);

const COUNTED = allBut('cancelled', 'defect');

/** Starts dropped at the ceiling / all but cancelled and defect. No interval: drops follow one another. */
export const droppedRate: Metric = {
  name: 'dropped_rate',
  meaning:
    'Share of starts dropped because load.concurrency was reached. Open load only; no interval, because drops come one after another.',
  ...RATE_SCALE,
  whenCached: 'as_is',
  gate: { statistics: gatedFindings('rate') },
  measure: (subject) => {
    if (!isWhole(subject)) return [];
    const n = subject.samples.filter(({ outcome }) => COUNTED.has(outcome)).length;
    const dropped = subject.samples.filter(({ outcome }) => outcome === 'dropped').length;
    const value = n === 0 ? null : dropped / n;
    return [{ statistic: 'rate', value, n, interval: null, method: 'count', notes: notesOf(n, subject) }];
  },
};

function notesOf(n: number, { plan: { load } }: Subject): Note[] {
  if (n === 0) return [noted('no_trial')];
  return load.mode === 'closed' ? [noted('closed_load')] : [noted('no_interval'), noted('ceiling', load.concurrency)];
}

/** Share of takes above a limit of the gate. `limitsMs`: ascending and distinct; none gives no measure. */
export function slowRate(limitsMs: readonly number[]): Metric {
  return {
    name: 'slow_rate',
    meaning: 'Takes that took longer than the limit of a rule, of those that were delivered or timed out.',
    ...RATE_SCALE,
    whenCached: 'first_takes',
    takes: limitsMs.map((limitMs) => ({
      statistic: slowStatistic(limitMs),
      effect: 'rate',
      read: (take) => (SLOW_COUNTED.has(take.outcome) ? isSlow(take, limitMs) : null),
    })),
    gate: {
      statistics: limitsMs.map((limitMs) => ({
        statistic: slowStatistic(limitMs),
        bounded: { by: 'events', among: 'takes' },
      })),
      over: { statistic: 'rate', at: slowStatistic },
      madeOf: 'polls',
      leavesOutWait: hasWaitedUnseen,
    },
    measure: (subject) => limitsMs.map((limitMs) => slowFinding(subject, limitMs)),
  };
}

function slowFinding(subject: Subject, limitMs: number): Finding {
  const finding = rateFinding(
    { ...subject, samples: subject.samples.filter(({ timed }) => timed) },
    {
      counted: SLOW_COUNTED,
      events: new Set(['timed_out']),
      isEvent: (take) => isSlow(take, limitMs),
      followsLatency: () => true,
    },
  );
  return { ...finding, statistic: slowStatistic(limitMs) };
}
