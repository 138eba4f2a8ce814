import { claimsIn, createLedger } from '../analysis/claims.ts';
import type { Sample } from '../record/journal.ts';
import type { Run } from '../record/run.ts';
import type { RunnerEvent } from '../run/events.ts';

export interface ClaimWatch {
  readonly observe: (event: RunnerEvent) => void;
  /** After so many parts of the plan: `decided` once no further pair counts for any claim. */
  readonly look: (look: number) => 'go_on' | 'decided';
}

/**
 * Follows the claims of a run while it measures, from outcomes and times alone.
 * @param earlier samples of the processes before this one
 */
export function watchClaims(
  { gate, plan: { looks } }: Pick<Run, 'gate' | 'plan'>,
  earlier: readonly Sample[],
): ClaimWatch {
  const ledger = createLedger(claimsIn(gate));
  let waiting = [...earlier];
  return {
    observe: (event) => {
      if (event.event === 'ended') waiting.push(event.sample);
    },
    look: (look) => {
      // A resumed round has takes of two processes: only whole ones are added.
      const last = looks?.parts[look - 1]?.lastSlice ?? -1;
      ledger.add(waiting.filter(({ slice }) => slice <= last));
      waiting = waiting.filter(({ slice }) => slice > last);
      return ledger.isOver() ? 'decided' : 'go_on';
    },
  };
}
