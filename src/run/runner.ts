import pLimit from 'p-limit';
import { sniff } from '../media/sniff.ts';
import type { Plan, Slice, Trial } from '../plan/trial.ts';
import type { Stop } from '../record/journal.ts';
import type { Sample } from '../record/sample.ts';
import type { RecordWriter } from '../record/store.ts';
import type { Limits, Load } from '../suite/suite.ts';
import type { AcceptedJob, RefusedAttempt } from '../target/edge.ts';
import { createBacklog } from './backlog.ts';
import { type Clock, sleep } from './clock.ts';
import { createFailureLimit } from './failure-limit.ts';
import { createOrphanWatch } from './orphans.ts';
import { defectSample, droppedSample, type KeptOutput, type SampleContext, sampleOf } from './sample-of.ts';
import { holdsSecret } from './secret-bytes.ts';
import { sendOpen } from './send-open.ts';
import { beginningOfText } from './text-beginning.ts';
import type { Wire } from './wire.ts';
import type { EndedCall, WireCall } from './wire-messages.ts';

/** What is to be measured. */
export interface Measurement {
  readonly plan: Plan;
  readonly load: Load;
  readonly limits: Limits;
  readonly segment: number;
  /** The call of a trial, rendered when it is sent so that a large plan is not held whole. */
  readonly requestOf: (trial: Trial) => WireCall;
  /** Values that must be in no file: an output that holds one is not kept. */
  readonly secrets: readonly string[];
  /** The media type the trial's target promises, null for any. */
  readonly expectedOf: (trial: Trial) => string | null;
}

/** The world as the runner meets it. */
export interface RunnerEdge {
  readonly clock: Clock;
  readonly wire: Wire;
  readonly record: RecordWriter;
  /** Aborted: no new request leaves; those in flight end by themselves. */
  readonly wind: AbortSignal;
  readonly observe: (event: RunnerEvent) => void;
}

export type RunnerEvent =
  | { readonly event: 'started'; readonly trial: Trial }
  | { readonly event: 'refused'; readonly trial: Trial; readonly attempt: RefusedAttempt }
  | { readonly event: 'ended'; readonly sample: Sample };

/** Bytes of outputs that may wait to be hashed and written; no call begins while there are more. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;

/**
 * Sends a plan's trials, slice after slice, as the pace of each says, never more than that allows in flight, and writes
 * what becomes of them to the record: an intent before each trial's first byte leaves, one sample after its end. Under
 * open load a trial that found no place in flight has its sample too, and no intent. Gives why it ended.
 * Throws on a defect of ours, after the trials in flight have been journalled.
 */
export async function measure(measurement: Measurement, edge: RunnerEdge): Promise<Stop> {
  const { clock, record } = edge;
  const run = startRun(measurement, edge);
  record.append({ event: 'segment', state: 'started', segment: measurement.segment, originAt: clock.originAt });
  for (const slice of measurement.plan.slices) {
    if (run.stop() !== null) break;
    await send(slice, run, clock.now);
  }
  const stop = await run.end();
  const defect = run.defect();
  if (defect !== null) throw defect;
  return stop;
}

type Running = ReturnType<typeof startRun>;

/**
 * Sends a slice and resolves when all of it is in the record. A slot is held for the call alone; hashing and writing
 * what it brought come after, in their turn. Neither part rejects: a fault of ours ends the run, and what is in flight
 * still gets its sample.
 */
