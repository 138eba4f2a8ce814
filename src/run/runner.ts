import { looksBefore } from '../plan/looks.ts';
import { isMeasured, type Slice } from '../plan/plan.ts';
import type { JournalEvent, Stop } from '../record/journal.ts';
import { createTrialEnd, type TrialEnd } from './calls/end-trial.ts';
import { sendSlice } from './calls/send-slice.ts';
import type { RunSending } from './calls/sending.ts';
import { asError } from './events.ts';
import { createAbandonedVariants, createOrphanWatch, createStopping } from './limits/abandoned-variants.ts';
import { createStarts } from './limits/starts.ts';
import { createStopRules } from './limits/stop-rules.ts';
import { createReach } from './limits.ts';
import type { Measurement, RunnerEdge } from './measurement.ts';
import { slicesToSend } from './resumption.ts';

/**
 * Sends a plan slice by slice, and records an intent before each trial's first byte and a sample after its end (a
 * dropped trial: only a sample). Looks at the gate between parts; once decided, only probes are sent. Gives why it
 * ended. Throws on a defect, after the trials in flight are journalled.
 */
export async function measure(measurement: Measurement, edge: RunnerEdge): Promise<Stop> {
  return new Runner(measurement, edge).run();
}

class Runner {
  readonly #stopped: Promise<void>;
  readonly #sending: RunSending;
  readonly #trialEnd: TrialEnd;

  constructor(measurement: Measurement, edge: RunnerEdge) {
    const { plan, resumption, serverOf } = measurement;
    const stopping = createStopping(edge.wire.hold);
    const segment = resumption?.segment ?? 1;
    this.#stopped = new Promise((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
    const abandoned = createAbandonedVariants(plan, serverOf, stopping, {
      variant: (variant, why) => {
        this.#append({ event: 'abandoned', segment, variant, why, atMs: edge.clock.now() });
        edge.observe({ event: 'abandoned', variant, why });
      },
      load: ({ planned, ...ended }) => {
        const atMs = edge.clock.now();
        this.#append({ event: 'load_ended', segment, planned, ...ended, atMs });
        edge.observe({ event: 'load_ended', ...ended });
      },
    });
    this.#sending = {
      ...measurement,
      ...edge,
      segment,
      append: (event) => this.#append(event),
      rules: createStopRules(measurement, stopping.signal),
      stopping,
      abandoned,
      orphans: createOrphanWatch(),
      reach: createReach(edge.clock.now),
      starts: createStarts(),
    };
    this.#trialEnd = createTrialEnd(this.#sending);
  }

  async run(): Promise<Stop> {
    const { plan, resumption, segment, stopping, clock, wire, drain, barrier, service } = this.#sending;
    void service?.ended.then((how) => {
      stopping.stop({ reason: 'service', ...how });
      // Nothing answers any more. Calls to other services are waited for.
      if (plan.slices.every(({ trials }) => trials.every(({ variant }) => service.serves(variant)))) wire.abort();
    });
    void barrier?.ended.then((why) => stopping.stop({ reason: 'fleet', ...why }));
    const onInterrupt = () => stopping.stop({ reason: 'interrupted' });
    if (drain.aborted) onInterrupt();
    drain.addEventListener('abort', onInterrupt);
    this.#append({ event: 'segment', state: 'started', segment, originAt: clock.originAt });
    for (const sample of resumption?.unanswered ?? []) this.#append({ event: 'sample', sample });
    await this.#sendSlices();
    drain.removeEventListener('abort', onInterrupt);

    const stop: Stop = stopping.why() ?? { reason: 'finished' };
    const seen = { orphans: this.#sending.orphans.count(), loopDelay: await wire.loopDelay() };
    this.#append({ event: 'segment', state: 'ended', segment, atMs: clock.now(), stop, ...seen });
    const defect = stopping.noted();
    if (defect !== null) throw defect;
    return stop;
  }

  async #sendSlices(): Promise<void> {
    const { plan, load, resumption, segment, stopping, clock, observe } = this.#sending;
    let { looked, decided } = resumption ?? NO_LOOK;
    for (const slice of slicesToSend(plan, load, resumption)) {
      if (stopping.why() !== null) return;
      const measured = slice.trials.some(isMeasured);
      const look = looksBefore(plan, slice.index);
      if (measured && look > looked && !decided) {
        const decision = await this.#lookAt(look);
        // An interrupted look decides nothing.
        if (decision === null || stopping.why() !== null) return;
        looked = look;
        decided = decision === 'decided';
        // Between the pairs of a claim there are hundreds: what they say follows from the samples.
        if (decided || plan.looks?.kind !== 'claim') {
          this.#append({ event: 'look', segment, look, decided, atMs: clock.now() });
          observe({ event: 'look', look, of: plan.looks?.of ?? look, decided });
        }
      }
      // Once decided, no other part is sent; jobs of earlier parts continue.
      if (measured && decided && look >= looked) continue;
      if (!(await this.#isInStep(slice))) return;
      await sendSlice(slice, this.#sending, this.#trialEnd);
    }
  }

  #append(event: JournalEvent): void {
    try {
      this.#sending.record.append(event);
    } catch (error) {
      this.#sending.stopping.fault(asError(error));
    }
  }

  async #isInStep({ index }: Slice): Promise<boolean> {
    const { barrier, stopping } = this.#sending;
    if (barrier !== undefined) await this.#atRest(() => Promise.race([barrier.before(index), this.#stopped]));
    return stopping.why() === null;
  }

  #lookAt(look: number): Promise<'go_on' | 'decided' | null> {
    return this.#atRest(() => {
      if (this.#sending.look === undefined) throw new Error('a plan in parts was sent without a look at its gate');
      return this.#sending.look(look);
    });
  }

  /** Null: it threw, which is a defect. */
  async #atRest<T>(step: () => Promise<T>): Promise<T | null> {
    const { wire, stopping } = this.#sending;
    wire.rest(true);
    try {
      return await step();
    } catch (error) {
      stopping.fault(asError(error));
      return null;
    } finally {
      wire.rest(false);
    }
  }
}

const NO_LOOK = { looked: 0, decided: false };
