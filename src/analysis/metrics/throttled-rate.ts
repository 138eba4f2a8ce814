import type { Metric } from '../metric.ts';
import { allBut } from '../outcome-sets.ts';
import { rateMeasure } from '../rate.ts';

const COUNTED = allBut('cancelled', 'defect', 'dropped');

/**
 * throttled_rate = throttled / all but cancelled, dropped, defect: trials that ended refused for coming too fast.
 * A refusal that was waited out and sent again is no event here; it is counted in `attempts`. Over all prompts
 * only, of a sweep at each step too: throttling is about load, not about a prompt.
 */
export const throttledRate: Metric = {
  name: 'throttled_rate',
  measure: (subject) =>
    subject.prompt === null
      ? [rateMeasure(subject, { metric: 'throttled_rate', counted: COUNTED, events: new Set(['throttled']) })]
      : [],
};
