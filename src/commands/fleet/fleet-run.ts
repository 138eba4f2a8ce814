import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { BEATS } from '../../fleet/beats.ts';
import { coordinatorChannel } from '../../fleet/channel.ts';
import { type Begun, Coordinator, togetherOf } from '../../fleet/coordinator.ts';
import type { Connection } from '../../fleet/engine.ts';
import { COORDINATOR } from '../../fleet/keys.ts';
import type { FleetShare, Hello, RefusedHello } from '../../fleet/messages.ts';
import type { FleetWorker } from '../../fleet/roll.ts';
import { accepted, type Checked, type Refused, refusal, refused } from '../../kit/diagnostic.ts';
import { commandLine, plural, bytes as sayBytes } from '../../kit/wording.ts';
import type { CostEstimate } from '../../plan/estimate.ts';
import { isRunName, runId } from '../../record/codes.ts';
import { copyRecord, mostHandedOver } from '../../record/hand-over.ts';
import type { ShardIdentity } from '../../record/run.ts';
import { differenceOf } from '../../record/shard-identity.ts';
import { startClock } from '../../run/clock.ts';
import { createRandom } from '../../statistics/random.ts';
import { confirmCost, confirmRequests, costEstimate } from '../../workflow/confirm-run.ts';
import { type PlannedSuite, planSuite } from '../../workflow/plan-suite.ts';
import { takeShare } from '../../workflow/prepare-run.ts';
import { readNewRun } from '../../workflow/run-arguments.ts';
import { newRunName } from '../../workflow/run-header.ts';
import { exitCodeOf, printDiagnostics, withWarnings } from '../display/print.ts';
import { type Edge, EXIT, type ExitCode, printCommand } from '../edge.ts';
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
  if (!args.byVantage) await agreeOn(whole, [{ run, of: args.workers }], args, edge);
  const connection = await connectToFleet(entry, COORDINATOR);
  try {
    return await coordinate(whole, run, connection, clock.now, args, edge);
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
  if (args.vantage !== undefined && args.byVantage)
    throw excluded('--vantage', 'with --by-vantage, each worker has its own');
  if (args.allowOrigin.length > 0) {
    const cause = '--allow-origin cannot be used with --fleet: workers send the requests';
    throw refusal(cause, 'give --allow-origin to each retake work');
  }
  if (args.allowCommands) {
    const cause = '--allow-commands cannot be used with --fleet: outputs are scored after the shards were merged';
    throw refusal(cause, 'remove it, then use retake score --allow-commands');
  }
  if (args.byVantage && args.workers < 2) {
    throw refusal('--by-vantage needs at least two workers', 'write how many workers to wait for: --workers 2');
  }
  return readNewRun(args).named.run;
}

/** Asks about what all shares cost together. */
async function agreeOn(
  whole: PlannedSuite,
  groups: readonly { readonly run: string; readonly of: number }[],
  { yes, out }: FleetRunArguments,
  edge: Edge,
): Promise<PlannedShares> {
  const planned = planShares(whole, groups, resolve(edge.cwd, out));
  const { usd } = whole.suite.limits;
  const limitUsd = usd === null ? null : usd * groups.length;
  await confirmRequests(whole, { yes }, edge);
  await confirmCost(planned.cost, [], { yes, limitUsd }, edge);
  return planned;
}

const REMIND_EVERY_MS = 15_000;

