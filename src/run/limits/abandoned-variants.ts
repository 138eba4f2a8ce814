import { isMeasured, type Plan } from '../../plan/plan.ts';
import type { Trial } from '../../plan/trial.ts';
import type { Outcome } from '../../record/codes.ts';
import type { Abandonment, Sample, Unreachable } from '../../record/journal.ts';
import type { Server } from '../limits.ts';
import type { Stopping } from './stopping.ts';

export interface AbandonedVariants {
  readonly holds: (trial: Pick<Trial, 'variant'>) => boolean;
  readonly abandon: (variant: string, why: Abandonment) => void;
  /** Abandons every variant of a server; stops the run if none is left. */
  readonly abandonServer: (server: Server, why: Unreachable) => void;
}

/** Variants that are no longer called. `tell` is called once for each; `serverOf` is null if unknown. */
export function createAbandonedVariants(
  { slices }: Plan,
  serverOf: (variant: string) => Server | null,
  stopping: Pick<Stopping, 'stop'>,
  tell: (variant: string, why: Abandonment) => void,
): AbandonedVariants {
  const planned = new Set<string>();
  for (const { trials } of slices) for (const { variant } of trials) planned.add(variant);
  const abandoned = new Set<string>();
  const abandon = (variant: string, why: Abandonment): void => {
    if (abandoned.has(variant)) return;
    abandoned.add(variant);
    tell(variant, why);
  };
  return {
    holds: ({ variant }) => abandoned.has(variant),
    abandon,
    abandonServer: ({ origin }, why) => {
      for (const variant of planned) {
        if (serverOf(variant)?.origin === origin) abandon(variant, { code: 'unreachable', ...why });
      }
      if (abandoned.size === planned.size) stopping.stop({ reason: 'unreachable', ...why });
    },
  };
}

/** Takes over at least two prompts: fewer may be the fault of a prompt. */
const FIRST_TAKES = 3;
const FEWEST_PROMPTS = 2;

const SILENT: ReadonlySet<Outcome> = new Set(['cancelled', 'dropped', 'throttled', 'defect']);

export interface AbandonRule {
  /** Call in the order of ends. Gives the reason to abandon the sample's variant, else null. */
  readonly count: (sample: Sample) => Abandonment | null;
}

/**
 * Abandons a variant when a warm-up is rejected with 401 or 403, or when its first three or more takes, over at least
 * two prompts, were all rejected with one code: more requests would measure nothing.
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
        beginnings.set(trial.variant, null);
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