async function send(slice: Slice, run: Running, now: () => number): Promise<void> {
  const { trials, pace } = slice;
  const kept = new Set<Promise<void>>();
  const keep = (call: Promise<Ended | null>): void => {
    const keeping = call.then(run.keep).finally(() => kept.delete(keeping));
    kept.add(keeping);
  };
  if (pace.mode === 'closed') {
    const slots = pLimit(pace.concurrency);
    for (const trial of trials) {
      // One is lined up at a time: a promise for each trial of a large slice would cost more memory than the plan.
      await new Promise<void>((lineUpNext) => {
        const call = async () => {
          lineUpNext();
          // What has come back and is not in the record yet would be lost with the process.
          await run.room(pace.concurrency + 1);
          return run.call(trial, slice, null);
        };
        keep(slots(call));
      });
    }
    await Promise.all(kept);
    return;
  }
  const begin = async (trial: Trial, dueMs: number): Promise<void> => {
    const call = run.call(trial, slice, dueMs);
    keep(call);
    await call;
  };
  const drop = (trial: Trial, dueMs: number) => run.drop(trial, slice, dueMs);
  await sendOpen(trials, pace, { begin, drop, room: run.room, stopped: run.stopped, now, sleep });
  await Promise.all(kept);
}

/** A call that ended, or broke. */
interface Ended {
  readonly context: SampleContext;
  /** When it was handed over. */
  readonly begunMs: number;
  readonly result: EndedCall | Error;
  readonly expected: string | null;
}

/** The moving state of one measuring: what was sent, and whether to go on. */
function startRun({ load, limits, segment, requestOf, expectedOf, secrets }: Measurement, edge: RunnerEdge) {
  const { clock, wire, record, observe } = edge;
  const failures = createFailureLimit(limits.failures);
  const orphans = createOrphanWatch();
  const backlog = createBacklog(MOST_WAITING_BYTES);
  const stopped = new AbortController();
  let requests = 0;
  let stop: Stop | null = null;
  let defect: Error | null = null;

  const stopWith = (reason: Stop['reason'], message: string) => {
    stop ??= { reason, message };
    wire.hold();
    stopped.abort();
  };
  const onInterrupt = () => stopWith('interrupted', INTERRUPTED);
  if (edge.wind.aborted) onInterrupt();
  edge.wind.addEventListener('abort', onInterrupt);

  /** Every submit counts, a refused one that is sent again among them. */
  const spendRequest = (): boolean => {
    if (limits.requests !== null && requests >= limits.requests) {
      stopWith(
        'requests',
        `the limit of ${limits.requests} requests was reached; raise limits.requests to measure the rest`,
      );
      return false;
    }
    requests += 1;
    return true;
  };

  const refused = (trial: Trial, attempt: RefusedAttempt): boolean => {
    const again = stop === null && spendRequest();
    if (again) record.append({ event: 'attempt', segment, trial: trial.id, ...attempt });
    observe({ event: 'refused', trial, attempt });
    return again;
  };

  const accepted = (trial: Trial, { captured, atMs }: AcceptedJob): void => {
    record.append({ event: 'accepted', segment, trial: trial.id, captured, atMs });
  };

  /** @param dueMs when it is to begin; null: at once */
  const call = async (trial: Trial, slice: Slice, dueMs: number | null): Promise<Ended | null> => {
    if (stop !== null || !spendRequest()) return null;
    const begunMs = clock.now();
    let request: WireCall;
    try {
      request = { ...requestOf(trial), ...(dueMs === null ? {} : { dueMs }) };
      record.append({ event: 'intent', segment, slice: slice.index, trial, atMs: begunMs });
    } catch (error) {
      noteDefect(asError(error));
      return null; // nothing left
    }
    observe({ event: 'started', trial });
    const result = await wire
      .call(
        request,
        (attempt) => refused(trial, attempt),
        (job) => accepted(trial, job),
      )
      .catch(asError);
    const scheduledAt = clock.wallTime(dueMs ?? (result instanceof Error ? begunMs : result.marks.startedMs));
    const flags = result instanceof Error ? [] : flagsOf(result, request.timeoutMs);
    return {
      context: { trial, slice: slice.index, segment, scheduledAt, scheduledMs: dueMs, flags },
      begunMs,
      result,
      expected: expectedOf(trial),
    };
  };

  const flagsOf = (result: EndedCall, timeoutMs: number): readonly string[] => {
    const beside = orphans.ended({ ...result, timeoutMs });
    return [...(result.harnessLag ? ['harness_lag'] : []), ...(beside ? ['orphans'] : [])];
  };

  const keep = async (ended: Ended | null): Promise<void> => {
    if (ended === null) return;
    await backlog.add(bytesOf(ended.result), () => conclude(sampleOrDefect(ended)));
  };

  const drop = (trial: Trial, slice: Slice, dueMs: number): void => {
    const context = { trial, slice: slice.index, segment, scheduledAt: clock.wallTime(dueMs) };
    conclude(droppedSample(context, dueMs, clock.now()));
  };

  const conclude = (sample: Sample): void => {
    try {
      record.append({ event: 'sample', sample });
    } catch (error) {
      noteDefect(asError(error));
    }
    judge(sample);
    observe({ event: 'ended', sample });
  };

  const sampleOrDefect = (ended: Ended): Sample => {
    if (ended.result instanceof Error) return fail(ended, ended.result);
    try {
      return store(record, ended.context, withoutSecrets(ended.result, secrets), ended.expected);
    } catch (error) {
      return fail(ended, asError(error));
    }
  };

  const noteDefect = (error: Error): void => {
    defect ??= error;
    stopWith('defect', `Retake itself failed: ${error.message}`);
  };

  const fail = ({ context, begunMs }: Ended, error: Error): Sample => {
    noteDefect(error);
    return defectSample(context, begunMs, clock.now(), error);
  };

  const judge = ({ outcome, trial, error }: Sample): void => {
    if (outcome === 'no_credit') {
      stopWith('no_credit', `${trial.variant}: the account has no credit left (${error.message}); top it up`);
    }
    if (outcome === 'throttled' && load.onThrottle === 'stop') {
      stopWith('throttled', `${trial.variant}: the service refused a request as throttled, and on_throttle is stop`);
    }
    const reached = failures.count(outcome);
    if (reached !== null) stopWith('failures', reached);
  };

  const end = async (): Promise<Stop> => {
    edge.wind.removeEventListener('abort', onInterrupt);
    const why = stop ?? { reason: 'finished', message: '' };
    const loopDelay = await wire.loopDelay();
    const seen = { orphans: orphans.count(), ...(loopDelay === null ? {} : { loopDelay }) };
    try {
      record.append({ event: 'segment', state: 'ended', segment, atMs: clock.now(), stop: why, ...seen });
    } catch (error) {
      noteDefect(asError(error));
    }
    return why;
  };

  return {
    call,
    keep,
    drop,
    end,
    room: backlog.room,
    stopped: stopped.signal,
    stop: () => stop,
    defect: () => defect,
  };
}

