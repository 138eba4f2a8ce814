import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { BEATS } from '../../fleet/beats.ts';
import { coordinatorChannel } from '../../fleet/channel.ts';
import { Coordinator, togetherOf } from '../../fleet/coordinator.ts';
import type { Connection } from '../../fleet/engine.ts';
import { COORDINATOR } from '../../fleet/keys.ts';
import type { FleetShare, Hello, RefusedHello } from '../../fleet/messages.ts';
import type { FleetWorker } from '../../fleet/roll.ts';
import { accepted, type Checked, type Refused, refusal, refused } from '../../kit/diagnostic.ts';
import { plural, bytes as sayBytes } from '../../kit/wording.ts';
import type { CostEstimate } from '../../plan/estimate.ts';
import { runId } from '../../record/codes.ts';
import { copyRecord, mostHandedOver } from '../../record/hand-over.ts';
import type { RunTogether, ShardIdentity } from '../../record/run.ts';
import { differenceOf } from '../../record/shard-identity.ts';
import { startClock } from '../../run/clock.ts';
import { confirmCost, confirmRequests, costEstimate } from '../../workflow/confirm-run.ts';
import { type PlannedSuite, planSuite } from '../../workflow/plan-suite.ts';
import { takeShare } from '../../workflow/prepare-run.ts';
import { readNewRun } from '../../workflow/run-arguments.ts';
import { newRunName } from '../../workflow/run-header.ts';
import { exitCodeOf, printDiagnostics, withWarnings } from '../display/print.ts';
import { type Edge, EXIT, type ExitCode } from '../edge.ts';
import { mergeCommand } from '../records/merge.ts';
import { connectToFleet, type FleetRunArguments, identityOfSuite, readEntry, refuseForFleet } from './join-options.ts';
import { createFleetProgress, type FleetDisplay, refusedOfferWords, showFleet, waitingWords } from './show-fleet.ts';

/** `retake run --fleet`: sends no request itself; workers measure, and their shards are merged and reported here. */
export async function fleetRunCommand(args: FleetRunArguments, edge: Edge): Promise<ExitCode> {
  const named = readFleetRun(args);
  const entry = await readEntry(args, edge.cwd);
  const whole = withWarnings(edge, await planSuite(args.suite, args, edge));
  refuseForFleet(whole);
  const clock = startClock();
  const run = named ?? newRunName(clock.originAt);
  const planned = planShares(whole, run, args.workers, resolve(edge.cwd, args.out));
  await confirmRequests(whole, args, edge);
  // What all shares cost together.
  await confirmCost(planned.cost, [], { yes: args.yes, limitUsd: whole.suite.limits.usd }, edge);
  const connection = await connectToFleet(entry, COORDINATOR);
  try {
    return await coordinate(whole, planned, run, connection, clock.now, args, edge);
  } finally {
    await connection.close();
  }
}

/** Refuses options that a fleet excludes. Gives the name of the run; null: a new one. */
function readFleetRun(args: FleetRunArguments): string | null {
  const excluded = (flag: string, why: string) =>
    refusal(`${flag} cannot be used with --fleet: ${why}`, `remove ${flag}`);
  if (args.shard !== undefined) throw excluded('--shard', 'each worker gets a share');
  if (args.confirm === true) throw excluded('--confirm', 'the gate is decided once, on all shards');
  if (args.untilDecided === true) throw excluded('--until-decided', 'the gate is decided once, on all shards');
  if (args.label !== undefined) throw excluded('--label', '--run names it');
  if (args.allowOrigin.length > 0) {
    const cause = '--allow-origin cannot be used with --fleet: workers send the requests';
    throw refusal(cause, 'give --allow-origin to each retake work');
  }
  if (args.allowCommands) {
    const cause = '--allow-commands cannot be used with --fleet: outputs are scored after the shards were merged';
    throw refusal(cause, 'remove it, then use retake score --allow-commands');
  }
  return readNewRun(args).named.run;
}

const REMIND_EVERY_MS = 15_000;

async function coordinate(
  whole: PlannedSuite,
  planned: PlannedShares,
  run: string,
  connection: Connection,
  now: () => number,
  args: FleetRunArguments,
  edge: Edge,
): Promise<ExitCode> {
  const identity = await identityOfSuite(whole, null, edge);
  const shown = showFleet(args, edge);
  const fleet = new Coordinator({
    channel: coordinatorChannel(connection),
    fleet: randomUUID(),
    now,
    times: BEATS,
    drain: edge.drain,
    abort: edge.abort,
    observe: shown.observe,
    refuse: (hello, workers) => refuseWorker(hello, workers, identity, args.vantage),
  });
  const begin = async (names: readonly string[]): Promise<void> => {
    const offers = names.map((name, at): [string, FleetShare] => [name, { run, index: at + 1, of: names.length }]);
    const [refusedOffer] = await fleet.begin(new Map(offers));
    if (refusedOffer !== undefined) throw refusal(...refusedOfferWords(refusedOffer, run));
  };
  try {
    shown.say(waitingWords([], args.workers));
    const reminder = setInterval(() => shown.say(waitingWords(fleet.workers(), args.workers)), REMIND_EVERY_MS);
    const notAllowed = connection.notAllowed.then((subject) => ({ subject }));
    const isFull = await Promise.race([fleet.gather(args.workers), notAllowed]).finally(() => clearInterval(reminder));
    if (typeof isFull !== 'boolean') throw notCoordinator(isFull.subject);
    if (!isFull) {
      edge.say('interrupted before the run began: no request was sent');
      await fleet.release('stop');
      return EXIT.incomplete;
    }
    const names = fleet.workers().map(({ name }) => name);
    await begin(names).catch(async (error: unknown) => {
      await fleet.release('stop');
      throw error;
    });
    const progress = createFleetProgress(() => fleet.workers(), planned);
    const begun = await shown.during(progress, now, () => fleet.measure());
    const code = await collect(run, names, fleet, togetherOf(begun), whole, args, edge, shown);
    await fleet.release('leave');
    return code;
  } finally {
    fleet.close();
  }
}

