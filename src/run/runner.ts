import type { SizeUnit } from '../media/header.ts';
import { mostUsdFrom, type TrialCosts } from '../plan/estimate.ts';
import { looksBefore } from '../plan/looks.ts';
import { isMeasured, type Plan, type Slice } from '../plan/plan.ts';
import type { Trial } from '../plan/trial.ts';
import type { FleetStop, JournalEvent, Stop } from '../record/journal.ts';
import type { RecordWriter } from '../record/store.ts';
import type { Limits, Load } from '../suite/load.ts';
import type { CostBounds } from '../targets/cost-bounds.ts';
import { callTrial, type Ended, type Start, takenMs } from './calls/call-trial.ts';
import { createTrialEnd } from './calls/end-trial.ts';
import { sendSlice } from './calls/send-slice.ts';
import type { Clock } from './clock.ts';
import type { CallRequest } from './events.ts';
import { asError, type RunnerEvent } from './events.ts';
import { createAbandonedVariants } from './limits/abandoned-variants.ts';
import { createOrphanWatch } from './limits/orphans.ts';
import { createStarts } from './limits/starts.ts';
import { createStopRules, NOTHING_SPENT } from './limits/stop-rules.ts';
import { createStopping } from './limits/stopping.ts';
import type { OwnService } from './limits.ts';
import { createReach, type Server } from './limits.ts';
import { type OpenJob, type Resumption, slicesToSend } from './resumption.ts';
import type { Wire } from './wire.ts';

export interface Measurement {
  readonly plan: Plan;
  readonly load: Load;
  readonly limits: Limits;
  /** Of earlier processes; null for a new run. */
  readonly resumption: Resumption | null;
  /** Renders when sent, so that a large plan does not fill memory. */
  readonly requestOf: (trial: Trial) => CallRequest;
  /** Null: a server that is not waited for. */
  readonly serverOf: (variant: string) => Server | null;
  /** Upper bounds for `limits.usd`. */
  readonly costOf: TrialCosts;
  /** The priced unit that the header of an output may state; null: none. */
  readonly unitOf: (trial: Trial) => SizeUnit | null;
  /** The media type that the target promises; null: any. */
  readonly expectedOf: (trial: Trial) => string | null;
}

/** Keeps the slices of several processes in step. */
export interface Barrier {
  /** Called before each slice, once the one before is recorded. Resolves when it may begin, or the run has ended. */
  readonly before: (slice: number) => Promise<void>;
  /** Resolves when no more requests may be sent. */
  readonly ended: Promise<FleetStop>;
}

export interface RunnerEdge {
  readonly clock: Clock;
  readonly wire: Wire;
  readonly record: RecordWriter;
  /** Once aborted, no new request leaves; those in flight end normally. */
  readonly drain: AbortSignal;
  readonly observe: (event: RunnerEvent) => void;
  /** Called between parts of the plan, with nothing in flight; decides the gate on the record so far. */
  readonly look?: ((look: number) => Promise<'go_on' | 'decided'>) | undefined;
  readonly barrier?: Barrier | undefined;
  readonly service?: OwnService | null;
}

/**
 * Sends a plan slice by slice, and records an intent before each trial's first byte and a sample after its end (a
 * dropped trial: only a sample). Looks at the gate between parts; once decided, only probes are sent. Gives why it
 * ended. Throws on a defect, after the trials in flight are journalled.
 */
