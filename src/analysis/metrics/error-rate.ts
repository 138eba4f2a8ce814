import { ANSWERABLE, FAILED } from '../effective-sample.ts';
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
  counted: ANSWERABLE,
  events: FAILED,
  // A queue under open load also causes time-outs and refusals; closed load keeps it short.
  followsLatency: ({ mode }) => mode === 'open',
};

/** Failed trials (`FAILED`) / all that could be answered (`ANSWERABLE`). */
export const errorRate: Metric = {
  name: 'error_rate',
  meaning:
    'Share of takes that failed: rejected, no credit, error, timed out, invalid media or unknown outcome. Cancelled, dropped and throttled takes are left out.',
  ...RATE_SCALE,
  whenCached: 'as_is',
  takes: [rateReading(DEFINITION)],
  gate: { ...RATE_GATE, event: 'error' },
  measure: (subject) => [
    rateFinding(subject, DEFINITION),
    ...(isWhole(subject) ? [otherPromptsFinding(subject, DEFINITION)] : []),
  ],
};
