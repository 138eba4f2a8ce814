import type { Metric } from '../metric.ts';
import { ANSWERABLE, FAILED } from '../outcome-sets.ts';
import { rateMeasure } from '../rate.ts';

/**
 * error_rate = (rejected + no_credit + error + timed_out + unknown_charged + invalid_media) /
 * all but cancelled, dropped, defect, throttled. Over all prompts, of each, and at each step of a sweep.
 */
export const errorRate: Metric = {
  name: 'error_rate',
  measure: (subject) => [rateMeasure(subject, { metric: 'error_rate', counted: ANSWERABLE, events: FAILED })],
};
