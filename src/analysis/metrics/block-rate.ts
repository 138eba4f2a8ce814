import { BLOCKED } from '../effective-sample.ts';
import {
  otherPromptsFinding,
  RATE_GATE,
  RATE_SCALE,
  type RateDefinition,
  rateFinding,
  rateReading,
} from '../measures/rate.ts';
import { isWhole, type Metric } from '../metric.ts';

const DEFINITION: RateDefinition = {
  counted: new Set(['ok', ...BLOCKED]),
  events: BLOCKED,
};

/** (moderated + blank) / (ok + moderated + blank), over all prompts and by prompt, because prompts are blocked. */
export const blockRate: Metric = {
  name: 'block_rate',
  meaning: 'Share of moderated or blank takes among takes that are delivered, moderated or blank.',
  ...RATE_SCALE,
  whenCached: 'as_is',
  takes: [rateReading(DEFINITION)],
  gate: { ...RATE_GATE, event: 'blocked' },
  measure: (subject) =>
    subject.step !== null
      ? []
      : [rateFinding(subject, DEFINITION), ...(isWhole(subject) ? [otherPromptsFinding(subject, DEFINITION)] : [])],
};