export async function measure(measurement: Measurement, edge: RunnerEdge): Promise<Stop> {
  const { plan, load, limits, resumption, requestOf, costOf, unitOf, serverOf, expectedOf } = measurement;
  const segment = resumption?.segment ?? 1;
  const { clock, wire, record, drain, observe, barrier, service = null } = edge;
  const stopping = createStopping(wire.hold);
  const spent = resumption ?? NOTHING_SPENT;
  const boundsOf = (trial: Trial): CostBounds => {
    const bounds = costOf(trial);
    if (typeof bounds === 'string') throw new Error(`${trial.variant}: ${bounds}, which limits.usd does not take`);
    return bounds;
  };
  const rules = createStopRules({ limits, load, boundsOf, spent, stopped: stopping.signal });
  const orphans = createOrphanWatch();
  const append = (event: JournalEvent): void => {
    try {
      record.append(event);
    } catch (error) {
      stopping.fault(asError(error));
    }
  };
  const abandoned = createAbandonedVariants(plan, serverOf, stopping, (variant, why) => {
    append({ event: 'abandoned', segment, variant, why, atMs: clock.now() });
    observe({ event: 'abandoned', variant, why });
  });
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
  const shared = { segment, clock, wire, record, observe, rules, stopping, abandoned };
  const reach = createReach(clock.now);
  const starts = createStarts();
  const mostUsdOf = mostUsdFrom(costOf);
  const calling = {
    ...shared,
    append,
    requestOf,
    // Null without a price, an upper bound or a cost.
    mostUsdOf: (trial: Trial) => mostUsdOf(trial) || null,
    unitOf,
    expectedOf,
    serverOf,
    service,
    orphans,
    reach,
    starts,
    jobs: resumption?.jobs ?? NO_JOBS,
  };
  const sending = {
    call: (trial: Trial, slice: Slice, start: Start) => callTrial(trial, slice, start, calling),
    turn: async (trial: Trial, declared: number) => {
      const { slowed, end } = await starts.begin(serverOf(trial.variant)?.origin ?? null, declared);
      return { slowed, end: (ended: Ended | null) => end(takenMs(ended)) };
    },
    ...createTrialEnd(shared),
    skips: abandoned.holds,
    stopped: stopping.signal,
    now: clock.now,
  };

  const isInStep = async ({ index }: Slice): Promise<boolean> => {
    if (barrier === undefined) return true;
    wire.rest(true);
    try {
      await Promise.race([barrier.before(index), stopped]);
    } catch (error) {
      stopping.fault(asError(error));
    } finally {
      wire.rest(false);
    }
    return stopping.why() === null;
  };

  const lookAt = async (look: number): Promise<'go_on' | 'decided' | null> => {
    try {
      if (edge.look === undefined) throw new Error('a plan in parts was sent without a look at its gate');
      wire.rest(true);
      return await edge.look(look);
    } catch (error) {
      stopping.fault(asError(error));
      return null;
    } finally {
      wire.rest(false);
    }
  };

  void service?.ended.then((how) => {
    stopping.stop({ reason: 'service', ...how });
    // Nothing answers any more. Calls to other services are waited for.
    if (plan.slices.every(({ trials }) => trials.every(({ variant }) => service.serves(variant)))) wire.abort();
  });
  void barrier?.ended.then((why) => stopping.stop({ reason: 'fleet', ...why }));
  const onInterrupt = () => stopping.stop({ reason: 'interrupted' });
  if (drain.aborted) onInterrupt();
  drain.addEventListener('abort', onInterrupt);
  append({ event: 'segment', state: 'started', segment, originAt: clock.originAt });
  for (const sample of resumption?.unanswered ?? []) append({ event: 'sample', sample });
  let { looked, decided } = resumption ?? NO_LOOK;
  for (const slice of slicesToSend(plan, load, resumption)) {
    if (stopping.why() !== null) break;
    const measured = slice.trials.some(isMeasured);
    const look = looksBefore(plan, slice.index);
    if (measured && look > looked && !decided) {
      const decision = await lookAt(look);
      // An interrupted look decides nothing.
      if (decision === null || stopping.why() !== null) break;
      looked = look;
      decided = decision === 'decided';
      append({ event: 'look', segment, look, decided, atMs: clock.now() });
      observe({ event: 'look', look, of: plan.looks?.of ?? look, decided });
    }
    // Once decided, no other part is sent; jobs of earlier parts continue.
    if (measured && decided && look >= looked) continue;
    if (!(await isInStep(slice))) break;
    await sendSlice(slice, sending);
  }
  drain.removeEventListener('abort', onInterrupt);

  const stop: Stop = stopping.why() ?? { reason: 'finished' };
  const seen = { orphans: orphans.count(), loopDelay: await wire.loopDelay() };
  append({ event: 'segment', state: 'ended', segment, atMs: clock.now(), stop, ...seen });
  const defect = stopping.noted();
  if (defect !== null) throw defect;
  return stop;
}

const NO_LOOK = { looked: 0, decided: false };

const NO_JOBS: ReadonlyMap<string, OpenJob> = new Map();
