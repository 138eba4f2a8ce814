import type { Metric, Subject } from '../../analysis/metric.ts';
import { STABILITY_EVENT, STABILITY_METRICS } from '../../analysis/stability.ts';
import { oneOf } from '../../kit/wording.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import { clopperPearsonUpper } from '../../statistics/rate-interval.ts';
import type { GateEvent } from '../../suite/gate.ts';
import type { Bound } from '../../suite/rule.ts';
import { type KeyedFault, metricOf, statisticOf } from '../deciding/rule-statistic.ts';
import {
  isUntestable,
  subjectOf,
  UNTESTED,
  undecidedCase,
  type WeighedCase,
  worstPrompts,
} from '../deciding/weighing.ts';
import type { RuleCase } from '../rule-case.ts';
import type { Decision } from '../verdict.ts';
import type { BoundKind, EventWords } from './bound-kind.ts';

/* `none`: not one such event may happen. */

export function events({ event }: Extract<Bound, { readonly is: 'none' }>): BoundKind {
  const words = WORDS[event];
  const allows = { low: -Infinity, high: 0 };
  return {
    allows,
    comparesVariants: false,
    usesEstimate: false,
    drifts: () => false,
    lookPart: () => 'events',
    event: words,
    words: () => ({ limit: words.forbidden, isClause: true, clause: `allows no ${words.noun}` }),
    faults: (rule, { metrics }) => eventFaults(rule.metric, event, metrics),

    plan: ({ takes }) => {
      const chance = 1 - Math.exp(takes.length * Math.log1p(-EVENT_RATE));
      return { units: 'takes', n: takes.length, reach: { can: 'find_event', chance } };
    },

    weigh: (ruleCase, grounds, kept) => {
      const { rule } = ruleCase;
      const metric = metricOf(rule, grounds.metrics);
      if (isUntestable(ruleCase, metric, grounds)) return undecidedCase('not_testable');
      const statistic = statisticOf(rule, metric);
      const weighed = (someCase: RuleCase) =>
        weighEvents(countEvents(metric, statistic, subjectOf(someCase, grounds, kept)));
      const worst = worstPrompts(ruleCase, grounds, kept, (someCase) => weighed(someCase).estimate, allows);
      return { ...weighed(ruleCase), worst };
    },
  };
}

const WORDS: Readonly<Record<GateEvent, EventWords>> = {
  departure: {
    noun: 'differing take',
    forbidden: 'no take may differ',
    none: 'none did',
    outlook: 'of further takes would differ',
  },
  error: {
    noun: 'error',
    forbidden: 'no take may fail',
    none: 'none did',
    outlook: 'of further takes would fail',
  },
  blocked: {
    noun: 'blocked take',
    forbidden: 'no take may be blocked',
    none: 'none was',
    outlook: 'of further takes would be blocked',
  },
  change: {
    noun: 'change',
    forbidden: 'no output may change',
    none: 'none did',
    outlook: 'of further prompts x seeds would change',
  },
};

/** Assumed rate of an event when the chance of a fail is stated. */
const EVENT_RATE = 0.005;

function eventFaults(metric: string, event: GateEvent, metrics: readonly Metric[]): readonly KeyedFault[] {
  const counting =
    event === STABILITY_EVENT
      ? [...STABILITY_METRICS.keys()]
      : metrics.flatMap(({ name, gate }) => ('event' in gate && gate.event === event ? [name] : []));
  if (counting.includes(metric)) return [];
  return [{ key: 'none', cause: `${event} is an event of other metrics`, remedy: `use ${oneOf(counting)}` }];
}

interface EventCount {
  readonly events: number;
  readonly n: number;
}

function countEvents(metric: Metric, statistic: string, subject: Subject): EventCount {
  const finding = metric.measure(subject).find((candidate) => candidate.statistic === statistic);
  return { events: Math.round((finding?.value ?? 0) * (finding?.n ?? 0)), n: finding?.n ?? 0 };
}

export function weighEvents(counted: EventCount): WeighedCase {
  const { events: count, n } = counted;
  return {
    ...UNTESTED,
    decide: () => decideNone(counted),
    effect: 'value',
    unit: '1',
    estimate: n === 0 ? null : count / n,
    upperBound: n === 0 ? null : clopperPearsonUpper(count, n, CONFIDENCE),
    n,
  };
}

export function decideNone({ events: count, n }: EventCount): Decision {
  if (count > 0) return { verdict: 'fail', code: 'event_found' };
  return n === 0 ? { verdict: 'inconclusive', code: 'nothing_to_count' } : { verdict: 'pass', code: 'no_event' };
}
