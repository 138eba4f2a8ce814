import type { SizeUnit } from '../media/header.ts';
import { mostUsdFrom, type TrialCosts } from '../plan/estimate.ts';
import { looksBefore } from '../plan/looks.ts';
import { isMeasured, type Plan, type Slice } from '../plan/plan.ts';
import type { Trial } from '../plan/trial.ts';
import type { FleetStop, JournalEvent, Stop } from '../record/journal.ts';
import type { RecordWriter } from '../record/store.ts';
import type { Limits, Load } from '../suite/load.ts';
import type { CostBounds } from '../targets/cost-bounds.ts';
import { callTrial, takenMs } from './calls/call-trial.ts';
import { createTrialEnd } from './calls/end-trial.ts';
import { type SliceSending, sendSlice } from './calls/send-slice.ts';
import type { Clock } from './clock.ts';
import type { CallRequest } from './events.ts';
import { asError, type RunnerEvent } from './events.ts';
import {
  type AbandonedVariants,
  createAbandonedVariants,
  createOrphanWatch,
  createStopping,
  type Stopping,
} from './limits/abandoned-variants.ts';
import { createStarts } from './limits/starts.ts';
import { createStopRules, NOTHING_SPENT } from './limits/stop-rules.ts';
import type { OwnService } from './limits.ts';
import { createReach, type Server } from './limits.ts';
import { type OpenJob, type Resumption, slicesToSend } from './resumption.ts';
import type { Wire } from './wire.ts';

export interface Measurement {
  readonly plan: Plan;
  readonly load: Load;
  readonly limits: Limits;
  /** Whether the loads of a sweep must hold something: then failures end a load, not the run. */
  readonly holds: boolean;
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
  return new Runner(measurement, edge).run();
}

class Runner {
  readonly #measurement: Measurement;
  readonly #edge: RunnerEdge;
  readonly #segment: number;
  readonly #stopping: Stopping;
  readonly #stopped: Promise<void>;
  readonly #abandoned: AbandonedVariants;
  readonly #orphans = createOrphanWatch();
  readonly #sending: SliceSending;

