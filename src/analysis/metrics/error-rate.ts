import { isWhole, type Metric } from '../metric.ts';
import { ANSWERABLE, FAILED } from '../outcome-sets.ts';
import { otherPromptsMeasure, type RateDefinition, rateMeasure } from '../rate.ts';

const DEFINITION: RateDefinition = { metric: 'error_rate', counted: ANSWERABLE, events: FAILED };

/**
 * error_rate = (rejected + no_credit + error + timed_out + unknown_charged + invalid_media) /
 * all but cancelled, dropped, defect, throttled. Over all prompts, of each, and at each step of a sweep.
 */
export const errorRate: Metric = {
  name: 'error_rate',
  measure: (subject) => [
    rateMeasure(subject, DEFINITION),
    ...(isWhole(subject) ? [otherPromptsMeasure(subject, DEFINITION)] : []),
  ],
};
