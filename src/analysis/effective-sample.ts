import { OUTCOMES } from '../record/codes.ts';
import type { ShownFact, UndecodableReason, UnexaminedReason } from '../record/fact.ts';
import type { Sample } from '../record/journal.ts';
import type { Spend } from '../record/run.ts';
import type { Load } from '../suite/load.ts';

/** Adds `blank`: an empty output, as safety filters deliver. It is an answer, but neither timed nor delivered. */
export const EFFECTIVE_OUTCOMES = [...OUTCOMES, 'blank'] as const;

export type EffectiveOutcome = (typeof EFFECTIVE_OUTCOMES)[number];

/** Trials refused because of their content. */
export const BLOCKED: ReadonlySet<EffectiveOutcome> = new Set(['moderated', 'blank']);

/** A sample with what examination found of it. */
export interface EffectiveSample {
  readonly sample: Sample;
  /** The runner's outcome, or that of the examination: `invalid_media` does not decode, `blank` shows nothing. */
  readonly outcome: EffectiveOutcome;
  readonly error: EffectiveError | null;
  readonly timings: Timings;
  /** The first, by which the take counts; null without one. */
  readonly output: EffectiveOutput | null;
  /** All of the reply, in its order. */
  readonly outputs: readonly EffectiveOutput[];
  readonly costUsd: number | null;
  /** All its requests, also those of unknown cost and those before the last. */
  readonly spend: Spend;
  /** Sorted. */
  readonly flags: readonly string[];
  /** Only of a delivered edit. */
  readonly edit?: MeasuredEdit;
}

export interface MeasuredEdit {
  /** Whether the output is `near` its first input image, or nearer; null if they were not compared. */
  readonly unchanged: boolean | null;
  /** Mean absolute difference outside the mask, in levels of 255; null if it has none, undefined without a mask. */
  readonly outside: number | null | undefined;
  /** Whether it has another shape than its first input image; false where either did not decode. */
  readonly otherShape: boolean;
}

/** `timed` is false if a cache may have answered: then the sample is in no latency. */
export interface TimedSample extends EffectiveSample {
  readonly timed: boolean;
}

export interface EffectiveError {
  readonly code: string;
  /** What the service or the system reported: hostile text. Empty if examination found the failure. */
  readonly message: string;
  /** Only for the code `undecodable`. */
  readonly undecodable: UndecodableReason | null;
}

/** Durations in milliseconds as results/README.md defines them; null if undefined or a mark is missing. */
export interface Timings {
  readonly totalMs: number | null;
  /** How late the call was started; open load only. */
  readonly startLagMs: number | null;
  readonly responseMs: number | null;
  readonly submitMs: number | null;
  readonly queueMs: number | null;
  /** The part of the queue time that polls prove: work may have begun between this and `queueMs`. */
  readonly queueLowMs: number | null;
  readonly runMs: number | null;
  /** The longest run time that polls allow: from the last "not begun" to the first "done". */
  readonly runHighMs: number | null;
  readonly detectMs: number | null;
  readonly downloadMs: number | null;
  readonly ttfbMs: number | null;
  readonly generationLowMs: number | null;
  readonly generationMs: number | null;
}

/** The timings that add up to the total, in the order of a call. */
export const TIMINGS = ['submit', 'queue', 'run', 'detect', 'download'] as const;

export type Timing = (typeof TIMINGS)[number];

export function timingOf(timings: Pick<Timings, `${Timing}Ms`>, name: Timing): number | null {
  return timings[`${name}Ms`];
}

export interface EffectiveOutput {
  readonly sha256: string;
  readonly bytes: number;
  readonly mime: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly frames: number | null;
  /** Frames per second and duration of a video; null for an image. */
  readonly fps: number | null;
  readonly durationS: number | null;
  readonly thumbnail: boolean;
  readonly shown: ShownFact | null;
  /** Why the output was not decoded: then only its bytes are known. */
  readonly undecoded: UnexaminedReason | null;
  /** Why it does not decode; null if it does, or is not decoded. */
  readonly undecodable: UndecodableReason | null;
}

