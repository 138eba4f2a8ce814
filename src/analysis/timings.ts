import type { Sample } from '../record/journal.ts';
import type { Timings } from './effective-sample.ts';

type Steps = Pick<
  Timings,
  'submitMs' | 'queueMs' | 'queueLowMs' | 'runMs' | 'runHighMs' | 'detectMs' | 'generationLowMs'
>;

const NO_STEPS: Steps = {
  submitMs: null,
  queueMs: null,
  queueLowMs: null,
  runMs: null,
  runHighMs: null,
  detectMs: null,
  generationLowMs: null,
};

const NONE: Timings = {
  ...NO_STEPS,
  totalMs: null,
  startLagMs: null,
  responseMs: null,
  downloadMs: null,
  ttfbMs: null,
  generationMs: null,
};

/**
 * A sample's durations in milliseconds. Submit, queue, run, detect and download add up to total.
 *
 * Without a poll the reply itself was the answer: submit reaches to `ready`, and queue, run and detect are not
 * defined. With polls, a job is pending until the last poll that said "not yet" was sent (without one: until it was
 * accepted), and detect is the rest until the reply that said done. Where the poll that first said running is also
 * the last that said not yet, its reply came after it was sent; run is then 0, and detect counts from that reply.
 * Where polls tell waiting from work, work began between the last poll that said not begun and the first that said
 * running: queue reaches to the latter, `queueLowMs` to the former, from where `runHighMs` reaches to `ready`. Where no
 * poll said running, queue reaches to the last that said not begun, and all of run may lie within detect.
 * A sample measured by two processes (`resumed`) has no durations: their clocks have different origins.
 */
export function timingsOf(sample: Pick<Sample, 'attempts' | 'flags' | 'marks' | 'polls'>): Timings {
  if (sample.flags.includes('resumed')) return NONE;
  const { scheduledMs, startedMs, readyMs, firstByteMs, doneMs } = sample.marks;
  const steps = sample.polls === 0 ? answered(sample) : polled(sample);
  // Written out: spreading both made this seven times slower, which ten thousand samples show.
  return {
    totalMs: since(startedMs, doneMs),
    // Marks are those of the last attempt: how late the first of several was is not known.
    startLagMs: sample.attempts > 1 ? null : since(scheduledMs, startedMs),
    responseMs: since(scheduledMs, doneMs),
    submitMs: steps.submitMs,
    queueMs: steps.queueMs,
    queueLowMs: steps.queueLowMs,
    runMs: steps.runMs,
    runHighMs: steps.runHighMs,
    detectMs: steps.detectMs,
    downloadMs: since(readyMs, doneMs),
    ttfbMs: since(startedMs, firstByteMs),
    generationLowMs: steps.generationLowMs,
    generationMs: since(startedMs, readyMs),
  };
}

/** The submit reply was the answer, so the moment it was ready is known and not only an interval. */
function answered({ marks: { startedMs, acceptedMs, refusedMs, readyMs } }: Pick<Sample, 'marks'>): Steps {
  return {
    ...NO_STEPS,
    submitMs: since(startedMs, readyMs ?? acceptedMs ?? refusedMs),
    generationLowMs: since(startedMs, readyMs),
  };
}

function polled({ marks }: Pick<Sample, 'marks'>): Steps {
  const { startedMs, acceptedMs, runningMs, lastQueuedMs, lastPendingMs, readyMs } = marks;
  if (acceptedMs === undefined) return NO_STEPS;
  const lastMs = lastPendingMs ?? acceptedMs;
  const pendingMs = runningMs === undefined ? lastMs : Math.max(lastMs, runningMs);
  // Null: polls do not tell waiting from work, so waiting counts as run.
  const begunMs = runningMs ?? lastQueuedMs ?? null;
  return {
    submitMs: acceptedMs - startedMs,
    queueMs: begunMs === null ? null : begunMs - acceptedMs,
    queueLowMs: since(acceptedMs, lastQueuedMs),
    // Nobody knows when a job that never got ready would have stopped running.
    runMs: readyMs === undefined ? null : pendingMs - (begunMs ?? acceptedMs),
    runHighMs: since(lastQueuedMs, readyMs),
    detectMs: readyMs === undefined ? null : readyMs - pendingMs,
    generationLowMs: readyMs === undefined ? null : lastMs - startedMs,
  };
}

function since(from: number | undefined, to: number | undefined): number | null {
  return from === undefined || to === undefined ? null : to - from;
}
