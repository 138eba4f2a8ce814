import type { Slice } from '../../plan/plan.ts';
import type { Trial } from '../../plan/trial.ts';
import type { Sample } from '../../record/journal.ts';
import type { RecordWriter } from '../../record/store.ts';
import type { Clock } from '../clock.ts';
import { asError, type RunnerEvent } from '../events.ts';
import { type AbandonedVariants, createAbandonRule } from '../limits/abandoned-variants.ts';
import type { StopRules } from '../limits/stop-rules.ts';
import { ofThisMachine, type Stopping } from '../limits/stopping.ts';
import type { Wire } from '../wire.ts';
import { type Backlog, createBacklog } from './backlog.ts';
import type { Ended } from './call-trial.ts';
import { bytesOf, keepOutputs } from './keep-outputs.ts';
import { brokenSample, droppedSample } from './sample-of.ts';

/** Bytes of outputs that wait to be hashed and written; above this no call begins. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;

export interface TrialEndEdge {
  readonly segment: number;
  readonly clock: Clock;
  readonly wire: Pick<Wire, 'secrets'>;
  readonly record: RecordWriter;
  readonly observe: (event: RunnerEvent) => void;
  readonly rules: StopRules;
  readonly stopping: Stopping;
  readonly abandoned: AbandonedVariants;
}

export interface TrialEnd {
  /** Resolves once the sample is written. Null: nothing was sent. */
  readonly keep: (ended: Ended | null) => Promise<void>;
  /** For a trial under open load that is due while `ceiling` calls are in flight. */
  readonly drop: (trial: Trial, slice: Slice, dueMs: number) => Promise<void>;
  readonly room: Backlog['room'];
}

/** Writes one sample for each trial; stops the run at a limit or on an error of Retake. Never rejects. */
export function createTrialEnd(edge: TrialEndEdge): TrialEnd {
  const { segment, clock, record, observe, rules, stopping, abandoned } = edge;
  const backlog = createBacklog(MOST_WAITING_BYTES);
  const abandonRule = createAbandonRule();
  const conclude = async (sample: Sample): Promise<void> => {
    const written = record.commit({ event: 'sample', sample }).catch((error) => stopping.fault(asError(error)));
    observe({ event: 'ended', sample });
    const stop = rules.count(sample);
    if (stop !== null) stopping.stop(stop);
    const why = abandonRule.count(sample);
    if (why !== null) abandoned.abandon(sample.trial.variant, why);
    await written;
  };
  return {
    keep: async (ended) => {
      if (ended === null) return;
      await conclude(await backlog.add(bytesOf(ended.result), () => sampleOfEnd(ended, edge)));
    },
    drop: (trial, slice, dueMs) => {
      const context = { trial, slice: slice.index, segment, scheduledAt: clock.wallTime(dueMs) };
      return conclude(droppedSample(context, dueMs, clock.now()));
    },
    room: backlog.room,
  };
}

function sampleOfEnd(ended: Ended, { clock, wire, record, stopping }: TrialEndEdge): Sample {
  const { context, begunMs, result } = ended;
  const broken = (error: Error): Sample => {
    stopping.fault(error);
    const message = wire.secrets.redact(error.message);
    return brokenSample(context, begunMs, clock.now(), message, ofThisMachine(error) === null ? 'defect' : 'cancelled');
  };
  if (result instanceof Error) return broken(result);
  try {
    return keepOutputs({ ...ended, result }, record, wire.secrets);
  } catch (error) {
    return broken(asError(error));
  }
}
