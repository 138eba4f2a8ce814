import type { FleetEvent } from '../../fleet/coordinator.ts';
import type { FleetWorker } from '../../fleet/roll.ts';
import { clipped, padded, shortened, textWidth } from '../../kit/text-width.ts';
import { visibleLine } from '../../kit/visible.ts';
import { count, plural, usd } from '../../kit/wording.ts';
import { type Edge, printSentence } from '../../workflow/edge.ts';
import {
  type Followed,
  type ProgressDisplay,
  showEvents,
  showNothing,
  showProgress,
} from '../display/progress/show-progress.ts';
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

interface FleetPlan {
  readonly requests: number;
  readonly slices: number;
}

interface FleetProgress extends Followed {
  readonly begun: () => void;
}

const WIDEST_NAME = 40;

/** How far all workers are together, then a line for each. */
export function createFleetProgress(
  workers: () => readonly FleetWorker[],
  { requests, slices }: FleetPlan,
): FleetProgress {
  let slicesBegun = 0;
  let isStopping = false;
  const head = (): string => {
    const all = workers().map(({ counts }) => counts);
    const sum = (of: (counts: FleetWorker['counts']) => number): number =>
      all.reduce((total, each) => total + of(each), 0);
    const [sent, failed, mostUsd] = [sum((each) => each.sent), sum((each) => each.failed), sum((each) => each.mostUsd)];
    return [
      ...(isStopping ? ['stopping: workers wait for requests in flight; press Ctrl-C again to abort them'] : []),
      `${count(sent)} / ${plural(requests, 'request')} sent`,
      `${slicesBegun} of ${plural(slices, 'slice')} begun`,
      ...(failed > 0 ? [plural(failed, 'failure')] : []),
      ...(mostUsd > 0 ? [`cost at most ${usd(mostUsd)}`] : []),
    ].join(', ');
  };
  return {
    begun: () => {
      slicesBegun += 1;
    },
    stopping: () => {
      isStopping = true;
    },
    line: head,
    block: (_nowMs, { width, lines }) => {
      const shown = workers().slice(0, Math.max(1, lines - 2));
      const widest = Math.min(WIDEST_NAME, Math.max(0, ...shown.map(({ name }) => textWidth(name))));
      const rows = shown.map(
        (worker) =>
          `  ${padded(shortened(worker.name, widest), widest)}  ${count(worker.counts.sent)} sent  ${stateWords(worker)}`,
      );
      const more = workers().length - shown.length;
      return [head(), ...rows, ...(more > 0 ? [`  ${more} more`] : [])].map((row) => clipped(visibleLine(row), width));
    },
    event: () => ({
      event: 'fleet',
      requests,
      slices,
      slicesBegun,
      stopping: isStopping,
      workers: workers().map(({ name, vantage, state, isLost, counts }) => ({
        name,
        vantage,
        state,
        lost: isLost,
        ...counts,
      })),
    }),
  };
}

function stateWords({ state, isLost }: FleetWorker): string {
  if (isLost) return 'lost';
  switch (state.at) {
    case 'waiting':
      return 'starts';
    case 'ready':
      return `waits for slice ${state.slice + 1}`;
    case 'measuring':
      return `sends slice ${state.slice + 1}`;
    case 'measured':
      return 'has measured';
    case 'examining':
      return 'examines its shard';
    case 'ended':
      return 'its shard is ready';
    case 'left':
      return 'left';
  }
}
