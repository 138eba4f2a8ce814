import { isMeasured } from '../../plan/plan.ts';
import type { Outcome } from '../../record/model/outcomes.ts';
import type { Sample } from '../../record/model/sample.ts';
import type { Abandonment } from '../../record/model/stop.ts';

/** The first takes that must agree, over so many prompts: fewer may be the fault of a prompt. */
const FIRST_TAKES = 3;
const FEWEST_PROMPTS = 2;

/** Says nothing of whether the service takes the requests of a variant. */
const SILENT: ReadonlySet<Outcome> = new Set(['cancelled', 'dropped', 'throttled', 'defect']);

/** Watches for variants whose every request is rejected for one reason. */
export interface AbandonRule {
  /** Counts a sample, in the order in which they end; gives why its variant is to be abandoned, else null. */
  readonly count: (sample: Sample) => Abandonment | null;
}

/**
 * A variant is abandoned when a warm-up is rejected with 401 or 403, or when all its takes so far, three or more over at
 * least two prompts, were rejected with one code: more of them would spend without measuring.
 */
export function createAbandonRule(): AbandonRule {
  const beginnings = new Map<
    string,
    { readonly errorCode: string; readonly prompts: Set<string>; takes: number } | null
  >();
  return {
    count: ({ trial, outcome, error, httpStatus }) => {
      if (trial.phase === 'warmup') {
        if (outcome !== 'rejected' || (httpStatus !== 401 && httpStatus !== 403)) return null;
        return { code: 'refused_warmup', httpStatus, errorCode: error.code, message: error.message };
      }
      const known = beginnings.get(trial.variant);
      if (!isMeasured(trial) || SILENT.has(outcome) || known === null) return null;
      if (outcome !== 'rejected' || (known !== undefined && known.errorCode !== error.code)) {
        beginnings.set(trial.variant, null); // the service takes some of its requests, or refuses them for several reasons
        return null;
      }
      const beginning = known ?? { errorCode: error.code, prompts: new Set<string>(), takes: 0 };
      beginnings.set(trial.variant, beginning);
      beginning.prompts.add(trial.prompt);
      beginning.takes += 1;
      const { takes, prompts } = beginning;
      if (takes < FIRST_TAKES || prompts.size < FEWEST_PROMPTS) return null;
      return { code: 'rejected', takes, httpStatus, errorCode: error.code, message: error.message };
    },
  };
}
