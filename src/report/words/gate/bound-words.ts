import type { Unit } from '../../../analysis/measures/unit.ts';
import type { GateEvent } from '../../../suite/format/gate.ts';
import type { Bound } from '../../../suite/format/rule.ts';
import { times } from '../measures/ratio-words.ts';
import { differenceWords, valueWords } from '../measures/value-words.ts';

/** Each bound has its own words: one without does not compile. */
interface BoundWords<B extends Bound> {
  readonly side: 'most' | 'least';
  /** `at most 1.05x`. */
  limit(bound: B, unit: Unit): string;
  /** Follows the name of a metric: `may rise by at most 5 %`; by default "must be" and the limit. */
  clause?(bound: B, unit: Unit): string;
  isRatio?(bound: B): boolean;
  /** What it counts; none where it bounds a value. */
  event?(bound: B): EventWords;
}

interface EventWords {
  readonly noun: string;
  readonly outlook: string;
}

type BoundOf<Is extends Bound['is']> = Bound & { readonly is: Is };

const BOUND_WORDS: { readonly [Is in Bound['is']]: BoundWords<BoundOf<Is>> } = {
  max: {
    side: 'most',
    limit: ({ value }, unit) => `at most ${valueWords(value, unit)}`,
  },
  min: {
    side: 'least',
    limit: ({ value }, unit) => `at least ${valueWords(value, unit)}`,
  },
  max_increase: {
    side: 'most',
    limit: (bound, unit) =>
      `at most ${'share' in bound ? times(1 + bound.share) : differenceWords(bound.amount, unit)}`,
    clause: (bound, unit) => `may rise by at most ${changeWords(bound, unit)}`,
    isRatio: (bound) => 'share' in bound,
  },
  max_decrease: {
    side: 'least',
    limit: (bound, unit) =>
      `at least ${'share' in bound ? times(1 - bound.share) : differenceWords(-bound.amount, unit)}`,
    clause: (bound, unit) => `may fall by at most ${changeWords(bound, unit)}`,
    isRatio: (bound) => 'share' in bound,
  },
  max_rise: {
    side: 'most',
    limit: ({ share }) => `at most ${differenceWords(share, '1')}`,
    clause: ({ share }) => `may rise by at most ${threeDigits(share * 100)} points`,
  },
  none: {
    side: 'most',
    limit: ({ event }) => `no ${EVENTS[event].noun} is allowed`,
    clause: ({ event }) => `allows no ${EVENTS[event].noun}`,
    event: ({ event }) => EVENTS[event],
  },
};

export function boundWordsOf({ is }: Bound): BoundWords<Bound> {
  return BOUND_WORDS[is];
}

const EVENTS: Readonly<Record<GateEvent, EventWords>> = {
  departure: { noun: 'differing take', outlook: 'of further takes would differ' },
  error: { noun: 'error', outlook: 'of further takes would fail' },
  blocked: { noun: 'blocked take', outlook: 'of further takes would be blocked' },
  change: { noun: 'change', outlook: 'of further cells would change' },
};

function changeWords(bound: { readonly share: number } | { readonly amount: number }, unit: Unit): string {
  return 'share' in bound ? `${threeDigits(bound.share * 100)} %` : valueWords(bound.amount, unit);
}

function threeDigits(value: number): string {
  return String(Number(value.toPrecision(3)));
}
