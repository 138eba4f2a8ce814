import { stopCauseInShort } from '../../analysis/incomplete.ts';
import type { FleetEvent, RefusedOffer } from '../../fleet/coordinator.ts';
import type { RefusedHello } from '../../fleet/messages.ts';
import type { FleetWorker } from '../../fleet/roll.ts';
import { clipped } from '../../kit/text-width.ts';
import { count, duration, plural, seconds, usd } from '../../kit/wording.ts';
import { FLEET_LOST_MS, runId } from '../../record/codes.ts';
import type { ShardDifference } from '../../record/run.ts';
import { describeDifference } from '../../record/shard-identity.ts';
import { type Followed, type ProgressDisplay, whileShown } from '../display/progress/show-progress.ts';
import type { Edge } from '../edge.ts';

export interface FleetDisplay {
  readonly say: (sentence: string) => void;
  readonly observe: (event: FleetEvent) => void;
  readonly during: <T>(progress: FleetProgress, now: () => number, measure: () => Promise<T>) => Promise<T>;
}

/** Events after which a part of the run is missing: printed with --quiet too. */
const MISSING: ReadonlySet<FleetEvent['event']> = new Set(['lost', 'left', 'stopped']);

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
    if (shown === null || quiet) edge.say(sentence);
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
    during: (followed, now, measure) => {
      progress = followed;
      return whileShown(followed, { json, quiet }, edge, now, async (display) => {
        shown = display;
        try {
          return await measure();
        } finally {
          shown = null;
        }
      });
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

/** All workers together; `--json` has each. */
export function createFleetProgress(
  workers: () => readonly FleetWorker[],
  { requests, slices }: FleetPlan,
): FleetProgress {
  let slicesBegun = 0;
  let isStopping = false;
  const head = (): string => {
    const all = workers().map(({ counts }) => counts);
    const sum = (of: keyof FleetWorker['counts']): number => all.reduce((total, counts) => total + counts[of], 0);
    const [sent, failed, mostUsd] = [sum('sent'), sum('failed'), sum('mostUsd')];
    return [
      ...(isStopping ? ['stopping: workers wait for requests in flight; press Ctrl-C again to abort them'] : []),
      `${count(sent)} / ${plural(requests, 'request')} sent`,
      `${slicesBegun} of ${plural(slices, 'group of takes')} begun`,
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
    block: (_nowMs, { width }) => [clipped(head(), width)],
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

const LOST = seconds(FLEET_LOST_MS);

/** Why a worker was not taken, and what to do. @param who `this worker`, or its name */
export function refusedHelloWords(who: string, { code, difference }: RefusedHello): readonly [string, string] {
  switch (code) {
    case 'taken_name':
      return [
        `${who}: the fleet has another worker of this name`,
        `stop that worker, or use another --name with its key; if it was killed, wait ${LOST}`,
      ];
    case 'full':
      return [
        `${who}: the fleet is full, or its run has begun`,
        'start it again for the next run; a shard that has begun is resumed by retake run --resume',
      ];
    case 'differs':
      return difference === null
        ? [`the coordinator and ${who} differ`, 'use one version, and one suite with the same --set']
        : differenceWords(who, difference);
  }
}

function differenceWords(who: string, difference: ShardDifference): readonly [string, string] {
  const [coordinator, worker] = difference.values.map((value) => value ?? 'none');
  if (difference.code === 'version') {
    return [`the coordinator and ${who} run Retake ${coordinator} and ${worker}`, 'use one version on all machines'];
  }
  if (difference.code === 'vantage') {
    return [
      `${who} has the vantage ${worker}, the fleet has ${coordinator}`,
      'start all workers with the same --vantage',
    ];
  }
  const [cause, remedy] = describeDifference(difference, 'workers');
  return [`the coordinator and ${who} ${cause}`, remedy];
}

export function refusedOfferWords({ name, code }: RefusedOffer, run: string): readonly [string, string] {
  switch (code) {
    case 'taken_folder':
      return [`${name} has a folder of run ${run} already`, `use another --run: ${RESTART}`];
    case 'other_fleet':
      return [`${name} works for another coordinator`, `end that one, then ${RESTART}`];
    case 'share':
      return [`the plan cannot be split into so many shards (${name})`, `use fewer workers: ${RESTART}`];
    case 'not_ready':
      return [`${name} was not ready for its share`, RESTART];
    case 'lost':
      return [`${name} did not answer for ${LOST}`, `check that machine, then ${RESTART}`];
  }
}

/** A sentence for the event; null: it is shown as progress only. */
function fleetEventWords(event: FleetEvent, wanted: number): string | null {
  switch (event.event) {
    case 'joined': {
      const { name, vantage, floorMs, roundTripMs } = event.worker;
      const where = vantage === null ? '' : ` (vantage ${vantage})`;
      const floor = floorMs === null ? 'not calibrated' : `noise floor ${duration(floorMs)}`;
      return `${event.workers} of ${plural(wanted, 'worker')}: ${name}${where} joined, ${floor}, round trip to the NATS server ${duration(roundTripMs)}`;
    }
    case 'refused': {
      const [cause, remedy] = refusedHelloWords(event.name, event.reply);
      return `refused a worker: ${cause}; ${remedy}`;
    }
    case 'lost':
    case 'left': {
      const { worker, share } = event;
      const what =
        event.event === 'lost'
          ? `lost ${worker.name}: not heard for ${LOST}`
          : `${worker.name} left: it was interrupted`;
      if (share === null) return `${what}, before the run began; start it again`;
      const shard = runId(share.run, share);
      return `${what}; it measures ${shard}, and at its last report had sent ${sentWords(worker)}; resume ${shard} on its machine (retake run --resume), copy that folder here, then merge all shards (retake merge --replace)`;
    }
    case 'stopped': {
      const { worker, reason, endsAll } = event;
      return `${worker.name} stopped early: ${stopCauseInShort(reason)}; it had sent ${sentWords(worker)}${endsAll ? '; this ends the run of all workers' : ''}`;
    }
    case 'handed_over':
      return `${event.worker.name} handed over its shard: ${event.folder}`;
    case 'slice':
      return null;
    case 'measured':
      return 'all workers have measured; they examine and report their shards';
  }
}

const RESTART = 'start the coordinator and all workers again';

function sentWords({ counts: { sent, mostUsd } }: FleetWorker): string {
  const cost = mostUsd > 0 ? `, which cost at most ${usd(mostUsd)}` : '';
  return `${plural(sent, 'request')}${cost}`;
}

export function waitingWords(workers: readonly Pick<FleetWorker, 'name'>[], wanted: number): string {
  const there = workers.length === 0 ? '' : ` (${workers.map(({ name }) => name).join(', ')})`;
  return `waits for ${plural(wanted, 'worker')}, ${workers.length} joined${there}; start them with retake work`;
}