  constructor(measurement: Measurement, edge: RunnerEdge) {
    const { plan, resumption, serverOf } = measurement;
    const stopping = createStopping(edge.wire.hold);
    this.#measurement = measurement;
    this.#edge = edge;
    this.#segment = resumption?.segment ?? 1;
    this.#stopping = stopping;
    this.#stopped = new Promise((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
    this.#abandoned = createAbandonedVariants(plan, serverOf, stopping, {
      variant: (variant, why) => {
        this.#append({ event: 'abandoned', segment: this.#segment, variant, why, atMs: edge.clock.now() });
        edge.observe({ event: 'abandoned', variant, why });
      },
      load: ({ planned, ...ended }) => {
        const atMs = edge.clock.now();
        this.#append({ event: 'load_ended', segment: this.#segment, planned, ...ended, atMs });
        edge.observe({ event: 'load_ended', ...ended });
      },
    });
    this.#sending = this.#createSending();
  }

  async run(): Promise<Stop> {
    const { plan, resumption } = this.#measurement;
    const { clock, wire, drain, barrier, service } = this.#edge;
    const segment = this.#segment;
    void service?.ended.then((how) => {
      this.#stopping.stop({ reason: 'service', ...how });
      // Nothing answers any more. Calls to other services are waited for.
      if (plan.slices.every(({ trials }) => trials.every(({ variant }) => service.serves(variant)))) wire.abort();
    });
    void barrier?.ended.then((why) => this.#stopping.stop({ reason: 'fleet', ...why }));
    const onInterrupt = () => this.#stopping.stop({ reason: 'interrupted' });
    if (drain.aborted) onInterrupt();
    drain.addEventListener('abort', onInterrupt);
    this.#append({ event: 'segment', state: 'started', segment, originAt: clock.originAt });
    for (const sample of resumption?.unanswered ?? []) this.#append({ event: 'sample', sample });
    await this.#sendSlices();
    drain.removeEventListener('abort', onInterrupt);

    const stop: Stop = this.#stopping.why() ?? { reason: 'finished' };
    const seen = { orphans: this.#orphans.count(), loopDelay: await wire.loopDelay() };
    this.#append({ event: 'segment', state: 'ended', segment, atMs: clock.now(), stop, ...seen });
    const defect = this.#stopping.noted();
    if (defect !== null) throw defect;
    return stop;
  }

  async #sendSlices(): Promise<void> {
    const { plan, load, resumption } = this.#measurement;
    const { clock, observe } = this.#edge;
    let { looked, decided } = resumption ?? NO_LOOK;
    for (const slice of slicesToSend(plan, load, resumption)) {
      if (this.#stopping.why() !== null) return;
      const measured = slice.trials.some(isMeasured);
      const look = looksBefore(plan, slice.index);
      if (measured && look > looked && !decided) {
        const decision = await this.#lookAt(look);
        // An interrupted look decides nothing.
        if (decision === null || this.#stopping.why() !== null) return;
        looked = look;
        decided = decision === 'decided';
        this.#append({ event: 'look', segment: this.#segment, look, decided, atMs: clock.now() });
        observe({ event: 'look', look, of: plan.looks?.of ?? look, decided });
      }
      // Once decided, no other part is sent; jobs of earlier parts continue.
      if (measured && decided && look >= looked) continue;
      if (!(await this.#isInStep(slice))) return;
      await sendSlice(slice, this.#sending);
    }
  }

  #createSending(): SliceSending {
    const { load, limits, holds, resumption, requestOf, costOf, unitOf, serverOf, expectedOf } = this.#measurement;
    const { clock, wire, record, observe, service = null } = this.#edge;
    const stopping = this.#stopping;
    const abandoned = this.#abandoned;
    const boundsOf = (trial: Trial): CostBounds => {
      const bounds = costOf(trial);
      if (typeof bounds === 'string') throw new Error(`${trial.variant}: ${bounds}, which limits.usd does not take`);
      return bounds;
    };
    const spent = resumption ?? NOTHING_SPENT;
    const rules = createStopRules({ limits, load, holds, boundsOf, spent, stopped: stopping.signal });
    const shared = { segment: this.#segment, clock, wire, record, observe, rules, stopping, abandoned };
    const starts = createStarts();
    const mostUsdOf = mostUsdFrom(costOf);
    const calling = {
      ...shared,
      append: (event: JournalEvent) => this.#append(event),
      requestOf,
      // Null without a price, an upper bound or a cost.
      mostUsdOf: (trial: Trial) => mostUsdOf(trial) || null,
      unitOf,
      expectedOf,
      serverOf,
      service,
      orphans: this.#orphans,
      reach: createReach(clock.now),
      starts,
      jobs: resumption?.jobs ?? NO_JOBS,
    };
    return {
      call: (trial, slice, start) => callTrial(trial, slice, start, calling),
      turn: async (trial, declared) => {
        const { slowed, end } = await starts.begin(serverOf(trial.variant)?.origin ?? null, declared);
        return { slowed, end: (ended) => end(takenMs(ended)) };
      },
      ...createTrialEnd(shared),
      skips: abandoned.holds,
      stopped: stopping.signal,
      now: clock.now,
    };
  }

  #append(event: JournalEvent): void {
    try {
      this.#edge.record.append(event);
    } catch (error) {
      this.#stopping.fault(asError(error));
    }
  }

  async #isInStep({ index }: Slice): Promise<boolean> {
    const { barrier } = this.#edge;
    if (barrier !== undefined) await this.#atRest(() => Promise.race([barrier.before(index), this.#stopped]));
    return this.#stopping.why() === null;
  }

  #lookAt(look: number): Promise<'go_on' | 'decided' | null> {
    return this.#atRest(() => {
      if (this.#edge.look === undefined) throw new Error('a plan in parts was sent without a look at its gate');
      return this.#edge.look(look);
    });
  }

  /** Null: it threw, which is a defect. */
  async #atRest<T>(step: () => Promise<T>): Promise<T | null> {
    const { wire } = this.#edge;
    wire.rest(true);
    try {
      return await step();
    } catch (error) {
      this.#stopping.fault(asError(error));
      return null;
    } finally {
      wire.rest(false);
    }
  }
}

const NO_LOOK = { looked: 0, decided: false };

const NO_JOBS: ReadonlyMap<string, OpenJob> = new Map();
