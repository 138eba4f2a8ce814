import type { GivenUp } from '../../record/model/given-up.ts';
import type { Stop } from '../../record/model/stop.ts';

/** Why a run is incomplete. */
export interface WhyIncomplete {
  /** Null: its process was killed before it could record why. */
  readonly stop: Stop | null;
  /** Variants that were given up in mid-run. */
  readonly givenUp: readonly { readonly variant: string; readonly why: GivenUp }[];
}

/** What is known of why a run ended before all was measured; means nothing for a run that is complete. */
export function whyIncomplete({ run, variants }: Analysed): WhyIncomplete {
  return {
    stop: run.stop,
    givenUp: variants.flatMap(({ name, givenUp }) => (givenUp === null ? [] : [{ variant: name, why: givenUp }])),
  };
}

interface Analysed {
  readonly run: { readonly stop: Stop | null };
  readonly variants: readonly { readonly name: string; readonly givenUp: GivenUp | null }[];
}
