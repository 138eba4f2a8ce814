import type { FleetWorker } from '../../fleet/roll.ts';
import { clipped, padded, shortened, textWidth } from '../../kit/text-width.ts';
import { visibleLine } from '../../kit/visible.ts';
import { count, plural, usd } from '../../kit/wording.ts';
import type { Followed } from '../display/progress/show-progress.ts';

interface FleetPlan {
  readonly requests: number;
  readonly slices: number;
}

export interface FleetProgress extends Followed {
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
