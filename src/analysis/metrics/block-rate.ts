import { isBlank } from '../blank.ts';
import { isWhole, type Metric } from '../metric.ts';
import { otherPromptsMeasure, type RateDefinition, rateMeasure } from '../rate.ts';

const DEFINITION: RateDefinition = {
  metric: 'block_rate',
  counted: new Set(['ok', 'moderated']),
  events: new Set(['moderated']),
  isEvent: isBlank,
};

/**
 * block_rate = (moderated + blank) / (ok + moderated + blank), a blank picture being one that is ok and has nothing on it:
 * how often a prompt that reached the model was refused for what it says or shows. Over all prompts and of each, because
 * it is prompts that are blocked.
 */
export const blockRate: Metric = {
  name: 'block_rate',
  measure: (subject) =>
    subject.step !== null
      ? []
      : [rateMeasure(subject, DEFINITION), ...(isWhole(subject) ? [otherPromptsMeasure(subject, DEFINITION)] : [])],
};
