import type { FleetEvent } from '../../fleet/coordinator.ts';
import { type Edge, printSentence } from '../../workflow/edge.ts';
import { type ProgressDisplay, showEvents, showNothing, showProgress } from '../display/progress/show-progress.ts';
import type { FleetProgress } from './fleet-progress.ts';
import { fleetEventWords } from './fleet-words.ts';

export interface FleetDisplay {
  readonly say: (sentence: string) => void;
  readonly observe: (event: FleetEvent) => void;
  readonly during: <T>(progress: FleetProgress, now: () => number, measure: () => Promise<T>) => Promise<T>;
}

/** A part of the run is missing: said with --quiet too. */
const MISSING: ReadonlySet<FleetEvent['event']> = new Set(['lost', 'left', 'stopped']);

/** What a coordinator prints: who joins, progress of all workers, who is lost. */
export function showFleet(
  { json, quiet, workers }: { readonly json: boolean; readonly quiet: boolean; readonly workers: number },
  edge: Edge,
): FleetDisplay {
  let shown: ProgressDisplay | null = null;
  let progress: FleetProgress | null = null;
  const say = (sentence: string): void => {
    if (json || quiet) return;
    warn(sentence);
  };
  const warn = (sentence: string): void => {
    if (shown === null || quiet) printSentence(edge.err, sentence);
    else shown.say(sentence);
  };
  return {
    say,
    observe: (event) => {
      if (event.event === 'slice') progress?.begun();
      if (json) edge.out.write(`${JSON.stringify(event)}\n`);
      const words = fleetEventWords(event, workers);
      if (words === null || json) return;
      if (MISSING.has(event.event)) warn(words);
      else say(words);
    },
    during: async (followed, now, measure) => {
      progress = followed;
      shown = json
        ? showEvents(followed, edge, quiet, now)
        : quiet
          ? showNothing(followed)
          : await showProgress(followed, edge, now);
      edge.drain.addEventListener('abort', shown.stopping);
      try {
        return await measure();
      } finally {
        edge.drain.removeEventListener('abort', shown.stopping);
        shown.close();
        shown = null;
        if (!json && !quiet) printSentence(edge.err, followed.line(now()));
      }
    },
  };
}