/** The outputs that a take delivered: those that decode, as far as that is known, and show more than one colour. */
export function madeOutputs({ sample, outputs }: EffectiveSample): readonly EffectiveOutput[] {
  if (sample.outcome !== 'ok') return [];
  return outputs.filter(({ undecodable, shown }) => undecodable === null && shown?.blank !== true);
}

/** The sum over outputs; null if it is not known of one. */
export function sumOver(
  outputs: readonly EffectiveOutput[],
  amountOf: (output: EffectiveOutput) => number | null,
): number | null {
  return outputs.reduce<number | null>((all, output) => {
    const amount = amountOf(output);
    return all === null || amount === null ? null : all + amount;
  }, 0);
}

/** Trials counted by error_rate. A blocked prompt (`moderated`, `blank`) is an answer and has its own rate. */
export const FAILED: ReadonlySet<EffectiveOutcome> = new Set([
  'rejected',
  'no_credit',
  'error',
  'timed_out',
  'unknown_charged',
  'invalid_media',
]);

export const ANSWERABLE = allBut('cancelled', 'defect', 'dropped', 'throttled');

export function allBut(...leftOut: readonly EffectiveOutcome[]): ReadonlySet<EffectiveOutcome> {
  return new Set(EFFECTIVE_OUTCOMES.filter((outcome) => !leftOut.includes(outcome)));
}

/** The flag of a sample with late timestamps. */
export const LATE = 'harness_lag';

/** The flag of a sample sent while concurrency was below the declared one, because the service refused calls. */
export const SLOWED = 'slowed';

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
 * have different origins. What a damaged journal lets end before it began has none.
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
    generationLowMs: readyMs === undefined ? null : since(startedMs, lastMs),
  };
}

function since(from: number | undefined, to: number | undefined): number | null {
  return from === undefined || to === undefined || to < from ? null : to - from;
}

export type HeadlineLatency = 'latency.total' | 'latency.response';

/** Open load counts from the due time, which includes a late start; closed load has no due time. */
export function headlineLatency({ mode }: Pick<Load, 'mode'>): HeadlineLatency {
  return mode === 'open' ? 'latency.response' : 'latency.total';
}

/** In milliseconds; null if the sample has none. */
export function headlineMs({ timings }: EffectiveSample, load: Pick<Load, 'mode'>): number | null {
  return load.mode === 'open' ? timings.responseMs : timings.totalMs;
}

/** In milliseconds: ok samples, and timed-out ones as `Infinity`. */
export function headlineValues(samples: readonly EffectiveSample[], load: Pick<Load, 'mode'>): number[] {
  return samples.flatMap((effective) => {
    if (effective.outcome !== 'ok' && effective.outcome !== 'timed_out') return [];
    const ms = headlineMs(effective, load);
    if (ms !== null) return [ms];
    return effective.outcome === 'timed_out' ? [Infinity] : [];
  });
}

/** Takes that slow_rate is a share of: their latency is known, or above every limit. */
export const SLOW_COUNTED: ReadonlySet<EffectiveOutcome> = new Set(['ok', 'timed_out']);

/** Open load times a take from when it was due. */
export function isSlow({ outcome, timings }: Pick<EffectiveSample, 'outcome' | 'timings'>, limitMs: number): boolean {
  const ms = timings.responseMs ?? timings.totalMs;
  return ms === null ? outcome === 'timed_out' : ms > limitMs;
}

/** Whether it waited for a rate limit: its marks are those of the attempt after that. */
export function hasWaited({ sample }: Pick<EffectiveSample, 'sample'>): boolean {
  return sample.throttleWaitMs > 0;
}

/** As `hasWaited`, of what counts from the due time under open load. */
export function hasWaitedUnseen(take: Pick<EffectiveSample, 'sample'>): boolean {
  return hasWaited(take) && take.sample.marks.scheduledMs === undefined;
}

export function slowStatistic(limitMs: number): string {
  return `rate_over_${limitMs}ms`;
}

export function goodStatistic(limitMs: number): string {
  return `rate_within_${limitMs}ms`;
}
