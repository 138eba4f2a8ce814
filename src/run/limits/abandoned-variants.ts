import type { Plan } from '../../plan/plan.ts';
import type { Trial } from '../../plan/trial.ts';
import type { Abandonment, Unreachable } from '../../record/model/stop.ts';
import type { Server } from './reach.ts';
import type { Stopping } from './stopping.ts';

/** The abandoned variants of a run: nothing more is sent for them. */
export interface AbandonedVariants {
  /** Whether the variant of a trial is one of them. */
  readonly holds: (trial: Pick<Trial, 'variant'>) => boolean;
  readonly abandon: (variant: string, why: Abandonment) => void;
  /** Abandons every variant whose calls go to a server; where none is left, the run stops. */
  readonly abandonServer: (server: Server, why: Unreachable) => void;
}

/**
 * Begins with none.
 *
 * @param serverOf where the calls of a variant go; null: not known
 * @param tell called once for each variant that is abandoned
 */
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
