import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BEATS } from '../../fleet/beats.ts';
import { workerChannel } from '../../fleet/channel.ts';
import { checkNames } from '../../fleet/keys.ts';
import type { FleetShare } from '../../fleet/messages.ts';
import { createWorker, type Joined, type WorkerSide } from '../../fleet/worker.ts';
import { accepted, refusal } from '../../kit/diagnostic.ts';
import { seconds } from '../../kit/wording.ts';
import { mostUsdFrom, trialCosts } from '../../plan/estimate.ts';
import type { Calibration } from '../../record/calibration.ts';
import { FLEET_DRAINS_MS, NO_FAILURE, runId } from '../../record/codes.ts';
import { listRecord, readPiece } from '../../record/hand-over.ts';
import { startClock } from '../../run/clock.ts';
import type { RunnerEvent } from '../../run/events.ts';
import type { FleetPart } from '../../workflow/measure-run.ts';
import type { PlannedSuite } from '../../workflow/plan-suite.ts';
import { takeShare } from '../../workflow/prepare-run.ts';
import { type RunArguments, readNewRun } from '../../workflow/run-arguments.ts';
import { type MeasureReady, readyNewRun, runSuite } from '../../workflow/run-suite.ts';
import type { work } from '../declared/measuring-commands.ts';
import { exitCodeOf } from '../display/print.ts';
import { showRun } from '../display/show-run.ts';
import { type Edge, EXIT, type ExitCode } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';
import { connectToFleet, type FleetEntry, identityOfSuite, readEntry, refuseForFleet } from './join-options.ts';
import { refusedHelloWords } from './show-fleet.ts';

type WorkArguments = ArgumentsOf<typeof work> & { readonly fleet: string; readonly name: string };

/** `retake work`: measures a share of a suite in step with other workers, as a coordinator says. */
export async function workCommand(given: WorkArguments, edge: Edge): Promise<ExitCode> {
  // A shard starts no program: outputs are scored once it is merged.
  const args: Args = { ...given, allowCommands: true, json: false, resendUnknown: false };
  accepted(checkNames([args.name]));
  const { label, vantage, looks } = readNewRun(args);
  const entry = await readEntry(args, edge.cwd);
  // The share is not known yet: checks what any share needs.
  const asked = { named: { run: null, shard: { index: 1, of: 1 } }, label, vantage, looks };
  return runSuite(args, asked, showRun(args, edge), edge, {
    admit: refuseForFleet,
    join: (whole, calibration, measure) => joinFleet(entry, whole, calibration, measure, vantage, args, edge),
  });
}

type Args = WorkArguments & RunArguments;

async function joinFleet(
  entry: FleetEntry,
  whole: PlannedSuite,
  calibration: Calibration | null,
  measure: MeasureReady<ExitCode>,
  vantage: string | null,
  args: Args,
  edge: Edge,
): Promise<ExitCode> {
  const connection = await connectToFleet(entry, args.name);
  try {
    const clock = startClock();
    const results = resolve(edge.cwd, args.out);
    let folder = results;
    const worker = createWorker(randomUUID(), {
      channel: workerChannel(connection, args.name),
      now: clock.now,
      times: BEATS,
      refuseShare: (share) => {
        folder = join(results, whole.suite.name, runId(share.run, share));
        if (existsSync(folder)) return 'taken_folder';
        return takeShare(whole, share).ok ? null : 'share';
      },
      record: {
        list: (leaveMedia) => listRecord(folder, { leaveMedia }),
        read: (name, from) => readPiece(folder, name, from, connection.mostBytes()),
      },
    });
    try {
      const sentMs = clock.now();
      await connection.flush();
      const roundTripMs = clock.now() - sentMs;
      const hello = {
        name: args.name,
        vantage,
        identity: await identityOfSuite(whole, vantage, edge),
        floorMs: calibration?.floorMs ?? null,
        roundTripMs,
      };
      if (!args.quiet) edge.say(`${args.name}: waits for a coordinator on ${args.fleet}`);
      const notAllowed = connection.notAllowed.then((subject) => ({ ok: false, why: 'not_allowed', subject }) as const);
      const joined = await Promise.race([worker.join(hello, edge.drain), notAllowed]);
      if (!joined.ok) return notJoined(joined, args);
      return await measureShare(joined.share, worker, whole, measure, args, edge);
    } finally {
      worker.close();
    }
  } finally {
    await connection.close();
  }
}

async function measureShare(
  { run, index, of }: FleetShare,
  worker: WorkerSide,
  whole: PlannedSuite,
  measure: MeasureReady<ExitCode>,
  args: Args,
  edge: Edge,
): Promise<ExitCode> {
  const named = { run, shard: { index, of } };
  const ready = accepted(await readyNewRun(whole, named, resolve(edge.cwd, args.out), edge));
  if (!args.quiet) edge.say(`${args.name}: measures shard ${index} of ${of} of run ${run}`);
  const fleet = partOf(worker, whole);
  edge.drain.addEventListener('abort', worker.interrupt);
  // Inherits from `edge`: a copy would open standard input.
  const shardEdge: Edge = Object.create(edge, { abort: { value: AbortSignal.any([edge.abort, worker.aborted]) } });
  const code = await exitCodeOf(() => measure({ ...ready, fleet }, named, shardEdge), edge);
  // An interrupted shard has to be resumed first, as `measure` has printed.
  if (edge.drain.aborted && code !== EXIT.ok) return code;
  const isHandedOver = await worker.handOver(code);
  const sentence = isHandedOver
    ? `${args.name}: handed over shard ${index} of ${of}`
    : `${args.name}: the coordinator did not take this shard; copy its folder to the results of the coordinator, then merge all shards there (retake merge --replace)`;
  if (!args.quiet || !isHandedOver) edge.say(sentence);
  return code;
}

function partOf(worker: WorkerSide, { variants, suite }: PlannedSuite): FleetPart {
  const mostUsdOf = mostUsdFrom(trialCosts(variants, suite.cases));
  return {
    barrier: { before: worker.before, ended: worker.ended },
    observe: (event: RunnerEvent) => {
      if (event.event === 'started' || event.event === 'refused') {
        worker.count({ sent: 1, mostUsd: mostUsdOf(event.trial) });
      }
      if (event.event === 'ended' && !NO_FAILURE.has(event.sample.outcome)) worker.count({ failed: 1 });
    },
    measured: worker.measured,
  };
}

function notJoined(
  joined: Extract<Joined, { readonly ok: false }> | { readonly why: 'not_allowed'; readonly subject: string },
  { name, fleet }: Pick<Args, 'name' | 'fleet'>,
): ExitCode {
  switch (joined.why) {
    case 'refused':
      throw refusal(...refusedHelloWords('this worker', joined.reply));
    case 'not_allowed':
      throw refusal(
        `the key does not allow the name ${name}: the NATS server refused ${joined.subject}`,
        `use the file ${name}.key that retake fleet keys wrote`,
      );
    case 'told':
      throw refusal(
        'the coordinator ended the run before it began',
        'see what it printed, then start the coordinator and all workers again',
      );
    case 'unanswered':
      throw refusal(
        `the coordinator did not answer for ${seconds(FLEET_DRAINS_MS)} (NATS server ${fleet})`,
        'start the coordinator and all workers again',
      );
    case 'interrupted':
      return EXIT.incomplete;
  }
}
