import { allBut } from '../effective-sample.ts';
import { RATE_GATE, RATE_SCALE, type RateDefinition, rateFinding, rateReading } from '../measures/rate.ts';
import type { Metric } from '../metric.ts';

const DEFINITION: RateDefinition = {
  counted: allBut('cancelled', 'defect', 'dropped'),
  events: new Set(['throttled']),
};

/** throttled / all but cancelled, dropped and defect. A refusal that was waited out counts in `attempts` instead. */
export const throttledRate: Metric = {
  name: 'throttled_rate',
  meaning: 'Share of takes refused by a rate limit.',
  ...RATE_SCALE,
  whenCached: 'as_is',
  takes: [rateReading(DEFINITION)],
  gate: RATE_GATE,
  measure: (subject) => (subject.prompt === null ? [rateFinding(subject, DEFINITION)] : []),
};