async function coordinate(
  whole: PlannedSuite,
  run: string,
  connection: Connection,
  now: () => number,
  args: FleetRunArguments,
  edge: Edge,
): Promise<ExitCode> {
  const identity = await identityOfSuite(whole, null, edge);
  const shown = showFleet(args, edge);
  let groups: readonly FleetGroup[] = [];
  const fleet = new Coordinator({
    channel: coordinatorChannel(connection),
    fleet: randomUUID(),
    now,
    times: BEATS,
    drain: edge.drain,
    abort: edge.abort,
    observe: shown.observe,
    refuse: (hello, workers) => refuseWorker(hello, workers, identity, args),
    orderOf: (slice) => orderOfVantages(groups, whole.suite.load.shuffle, slice),
  });
  const begin = async (): Promise<PlannedShares> => {
    groups = groupWorkers(fleet.workers(), run, args.byVantage);
    const sizes = groups.map((group) => ({ run: group.run, of: group.names.length }));
    const planned = args.byVantage
      ? await agreeOn(whole, sizes, args, edge)
      : planShares(whole, sizes, resolve(edge.cwd, args.out));
    const [refusedOffer] = await fleet.begin(offersOf(groups));
    if (refusedOffer !== undefined) throw refusal(...refusedOfferWords(refusedOffer, run));
    return planned;
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
    const planned = await begin().catch(async (error: unknown) => {
      await fleet.release('stop');
      throw error;
    });
    const progress = createFleetProgress(() => fleet.workers(), planned);
    const begun = await shown.during(progress, now, () => fleet.measure());
    const codes: ExitCode[] = [];
    for (const group of groups) codes.push(await collect(group, fleet, begun, whole, args, edge, shown));
    await fleet.release('leave');
    for (const [a, b] of pairsOf(groups)) printCompare(a, b, whole, args, edge);
    return FIRST_CODES.find((code) => codes.includes(code)) ?? EXIT.ok;
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

/** The first that one of several runs ended with is the exit code of all. */
const FIRST_CODES: readonly ExitCode[] = [EXIT.defect, EXIT.misuse, EXIT.incomplete, EXIT.failed, EXIT.inconclusive];

/** Null: it may join. Shards of one run have one vantage: that of `--vantage`, else of the first worker. */
function refuseWorker(
  { identity, vantage }: Hello,
  [first]: readonly FleetWorker[],
  fleetIdentity: ShardIdentity,
  args: Pick<FleetRunArguments, 'byVantage' | 'vantage'>,
): RefusedHello | null {
  if (args.byVantage && vantage === null) return { answer: 'refused', code: 'no_vantage', difference: null };
  const ofRun = args.vantage ?? (first === undefined ? vantage : first.vantage);
  const wanted = args.byVantage ? vantage : ofRun;
  const difference = differenceOf({ ...fleetIdentity, vantage: wanted }, { ...identity, vantage });
  return difference === null ? null : { answer: 'refused', code: 'differs', difference };
}

/** Copies the shards of a run from its workers, merges and reports them. */
async function collect(
  { run, names }: FleetGroup,
  fleet: Coordinator,
  begun: readonly Begun[],
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
  const merge = () =>
    mergeCommand({ shards: folders, out, replace: false, quiet, json }, edge, togetherOf(begun, names));
  return exitCodeOf(merge, edge);
}

function pairsOf(groups: readonly FleetGroup[]): readonly (readonly [FleetGroup, FleetGroup])[] {
  return groups.flatMap((a, at) => groups.slice(at + 1).map((b) => [a, b] as const));
}

function printCompare(
  a: FleetGroup,
  b: FleetGroup,
  { suite }: PlannedSuite,
  { out }: FleetRunArguments,
  edge: Edge,
): void {
  const folderOf = ({ run }: FleetGroup): string => join(relative(edge.cwd, resolve(edge.cwd, out)), suite.name, run);
  printCommand(edge.err, {
    sentence: `to compare ${a.vantage} with ${b.vantage}`,
    command: commandLine(['retake', 'compare', folderOf(a), folderOf(b)]),
  });
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

export interface FleetGroup {
  readonly run: string;
  readonly vantage: string | null;
  /** In the order of their shares. */
  readonly names: readonly string[];
}

/** Workers in the order of their names; with `byVantage` a run for each vantage, each measured whole. */
function groupWorkers(
  workers: readonly Pick<FleetWorker, 'name' | 'vantage'>[],
  run: string,
  byVantage: boolean,
): readonly FleetGroup[] {
  const names = workers.map(({ name }) => name);
  if (!byVantage) return [{ run, vantage: workers[0]?.vantage ?? null, names }];
  const vantages = [...new Set(workers.map(({ vantage }) => vantage))].sort();
  const groups = vantages.map((vantage) => ({
    run: `${run}-${vantage}`,
    vantage,
    names: workers.filter((worker) => worker.vantage === vantage).map(({ name }) => name),
  }));
  if (groups.length < 2) {
    throw refusal(
      `--by-vantage needs at least two vantages; all workers have ${vantages[0] ?? 'none'}`,
      'start workers with another --vantage, or remove --by-vantage',
    );
  }
  const unnamed = groups.find((group) => !isRunName(group.run));
  if (unnamed === undefined) return groups;
  throw refusal(`${unnamed.run} is too long for the name of a run`, 'use a shorter --run or --vantage');
}

export interface PlannedShares {
  readonly cost: CostEstimate;
  readonly requests: number;
  readonly slices: number;
}

/** Refuses a plan that cannot be split so, and folders that exist. */
function planShares(
  whole: PlannedSuite,
  groups: readonly { readonly run: string; readonly of: number }[],
  results: string,
): PlannedShares {
  const costs: CostEstimate[] = [];
  let requests = 0;
  let slices = 0;
  for (const { run, of } of groups) {
    const numbers = new Set<number>();
    for (const id of [run, ...indicesTo(of).map((index) => runId(run, { index, of }))]) {
      const folder = join(results, whole.suite.name, id);
      if (existsSync(folder))
        throw refusal(`run ${run} was started before: ${folder} exists`, 'use another --run, or delete that folder');
    }
    for (const index of indicesTo(of)) {
      const taken = accepted(takeShare(whole, { index, of }));
      costs.push(costEstimate(taken));
      requests += taken.plan.requests;
      for (const slice of taken.plan.slices) numbers.add(slice.index);
    }
    slices += numbers.size;
  }
  return { cost: sumOf(costs), requests, slices };
}

function indicesTo(of: number): readonly number[] {
  return Array.from({ length: of }, (_, at) => at + 1);
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

function offersOf(groups: readonly FleetGroup[]): ReadonlyMap<string, FleetShare> {
  return new Map(
    groups.flatMap(({ run, names }) =>
      names.map((name, at): [string, FleetShare] => [name, { run, index: at + 1, of: names.length }]),
    ),
  );
}

/** Drawn for each slice, so that no vantage is always the first. */
function orderOfVantages(groups: readonly FleetGroup[], shuffle: number, slice: number): readonly (string | null)[] {
  return createRandom(shuffle + slice).shuffle(groups.map(({ vantage }) => vantage));
}
