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
 * Durations of a sample in milliseconds; submit, queue, run, detect and download add up to total.
 *
 * Without polls the reply is the answer: submit ends at `ready`; queue, run and detect are undefined. With polls, a job
 * is pending until the last "not yet" poll was sent, and detect is the rest until "done". If the first "running" poll
 * is also the last "not yet", its reply came after sending; then run is 0, and detect counts from that reply.
 *
 * If polls separate waiting from work, work began between the last "not begun" and the first "running": queue ends at
 * the latter, `queueLowMs` at the former, where `runHighMs` starts. Without a "running" poll, queue ends at the last
 * "not begun", and detect may include all of run. A sample of two processes (`resumed`) has no durations: their clocks
 * have different origins.
 */
export function timingsOf(sample: Pick<Sample, 'attempts' | 'flags' | 'marks' | 'polls'>): Timings {
  if (sample.flags.includes('resumed')) return NONE;
  const { scheduledMs, startedMs, readyMs, firstByteMs, doneMs } = sample.marks;
  const steps = sample.polls === 0 ? answered(sample) : polled(sample);
  // Written out: spreading both is seven times slower, noticeable with ten thousand samples.
  return {
    totalMs: since(startedMs, doneMs),
    // Marks are those of the last attempt; the delay of the first is unknown.
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
  // Null: polls do not separate waiting from work, so waiting counts as run.
  const begunMs = runningMs ?? lastQueuedMs ?? null;
  return {
    submitMs: acceptedMs - startedMs,
    queueMs: begunMs === null ? null : begunMs - acceptedMs,
    queueLowMs: since(acceptedMs, lastQueuedMs),
    // The end of a job that never got ready is unknown.
    runMs: readyMs === undefined ? null : pendingMs - (begunMs ?? acceptedMs),
    runHighMs: since(lastQueuedMs, readyMs),
    detectMs: readyMs === undefined ? null : readyMs - pendingMs,
    generationLowMs: readyMs === undefined ? null : lastMs - startedMs,
  };
}

function since(from: number | undefined, to: number | undefined): number | null {
  return from === undefined || to === undefined ? null : to - from;
}
