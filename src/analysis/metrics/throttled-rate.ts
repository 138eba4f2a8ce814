import { allBut } from '../effective-sample.ts';
import { RATE_GATE, RATE_SCALE, type RateDefinition, rateFinding, rateReading } from '../measures/rate.ts';
import type { Metric } from '../metric.ts';

const DEFINITION: RateDefinition = {
  counted: allBut('cancelled', 'defect', 'dropped'),
  events: new Set(['throttled']),
};

/**
 * throttled_rate = throttled / all but cancelled, dropped, defect: trials that ended refused for coming too fast.
 * A refusal that was waited out and sent again is no event here; it is counted in `attempts`. Over all prompts
 * only, of a sweep at each step too: throttling is about load, not about a prompt.
 */
export const throttledRate: Metric = {
  name: 'throttled_rate',
  meaning: 'Share of takes refused by a rate limit.',
  ...RATE_SCALE,
  whenCached: 'as_is',
  takes: [rateReading(DEFINITION)],
  gate: RATE_GATE,
  measure: (subject) => (subject.prompt === null ? [rateFinding(subject, DEFINITION)] : []),
};
