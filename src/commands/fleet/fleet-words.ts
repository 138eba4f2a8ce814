import type { FleetEvent, RefusedOffer } from '../../fleet/coordinator.ts';
import type { RefusedHello } from '../../fleet/messages.ts';
import type { FleetWorker } from '../../fleet/roll.ts';
import { duration, plural, usd } from '../../kit/wording.ts';
import { runId } from '../../record/codes.ts';
import type { Stop } from '../../record/journal.ts';
import { describeDifference } from '../../record/merge-record.ts';
import type { ShardDifference } from '../../record/run.ts';

/** Why a worker was not taken, and what to do. @param who `this worker`, or its name */
export function refusedHelloWords(who: string, { code, difference }: RefusedHello): readonly [string, string] {
  switch (code) {
    case 'taken_name':
      return [
        `${who}: the fleet has another worker of this name`,
        'stop that worker, or use another --name with its key; if it was killed, wait 30 s',
      ];
    case 'no_vantage':
      return [`${who} has no vantage, and the run is measured by vantage`, 'add --vantage to retake work'];
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

/** The first of each pair is the coordinator's, or the fleet's. */
function differenceWords(who: string, difference: ShardDifference): readonly [string, string] {
  if (difference.code === 'version') {
    const [own, other] = difference.versions;
    return [`the coordinator and ${who} run Retake ${own} and ${other}`, 'use one version on all machines'];
  }
  if (difference.code === 'vantage') {
    const [own, other] = difference.vantages.map((vantage) => vantage ?? 'none');
    return [
      `${who} has the vantage ${other}, the fleet has ${own}`,
      'start all workers with the same --vantage, or add --by-vantage to retake run',
    ];
  }
  const [cause, remedy] = describeDifference(difference, 'workers');
  return [`the coordinator and ${who} ${cause}`, remedy];
}

/** Why a worker stopped before the end of its share. */
const STOPPED: Readonly<Record<string, string>> = {
  fleet: 'the coordinator ended the run, or did not answer for 20 s',
  interrupted: 'it was interrupted',
  no_credit: 'the account has no credit left',
  throttled: 'the service rate-limited a request, and on_throttle is stop',
  failures: 'too many samples failed',
  unreachable: 'it cannot connect to the service',
  requests: 'it reached its part of limits.requests',
  usd: 'it reached its part of limits.usd',
  disk: 'it cannot write its record',
  descriptors: 'it has no file descriptor left',
  service: 'its reference service ended',
  defect: 'internal error in Retake',
} satisfies Record<Exclude<Stop['reason'], 'finished'>, string>;

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
      return [`${name} did not answer for 30 s`, `check that machine, then ${RESTART}`];
  }
}

/** A sentence for the event; null: it is shown as progress only. */
export function fleetEventWords(event: FleetEvent, wanted: number): string | null {
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
        event.event === 'lost' ? `lost ${worker.name}: not heard for 30 s` : `${worker.name} left: it was interrupted`;
      if (share === null) return `${what}, before the run began; start it again`;
      const shard = runId(share.run, share);
      return `${what}; it measures ${shard}, and at its last report had sent ${sentWords(worker)}; resume ${shard} on its machine (retake run --resume), copy that folder here, then merge all shards (retake merge)`;
    }
    case 'stopped': {
      const { worker, reason, endsAll } = event;
      return `${worker.name} stopped early: ${STOPPED[reason] ?? reason}; it had sent ${sentWords(worker)}${endsAll ? '; this ends the run of all workers' : ''}`;
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
