import type { Plan } from '../../plan/plan.ts';
import type { Trial } from '../../plan/trial.ts';
import type { Abandonment, Unreachable } from '../../record/model/stop.ts';
import type { Server } from './reach.ts';
import type { Stopping } from './stopping.ts';

export interface AbandonedVariants {
  readonly holds: (trial: Pick<Trial, 'variant'>) => boolean;
  readonly abandon: (variant: string, why: Abandonment) => void;
  /** Abandons every variant of a server; stops the run if none is left. */
  readonly abandonServer: (server: Server, why: Unreachable) => void;
}

/**
 * @param serverOf null: not known
 * @param tell called once per abandoned variant
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