function notCoordinator(subject: string): Refused {
  return refusal(
    `the key is not the coordinator's key: the NATS server refused ${subject}`,
    'use the file coordinator.key that retake fleet keys wrote',
  );
}

/** Null: it may join. Shards of one run have one vantage: that of `--vantage`, else of the first worker. */
function refuseWorker(
  { identity, vantage }: Hello,
  [first]: readonly FleetWorker[],
  fleetIdentity: ShardIdentity,
  asked: string | undefined,
): RefusedHello | null {
  const wanted = asked ?? (first === undefined ? vantage : first.vantage);
  const difference = differenceOf({ ...fleetIdentity, vantage: wanted }, { ...identity, vantage });
  return difference === null ? null : { answer: 'refused', code: 'differs', difference };
}

/** Copies the shards of a run from its workers, merges and reports them. */
async function collect(
  run: string,
  names: readonly string[],
  fleet: Coordinator,
  together: RunTogether,
  whole: PlannedSuite,
  args: FleetRunArguments,
  edge: Edge,
  shown: Pick<FleetDisplay, 'observe'>,
): Promise<ExitCode> {
  const copied = await Promise.all(
    names.map(async (name, at): Promise<readonly string[]> => {
      const share = { index: at + 1, of: names.length };
      const folder = join(resolve(edge.cwd, args.out), whole.suite.name, runId(run, share));
      const worker = fleet.workers().find((member) => member.name === name);
      if (worker === undefined || worker.state.at !== 'ended') return [];
      const part = takeShare(whole, share);
      const most = { requests: part.ok ? part.value.plan.requests : 0, prompts: whole.suite.cases.length };
      const taken = await takeRecord(name, folder, fleet, most, args.leaveMedia);
      if (!taken.ok) {
        printDiagnostics(edge, taken.diagnostics);
        return [];
      }
      shown.observe({ event: 'handed_over', worker, folder: relative(edge.cwd, folder) });
      return [folder];
    }),
  );
  const folders = copied.flat();
  if (folders.length === 0) {
    edge.say(
      `run ${run}: no worker handed over its shard; copy the folders of their shards here, then merge them (retake merge)`,
    );
    return EXIT.incomplete;
  }
  const { out, quiet, json } = args;
  const merge = () => mergeCommand({ shards: folders, out, replace: false, quiet, json }, edge, together);
  return exitCodeOf(merge, edge);
}

/** Copies the record of a worker's shard into a folder; refuses more than its share can have. */
export async function takeRecord(
  name: string,
  folder: string,
  fleet: Pick<Coordinator, 'list' | 'read'>,
  { requests, prompts }: { readonly requests: number; readonly prompts: number },
  leaveMedia: boolean,
): Promise<Checked<null>> {
  const gone = refused(
    `${name} was lost before it handed over its shard`,
    'copy the folder of its shard here, then merge all shards (retake merge --replace)',
  );
  const most = mostHandedOver(requests, prompts);
  const listed: Parameters<typeof copyRecord>[1][number][] = [];
  let bytes = 0;
  for (;;) {
    const part = await fleet.list(name, listed.length, leaveMedia);
    if (part === null) return gone;
    listed.push(...part.files);
    for (const file of part.files) bytes += file.bytes;
    if (listed.length > most.files || bytes > most.bytes) {
      return refused(
        `${name} lists ${plural(listed.length, 'file')} of ${sayBytes(bytes)}, more than a share of ${plural(requests, 'request')} can have`,
        'its shard was not taken; check that machine',
      );
    }
    if (listed.length >= part.all || part.files.length === 0) break;
  }
  let isGone = false;
  const read = async (file: string, from: number): Promise<Uint8Array> => {
    const piece = await fleet.read(name, file, from);
    if (piece !== null) return piece;
    isGone = true;
    throw new Error(`${name} is lost`);
  };
  try {
    return await copyRecord(folder, listed, read);
  } catch (error) {
    if (isGone) return gone;
    throw error;
  }
}

export interface PlannedShares {
  readonly cost: CostEstimate;
  readonly requests: number;
  readonly slices: number;
}

/** Refuses a plan that cannot be split so, and folders that exist. */
function planShares(whole: PlannedSuite, run: string, of: number, results: string): PlannedShares {
  const shares = Array.from({ length: of }, (_, at) => ({ index: at + 1, of }));
  for (const id of [run, ...shares.map((share) => runId(run, share))]) {
    const folder = join(results, whole.suite.name, id);
    if (existsSync(folder))
      throw refusal(`run ${run} was started before: ${folder} exists`, 'use another --run, or delete that folder');
  }
  const taken = shares.map((share) => accepted(takeShare(whole, share)));
  return {
    cost: sumOf(taken.map((share) => costEstimate(share))),
    requests: taken.reduce((sum, { plan }) => sum + plan.requests, 0),
    slices: new Set(taken.flatMap(({ plan }) => plan.slices.map(({ index }) => index))).size,
  };
}

function sumOf(costs: readonly CostEstimate[]): CostEstimate {
  const sum = (of: 'leastUsd' | 'mostUsd'): number => costs.reduce((total, cost) => total + cost[of], 0);
  // A variant of unknown cost is unknown in each share.
  return {
    variants: costs[0]?.variants ?? [],
    leastUsd: sum('leastUsd'),
    mostUsd: sum('mostUsd'),
  };
}