const INTERRUPTED = 'interrupted; what was measured so far is in the record';

/** A server that echoes the key would have us write it to disk: such an output is refused whole. */
function withoutSecrets(result: EndedCall, secrets: readonly string[]): EndedCall {
  if (result.outcome !== 'ok' || !result.assets.some(({ bytes }) => holdsSecret(bytes, secrets))) return result;
  const { assets: _assets, ...trace } = result;
  return {
    ...trace,
    outcome: 'error',
    error: { code: 'secret_in_output', message: 'the output holds the key; it was not kept' },
  };
}

/** Stores what came back and makes its sample. */
function store(record: RecordWriter, context: SampleContext, result: EndedCall, expected: string | null): Sample {
  const kept = (result.outcome === 'ok' ? result.assets : []).map(({ bytes, declaredMime }): KeptOutput => {
    const type = sniff(bytes);
    const sha256 = record.keepMedia(bytes, type?.extension ?? 'bin');
    const text = type === null ? beginningOfText(bytes) : '';
    return { sha256, bytes: bytes.byteLength, mime: type?.mime ?? null, declaredMime, type, text };
  });
  return sampleOf(context, result, kept, expected);
}

function bytesOf(result: EndedCall | Error): number {
  if (result instanceof Error || result.outcome !== 'ok') return 0;
  return result.assets.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
